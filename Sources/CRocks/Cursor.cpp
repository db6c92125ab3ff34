// Cursors of column families.
#include "Cursor.hpp"

crk_status crk_cursor_create(crk_column_family *family, const crk_read_options *options, const crk_range *range, crk_cursor **out) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            if (read.tailing && options->snapshot != nullptr) {
                return rocksdb::Status::InvalidArgument("a tailing cursor follows what is written, which a snapshot does not show");
            }
            auto cursor = std::make_unique<crk_cursor>();
            cursor->gate = &family->db->gate;
            if (options->snapshot != nullptr) { cursor->snapshot = options->snapshot->object; }
            cursor->options = read;
            cursor->set_order(family->handle->GetComparator());
            cursor->backward_refused = family->backward_never || (family->backward_total_order && !read.total_order_seek);
            cursor->set_range(*range);
            cursor->iterator.reset(family->db->db->NewIterator(cursor->options, family->handle));
            rocksdb::Status status = cursor->iterator->status();
            if (!status.ok()) { return status; }
            family->db->gate.add_child(crk::Gate::kCursor);
            *out = cursor.release();
            return status;
        });
    });
}

int crk_cursor_move(crk_cursor *cursor, crk_move move, crk_bytes *key, crk_bytes *value) {
    return cursor->guarded(key, value, [&] { return cursor->move(move); });
}
int crk_cursor_next(crk_cursor *cursor, crk_bytes *key, crk_bytes *value) {
    return cursor->guarded(key, value, [&] {
        return cursor->position == crk::Position::kAt && !cursor->reversed ? cursor->step(true) : cursor->move(CRK_NEXT);
    });
}
int crk_cursor_seek(crk_cursor *cursor, crk_bytes key, bool or_before, crk_bytes *found, crk_bytes *value) {
    return cursor->guarded(found, value, [&] { return cursor->seek(crk::slice(key), or_before); });
}
void crk_cursor_lasts_for_call(crk_cursor *cursor) {
    if (cursor->gate != nullptr) { cursor->call = &cursor->gate->child_becomes_lend(crk::Gate::kCursor); }
}
crk_status crk_cursor_status(const crk_cursor *cursor) { return crk::convert(cursor->status); }
void crk_cursor_free(crk_cursor *cursor) {
    crk::Gate *gate = cursor->gate;
    crk::Gate::Counter *call = cursor->call;
    delete cursor;
    if (call != nullptr) {
        gate->end_lend(*call);
    } else if (gate != nullptr) {
        gate->remove_child(crk::Gate::kCursor);
    }
}
