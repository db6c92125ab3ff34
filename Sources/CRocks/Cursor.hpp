// Walking over a range in either direction, in the order of the keys; over whatever has an iterator.
#pragma once

#include "Overlay.hpp"

#include <rocksdb/iterator.h>

#include <optional>

namespace crk {

// The smallest byte string above every one that begins with `prefix`; none where the prefix is empty or all 0xFF.
inline std::optional<std::string> successor(std::string prefix) {
    while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) { prefix.pop_back(); }
    if (prefix.empty()) { return std::nullopt; }
    prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
    return prefix;
}

enum class Order { kBytewise, kReverseBytewise, kCustom };
enum class Position { kBefore, kAt, kAfter, kFailed };

}  // namespace crk

// "Forward" and "backward" are the order of the column family; the walk goes forward, or backward when `reversed`.
struct crk_cursor {
    using Order = crk::Order;
    using Position = crk::Position;

    crk::Gate *gate = nullptr;                    // of the database that it counts as a child of
    crk::Gate::Counter *call = nullptr;           // counted as a call; null: as a child of the database
    std::shared_ptr<void> keep;                   // what the iterator reads, if that is not a database
    const rocksdb::Comparator *comparator = nullptr;
    rocksdb::ReadOptions options;
    std::shared_ptr<const rocksdb::Snapshot> snapshot;  // the iterator reads it when it comes upon range deletions
    bool reversed = false;
    bool backward_refused = false;
    Order order = Order::kBytewise;
    std::optional<std::string> from, to;          // the highest key, and the one below the lowest: what the iterator's bounds cannot say
    std::optional<std::string> low, high;         // the bytes of keys, inclusive and exclusive, where the order is not theirs
    std::string lower, upper;                     // the iterator's bounds: it keeps pointers to the slices
    rocksdb::Slice lower_slice, upper_slice;
    bool filtered = false;                        // whether any of these has to be asked
    bool plain = false;                           // whether the next entry is RocksDB's next, with nothing to ask of it
    Position position = Position::kBefore;
    rocksdb::Slice found;                         // the key at `kAt`, of a cursor that is not plain
    rocksdb::Status status;
    bool has_columns = false;
    std::vector<crk_column> columns;              // of the entry at `kAt`, once asked for
    // For a cursor over a transaction or an indexed batch:
    std::shared_ptr<crk::Overlay> overlay;
    uint64_t version = 0;                         // of the overlay, when the iterator found its place
    bool went_forward = true;                     // whether the iterator's last move was forward
    bool ended = false;                           // the overlay was over at the last move
    std::string own_key, own_value;               // copies of what a write to the overlay would move
    std::unique_ptr<rocksdb::Iterator> iterator;  // last, to go first: it points to the above

    void set_order(const rocksdb::Comparator *of) {
        comparator = of;
        order = of == rocksdb::BytewiseComparator() ? Order::kBytewise
            : of == rocksdb::ReverseBytewiseComparator() ? Order::kReverseBytewise : Order::kCustom;
    }

    void set_lower(rocksdb::Slice bound) {
        lower = bound.ToString();
        lower_slice = lower;
        options.iterate_lower_bound = &lower_slice;
    }
    void set_upper(rocksdb::Slice bound) {
        upper = bound.ToString();
        upper_slice = upper;
        options.iterate_upper_bound = &upper_slice;
    }

    void set_range(const crk_range &range) {
        reversed = range.reversed;
        if (range.has_lower) { low = crk::slice(range.lower).ToString(); }
        if (range.has_upper) { high = crk::slice(range.upper).ToString(); }
        if (range.has_prefix) {
            low = crk::slice(range.prefix).ToString();
            high = crk::successor(*low);
        }
        if (order == Order::kBytewise) {
            if (low) { set_lower(*low); }
            if (high) { set_upper(*high); }
            low.reset();
            high.reset();
        } else if (order == Order::kReverseBytewise && high) {
            set_lower(*high);
        }
        if (!reversed) {
            if (range.has_from) { set_lower(crk::slice(range.from)); }
            if (range.has_to && !range.includes_to) { set_upper(crk::slice(range.to)); }
            if (range.has_to && range.includes_to) {
                // In bytewise order there is a key right behind it.
                if (order == Order::kBytewise) {
                    set_upper(crk::slice(range.to).ToString() + '\0');
                } else {
                    from = crk::slice(range.to).ToString();
                }
            }
        } else {
            // Walking down, the upper end is included and the lower one is not: bounds say it the other way round.
            if (range.has_from) { from = crk::slice(range.from).ToString(); }
            if (range.has_to) {
                set_lower(crk::slice(range.to));
                if (!range.includes_to) { to = lower; }
            }
        }
        filtered = from || to || low || high;
        plain = !filtered && !reversed;
    }

