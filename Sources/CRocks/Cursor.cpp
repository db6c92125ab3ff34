// Cursors of column families, and of what is not committed to them yet.
#include "Cursor.hpp"

namespace {

// A cursor that is whole but for its iterator.
std::unique_ptr<crk_cursor> prepare(crk_column_family *family, const rocksdb::ReadOptions &read, const crk_range &range) {
    auto cursor = std::make_unique<crk_cursor>();
    cursor->gate = &family->db->gate;
    cursor->options = read;
    cursor->set_order(family->traits.comparator);
    cursor->backward_refused = family->backward_never || (family->backward_total_order && !read.total_order_seek);
    cursor->set_range(range);
    return cursor;
}

__attribute__((noinline)) int next_of_any(crk_cursor *cursor, crk_bytes *key, crk_bytes *value) {
    return cursor->guarded(key, value, [&] { return cursor->move(CRK_NEXT); });
}
__attribute__((noinline)) int behind_last(crk_cursor *cursor, crk_bytes *key, crk_bytes *value) {
    return cursor->guarded(key, value, [&] { return cursor->settle(true); });
}
__attribute__((noinline, cold)) int out_of_memory(crk_cursor *cursor) { return cursor->fail(rocksdb::Status::MemoryLimit()); }

}  // namespace

crk_status crk::make_cursor(crk_column_family *family, const crk_read_options *options, const crk_range *range,
    std::shared_ptr<Overlay> overlay, std::shared_ptr<const rocksdb::Snapshot> snapshot, crk_cursor **out) {
    return reading(options, [&](const rocksdb::ReadOptions &plain) {
        if (plain.tailing || plain.prefix_same_as_start) {
            return rocksdb::Status::InvalidArgument("a cursor over uncommitted writes supports neither tailing nor prefixSameAsStart");
        }
        rocksdb::ReadOptions read = plain;
        if (snapshot) {
            read.snapshot = snapshot.get();
        } else if (options->snapshot != nullptr) {
            snapshot = options->snapshot->object;
        }
        auto cursor = prepare(family, read, *range);
        cursor->snapshot = std::move(snapshot);
        std::unique_ptr<rocksdb::Iterator> base(family->db->db->NewIterator(cursor->options, family->handle));
        rocksdb::Status status = base->status();
        if (!status.ok()) { return status; }
        // Without the options: their upper bound is minded here.
        cursor->iterator.reset(overlay->index()->NewIteratorWithBase(family->handle, base.release()));
        cursor->filtered = true;
        cursor->plain = false;
        cursor->version = overlay->version;
        ++overlay->cursors;
        cursor->overlay = std::move(overlay);
        family->db->gate.add_child(Gate::kCursor);
        *out = cursor.release();
        return status;
    });
}

crk_status crk_cursor_create(crk_column_family *family, const crk_read_options *options, const crk_range *range, crk_cursor **out) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            if (read.tailing && options->snapshot != nullptr) {
                return rocksdb::Status::InvalidArgument("a tailing cursor follows later writes, which a snapshot does not show");
            }
            auto cursor = prepare(family, read, *range);
            if (options->snapshot != nullptr) { cursor->snapshot = options->snapshot->object; }
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
// Most steps: a plain cursor goes from one entry to another. Kept apart from the rest, which would need registers and stack.
int crk_cursor_next(crk_cursor *cursor, crk_bytes *key, crk_bytes *value) {
    if (cursor->position != crk::Position::kAt || !cursor->plain) { return next_of_any(cursor, key, value); }
    cursor->has_columns = false;
    rocksdb::Iterator *iterator = cursor->iterator.get();
    try {
        iterator->Next();
        if (!iterator->Valid()) { return behind_last(cursor, key, value); }
        *key = crk::lend(iterator->key());
        if (value != nullptr) { *value = crk::lend(iterator->value()); }
        return 1;
    } catch (...) {
        return out_of_memory(cursor);
    }
}
int crk_cursor_seek(crk_cursor *cursor, crk_bytes key, bool or_before, crk_bytes *found, crk_bytes *value) {
    return cursor->guarded(found, value, [&] { return cursor->seek(crk::slice(key), or_before); });
}
int crk_cursor_current(crk_cursor *cursor, crk_bytes *key, crk_bytes *value) { return cursor->current(key, value); }
bool crk_cursor_is_at_entry(const crk_cursor *cursor) { return cursor->position == crk::Position::kAt; }
void crk_cursor_lasts_for_call(crk_cursor *cursor) {
    if (cursor->gate != nullptr) { cursor->call = &cursor->gate->child_becomes_lend(crk::Gate::kCursor); }
}
crk_status crk_cursor_status(const crk_cursor *cursor) {
    return cursor->ended ? crk::make_status(CRK_CLOSED, cursor->overlay->end) : crk::convert(cursor->status);
}
crk_status crk_cursor_columns(crk_cursor *cursor, const crk_column **columns, size_t *count) {
    return crk::guarded([&] {
        if (cursor->overlay) { return rocksdb::Status::NotSupported("a cursor over uncommitted writes has no columns"); }
        if (cursor->position != crk::Position::kAt) { return rocksdb::Status::InvalidArgument("the cursor is not at an entry"); }
        // Those lent before stay.
        if (!cursor->has_columns) { crk::lend_columns(cursor->iterator->columns(), cursor->columns); }
        cursor->has_columns = true;
        *columns = cursor->columns.data();
        *count = cursor->columns.size();
        return rocksdb::Status::OK();
    });
}
void crk_cursor_free(crk_cursor *cursor) {
    crk::release([&] {
        crk::Gate *gate = cursor->gate;
        crk::Gate::Counter *call = cursor->call;
        delete cursor;
        if (call != nullptr) {
            gate->end_lend(*call, crk::Gate::kCall);
        } else if (gate != nullptr) {
            gate->remove_child(crk::Gate::kCursor);
        }
    });
}
