// Walking over a range in either direction, in the column family's own order.
#include "Internal.hpp"

#include <rocksdb/iterator.h>

#include <optional>

namespace {

// The smallest byte string above every one that begins with `prefix`; none where the prefix is empty or all 0xFF.
std::optional<std::string> successor(std::string prefix) {
    while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) { prefix.pop_back(); }
    if (prefix.empty()) { return std::nullopt; }
    prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
    return prefix;
}

enum class Order { kBytewise, kReverseBytewise, kCustom };
enum class Position { kBefore, kAt, kAfter, kFailed };

}  // namespace

// "Forward" and "backward" are the order of the column family; the walk goes forward, or backward when `reversed`.
struct crk_cursor {
    crk_column_family *family = nullptr;
    crk::Gate::Counter *call = nullptr;           // counted as a call; null: as a child of the database
    const rocksdb::Comparator *comparator = nullptr;
    rocksdb::ReadOptions options;
    std::shared_ptr<const rocksdb::Snapshot> snapshot;  // the iterator reads it when it comes upon range deletions
    bool reversed = false;
    bool backward_refused = false;
    Order order = Order::kBytewise;
    std::optional<std::string> from, to;          // only what the iterator's own bounds cannot say
    std::optional<std::string> low, high;         // the bytes of keys, inclusive and exclusive, where the order is not theirs
    std::string lower, upper;                     // the iterator's bounds: it keeps pointers to the slices
    rocksdb::Slice lower_slice, upper_slice;
    bool filtered = false;                        // whether any of these has to be asked
    Position position = Position::kBefore;
    rocksdb::Slice found;                         // the key at `kAt`
    rocksdb::Status status;
    bool has_columns = false;
    std::vector<crk_column> columns;              // of the entry at `kAt`, once asked for
    std::unique_ptr<rocksdb::Iterator> iterator;  // last, to go first: it points to the above

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
            high = successor(*low);
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
            if (range.has_to) { set_upper(crk::slice(range.to)); }
        } else {
            // Walking down, the upper end is included and the lower one is not: bounds say it the other way round.
            if (range.has_from) { from = crk::slice(range.from).ToString(); }
            if (range.has_to) {
                to = crk::slice(range.to).ToString();
                set_lower(*to);
            }
        }
        filtered = from || to || low || high;
    }

    void seek_to_low_end() { iterator->SeekToFirst(); }
    void seek_to_high_end() {
        if (from) {
            iterator->SeekForPrev(*from);
        } else if (low && order == Order::kReverseBytewise) {
            iterator->SeekForPrev(*low);
        } else {
            iterator->SeekToLast();
        }
    }

    // Steps on until an entry of the range, or off its end.
    int settle(bool forward) {
        for (; iterator->Valid(); forward ? iterator->Next() : iterator->Prev()) {
            found = iterator->key();
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
                // In reverse bytewise order the keys of a byte range stand together; in a custom order they may be anywhere.
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
        status = rocksdb::Status::NotSupported("plain tables, and hash memtables out of total order, cannot be walked backwards");
        position = Position::kFailed;
        return -1;
    }

    int to_end(bool high) {
        if (high && backward_refused) { return refuse_backward(); }
        high ? seek_to_high_end() : seek_to_low_end();
        return settle(!high);
    }

    int step(bool forward) {
        if (!forward && backward_refused) { return refuse_backward(); }
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
};

crk_status crk_cursor_create(crk_column_family *family, const crk_read_options *options, const crk_range *range, crk_cursor **out) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            if (read.tailing && options->snapshot != nullptr) {
                return rocksdb::Status::InvalidArgument("a tailing cursor follows what is written, which a snapshot does not show");
            }
            auto cursor = std::make_unique<crk_cursor>();
            cursor->family = family;
            if (options->snapshot != nullptr) { cursor->snapshot = options->snapshot->object; }
            cursor->options = read;
            cursor->comparator = family->traits.comparator;
            if (cursor->comparator == rocksdb::ReverseBytewiseComparator()) {
                cursor->order = Order::kReverseBytewise;
            } else if (cursor->comparator != rocksdb::BytewiseComparator()) {
                cursor->order = Order::kCustom;
            }
            cursor->backward_refused = family->backward_never || (family->backward_total_order && !read.total_order_seek);
            cursor->set_range(*range);
            cursor->iterator.reset(family->db->db->NewIterator(cursor->options, family->handle));
            rocksdb::Status status = cursor->iterator->status();
            if (!status.ok()) { return status; }
            family->db->gate.add_child(crk::Gate::kCursor);
            *out = cursor.release();
            return status;
        });
    }, crk::time_of(options));
}

int crk_cursor_move(crk_cursor *cursor, crk_move move, crk_bytes *key, crk_bytes *value) {
    return cursor->guarded(key, value, [&] { return cursor->move(move); });
}
int crk_cursor_next(crk_cursor *cursor, crk_bytes *key, crk_bytes *value) {
    return cursor->guarded(key, value, [&] {
        return cursor->position == Position::kAt && !cursor->reversed ? cursor->step(true) : cursor->move(CRK_NEXT);
    });
}
int crk_cursor_seek(crk_cursor *cursor, crk_bytes key, bool or_before, crk_bytes *found, crk_bytes *value) {
    return cursor->guarded(found, value, [&] { return cursor->seek(crk::slice(key), or_before); });
}
void crk_cursor_lasts_for_call(crk_cursor *cursor) {
    cursor->call = &cursor->family->db->gate.child_becomes_lend(crk::Gate::kCursor);
}
crk_status crk_cursor_columns(crk_cursor *cursor, const crk_column **columns, size_t *count) {
    return crk::guarded([&] {
        if (cursor->position != Position::kAt) { return rocksdb::Status::InvalidArgument("the cursor stands at no entry"); }
        // Those lent before stay.
        if (!cursor->has_columns) { crk::lend_columns(cursor->iterator->columns(), cursor->columns); }
        cursor->has_columns = true;
        *columns = cursor->columns.data();
        *count = cursor->columns.size();
        return rocksdb::Status::OK();
    });
}
crk_status crk_cursor_status(const crk_cursor *cursor) { return crk::convert(cursor->status); }
void crk_cursor_free(crk_cursor *cursor) {
    crk::Gate &gate = cursor->family->db->gate;
    crk::Gate::Counter *call = cursor->call;
    delete cursor;
    if (call != nullptr) {
        gate.end_lend(*call);
    } else {
        gate.remove_child(crk::Gate::kCursor);
    }
}