    // The merging iterator minds bounds in the database's entries only.
    bool below_bounds(rocksdb::Slice key) const { return options.iterate_lower_bound && comparator->Compare(key, lower_slice) < 0; }
    bool above_bounds(rocksdb::Slice key) const { return options.iterate_upper_bound && comparator->Compare(key, upper_slice) >= 0; }

    void seek_to_low_end() {
        if (overlay && options.iterate_lower_bound) {
            iterator->Seek(lower_slice);
        } else {
            iterator->SeekToFirst();
        }
    }
    void seek_to_high_end() {
        if (overlay && !from && options.iterate_upper_bound) {
            iterator->SeekForPrev(upper_slice);
        } else if (from) {
            iterator->SeekForPrev(*from);
        } else if (low && order == Order::kReverseBytewise) {
            iterator->SeekForPrev(*low);
        } else {
            iterator->SeekToLast();
        }
    }

    // Steps on until an entry of the range, or off its end.
    int settle(bool forward) {
        went_forward = forward;
        for (; iterator->Valid(); forward ? iterator->Next() : iterator->Prev()) {
            found = iterator->key();
            if (overlay && (below_bounds(found) || above_bounds(found))) {
                if (forward ? above_bounds(found) : below_bounds(found)) { break; }
                continue;
            }
            if (to && comparator->Compare(found, *to) <= 0) {
                if (!forward) { break; }
                continue;
            }
            if (from && comparator->Compare(found, *from) > 0) {
                if (forward) { break; }
                continue;
            }
            const bool below = low && found.compare(*low) < 0, above = high && found.compare(*high) >= 0;
            if (below || above) {
                // In reverse bytewise order the keys of a byte range are contiguous; in a custom order they may be anywhere.
                if (order == Order::kReverseBytewise && (forward ? below : above)) { break; }
                continue;
            }
            position = Position::kAt;
            return 1;
        }
        status = iterator->status();
        if (!status.ok()) {
            position = Position::kFailed;
            return -1;
        }
        position = forward != reversed ? Position::kAfter : Position::kBefore;
        return 0;
    }

    int refuse_backward() {
        status = rocksdb::Status::NotSupported("plain tables, and hash memtables without total order, cannot be iterated backwards");
        position = Position::kFailed;
        return -1;
    }

    int to_end(bool high) {
        if (high && backward_refused) { return refuse_backward(); }
        high ? seek_to_high_end() : seek_to_low_end();
        return settle(!high);
    }

    // After writes to the overlay the iterator has to find its place again; it also turns round only so.
    void step_over(bool forward) {
        if (version == overlay->version && went_forward == forward) {
            forward ? iterator->Next() : iterator->Prev();
            return;
        }
        const std::string here = found.ToString();
        forward ? iterator->Seek(here) : iterator->SeekForPrev(here);
        if (iterator->Valid() && comparator->Compare(iterator->key(), here) == 0) { forward ? iterator->Next() : iterator->Prev(); }
    }

    int step(bool forward) {
        if (!forward && backward_refused) { return refuse_backward(); }
        if (overlay) {
            step_over(forward);
            return settle(forward);
        }
        forward ? iterator->Next() : iterator->Prev();
        // Most steps: from one entry to another, with nothing to ask.
        if (!filtered && iterator->Valid()) {
            found = iterator->key();
            return 1;
        }
        return settle(forward);
    }

    int move(crk_move move) {
        switch (move) {
        case CRK_FIRST: return to_end(reversed);
        case CRK_LAST: return to_end(!reversed);
        case CRK_NEXT:
            switch (position) {
            case Position::kBefore: return to_end(reversed);
            case Position::kAt: return step(!reversed);
            case Position::kAfter: return 0;
            case Position::kFailed: return -1;
            }
            break;
        case CRK_PREVIOUS:
            switch (position) {
            case Position::kBefore: return 0;
            case Position::kAt: return step(reversed);
            case Position::kAfter: return to_end(!reversed);
            case Position::kFailed: return -1;
            }
            break;
        }
        return -1;
    }

