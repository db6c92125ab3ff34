// Writes that are not in the database yet, and are read together with it: a transaction's, or an indexed batch.
#pragma once

#include "Internal.hpp"

#include <rocksdb/utilities/write_batch_with_index.h>

namespace crk {

// Code that reads or changes the writes holds `lock`, also while it moves a cursor over them.
struct Overlay {
    std::mutex lock;
    uint64_t version = 0;   // counts changes, so that cursors find their place again after one
    bool over = false;      // its writes are gone
    int64_t cursors = 0;    // that refer to them
    std::string end;        // why
    virtual ~Overlay() = default;
    virtual rocksdb::WriteBatchWithIndex *index() = 0;
    // Called when the last cursor is gone, with the lock held.
    virtual void last_cursor_gone() {}
};

// Runs `body` with the writes to itself. Within a callback it would wait for itself.
template <class Body> crk_status with_overlay(Overlay &overlay, Body &&body) noexcept {
    if (callback_depth > 0) { return make_status(CRK_REFUSED, kInCallback); }
    return guarded([&]() -> crk_status {
        std::lock_guard<std::mutex> alone(overlay.lock);
        if (overlay.over) { return make_status(CRK_CLOSED, overlay.end); }
        return convert(body());
    });
}

// A cursor over `family` with the writes of `overlay` on top, whose lock the caller holds; reads at `snapshot`, unless null.
crk_status make_cursor(crk_column_family *family, const crk_read_options *options, const crk_range *range, std::shared_ptr<Overlay> overlay,
    std::shared_ptr<const rocksdb::Snapshot> snapshot, crk_cursor **out);

// Whether the writes have something to say about `key`. With the lock held.
inline bool has_entry(Overlay &overlay, crk_column_family *family, const rocksdb::Slice &key) {
    std::unique_ptr<rocksdb::WBWIIterator> entry(overlay.index()->NewIterator(family->handle));
    entry->Seek(key);
    return entry->Valid() && family->traits.comparator->Compare(entry->Entry().key, key) == 0;
}

}  // namespace crk