    int seek(rocksdb::Slice key, bool or_before) {
        const bool forward = reversed == or_before;
        if (forward) {
            iterator->Seek(key);
        } else {
            if (backward_refused) { return refuse_backward(); }
            iterator->SeekForPrev(from && comparator->Compare(key, *from) > 0 ? rocksdb::Slice(*from) : key);
        }
        return settle(forward);
    }

    // An exception (out of memory) leaves the cursor failed.
    template <class Body> __attribute__((always_inline)) int guarded(crk_bytes *key, crk_bytes *value, Body &&body) noexcept {
        int outcome;
        has_columns = false;
        try {
            if (overlay) { return overlaid(key, value, body); }
            outcome = body();
            if (outcome == 1) {
                *key = crk::lend(found);
                if (value != nullptr) { *value = crk::lend(iterator->value()); }
            }
        } catch (...) {
            status = rocksdb::Status::MemoryLimit();
            position = Position::kFailed;
            outcome = -1;
        }
        return outcome;
    }

    // Lends the entry once more, if it is still there.
    int current(crk_bytes *key, crk_bytes *value) noexcept {
        try {
            if (overlay) { return current_over(key, value); }
            if (position != Position::kAt) { return position == Position::kFailed ? -1 : 0; }
            *key = crk::lend(iterator->key());
            *value = crk::lend(iterator->value());
            return 1;
        } catch (...) {
            return fail(rocksdb::Status::MemoryLimit());
        }
    }

    int current_over(crk_bytes *key, crk_bytes *value) {
        if (crk::callback_depth > 0) { return fail(rocksdb::Status::Aborted(crk::kInCallback)); }
        std::lock_guard<std::mutex> alone(overlay->lock);
        ended = overlay->over;
        if (ended) { return fail(rocksdb::Status::Aborted()); }
        if (position != Position::kAt) { return position == Position::kFailed ? -1 : 0; }
        if (version != overlay->version) {
            // Stepping on from here looks for this key, too: the version stays as it is unless it is found.
            std::string here = found.ToString();
            iterator->Seek(here);
            own_key = std::move(here);
            found = own_key;
            if (!iterator->Valid() || comparator->Compare(iterator->key(), found) != 0) {
                rocksdb::Status sought = iterator->status();
                return sought.ok() ? 0 : fail(sought);
            }
            version = overlay->version;
            went_forward = true;
        }
        *key = crk::lend(found);
        *value = crk::lend(own(iterator->value(), own_value));
        rocksdb::Status merged = iterator->status();
        return merged.ok() ? 1 : fail(merged);
    }

    int fail(rocksdb::Status why) {
        status = std::move(why);
        position = Position::kFailed;
        return -1;
    }

    // What lies in the batch is copied: it moves when the batch grows.
    rocksdb::Slice own(rocksdb::Slice bytes, std::string &copy) const {
        const std::string &data = overlay->index()->GetWriteBatch()->Data();
        if (bytes.data() < data.data() || bytes.data() >= data.data() + data.size()) { return bytes; }
        copy.assign(bytes.data(), bytes.size());
        return copy;
    }

    template <class Body> int overlaid(crk_bytes *key, crk_bytes *value, Body &body) {
        if (crk::callback_depth > 0) { return fail(rocksdb::Status::Aborted(crk::kInCallback)); }
        std::lock_guard<std::mutex> alone(overlay->lock);
        ended = overlay->over;
        if (ended) { return fail(rocksdb::Status::Aborted()); }
        if (body() != 1) {
            version = overlay->version;
            return position == Position::kFailed ? -1 : 0;
        }
        version = overlay->version;
        found = own(iterator->key(), own_key);
        *key = crk::lend(found);
        if (value == nullptr) { return 1; }
        *value = crk::lend(own(iterator->value(), own_value));
        if (overlay->index()->GetWriteBatch()->HasMerge()) {
            // Operands are merged when the value is asked for.
            rocksdb::Status merged = iterator->status();
            if (!merged.ok()) { return fail(merged); }
        }
        return 1;
    }

    ~crk_cursor() {
        if (!overlay) { return; }
        std::lock_guard<std::mutex> alone(overlay->lock);
        iterator.reset();
        snapshot.reset();
        if (--overlay->cursors == 0) { overlay->last_cursor_gone(); }
    }
};
