// Batches with an index.
#include "Lending.hpp"
#include "Overlay.hpp"
#include "Records.hpp"

namespace {

struct BatchState final : crk::Overlay {
    crk_db *db;
    bool overwrites;
    rocksdb::WriteBatchWithIndex object;
    BatchState(crk_db *db, bool overwrites, size_t reserved, size_t limit)
        : db(db), overwrites(overwrites), object(rocksdb::BytewiseComparator(), reserved, overwrites, limit) {}
    rocksdb::WriteBatchWithIndex *index() override { return &object; }
};

}  // namespace

struct crk_indexed_batch { std::shared_ptr<BatchState> state; };

namespace {

template <class Body> crk_status with(crk_indexed_batch *batch, Body &&body) noexcept {
    return crk::with_overlay(*batch->state, [&] { return body(*batch->state); });
}

// With the database open and the column family there. `body` receives the call and the batch.
template <class Call = crk::DatabaseCall, class Body>
crk_status in_family(crk_indexed_batch *batch, crk_column_family *family, Body &&body) noexcept {
    return crk::in_family<Call>(family, [&](Call &call) {
        return with(batch, [&](BatchState &state) -> crk_status {
            if (family->db != state.db) { return crk::make_status(CRK_REFUSED, "the batch and the column family belong to different databases"); }
            return crk::convert(body(call, state));
        });
    });
}

crk_record_kind record(rocksdb::WriteType type) {
    switch (type) {
    case rocksdb::kMergeRecord: return CRK_RECORD_MERGE;
    case rocksdb::kDeleteRecord: return CRK_RECORD_DELETE;
    case rocksdb::kSingleDeleteRecord: return CRK_RECORD_SINGLE_DELETE;
    case rocksdb::kDeleteRangeRecord: return CRK_RECORD_DELETE_RANGE;
    case rocksdb::kLogDataRecord: return CRK_RECORD_LOG_DATA;
    default: return CRK_RECORD_PUT;
    }
}

}  // namespace

crk_status crk_indexed_batch_create(crk_db *db, bool overwrite, size_t reserved_bytes, size_t max_bytes, crk_indexed_batch **out) {
    return crk::guarded([&]() -> crk_status {
        *out = new crk_indexed_batch{std::make_shared<BatchState>(db, overwrite, reserved_bytes, max_bytes)};
        return {};
    });
}
void crk_indexed_batch_free(crk_indexed_batch *batch) { delete batch; }

crk_status crk_indexed_batch_add(crk_indexed_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key,
    crk_bytes value) {
    return in_family(batch, family, [&](auto &, BatchState &state) -> rocksdb::Status {
        if (operation == CRK_DELETE_RANGE) {
            return rocksdb::Status::NotSupported("an indexed batch cannot delete ranges; delete the keys, or use a plain batch");
        }
        const auto k = crk::slice(key), v = crk::slice(value);
        rocksdb::Status status = crk::refusal(family->traits, operation, k, v);
        if (!status.ok()) { return status; }
        ++state.version;
        return crk::add(state.object, family->handle, operation, k, v);
    });
}
crk_status crk_indexed_batch_put_log_data(crk_indexed_batch *batch, crk_bytes blob) {
    return with(batch, [&](BatchState &state) { return state.object.PutLogData(crk::slice(blob)); });
}
void crk_indexed_batch_set_save_point(crk_indexed_batch *batch) {
    std::lock_guard<std::mutex> alone(batch->state->lock);
    batch->state->object.SetSavePoint();
}
crk_status crk_indexed_batch_rollback_to_save_point(crk_indexed_batch *batch) {
    return with(batch, [](BatchState &state) {
        ++state.version;
        return state.object.RollbackToSavePoint();
    });
}
crk_status crk_indexed_batch_pop_save_point(crk_indexed_batch *batch) {
    return with(batch, [](BatchState &state) { return state.object.PopSavePoint(); });
}
void crk_indexed_batch_clear(crk_indexed_batch *batch) {
    std::lock_guard<std::mutex> alone(batch->state->lock);
    ++batch->state->version;
    batch->state->object.Clear();
}
uint32_t crk_indexed_batch_count(crk_indexed_batch *batch) {
    std::lock_guard<std::mutex> alone(batch->state->lock);
    return batch->state->object.GetWriteBatch()->Count();
}
crk_bytes crk_indexed_batch_data(crk_indexed_batch *batch) {
    std::lock_guard<std::mutex> alone(batch->state->lock);
    return crk::lend(batch->state->object.GetWriteBatch()->Data());
}
crk_status crk_indexed_batch_write(crk_indexed_batch *batch, const crk_write_options *options) {
    return crk::in_database(batch->state->db, [&] {
        return with(batch, [&](BatchState &state) {
            return crk::write_batch(state.db, *options, *state.object.GetWriteBatch(), false);
        });
    });
}

crk_status crk_indexed_batch_look_up(crk_indexed_batch *batch, crk_column_family *family, crk_bytes key, crk_found *outcome, void *context,
    crk_sink found) {
    return in_family(batch, family, [&](auto &, BatchState &state) -> rocksdb::Status {
        const auto wanted = crk::slice(key);
        std::unique_ptr<rocksdb::WBWIIterator> entry(state.object.NewIterator(family->handle));
        rocksdb::WriteEntry last;
        size_t merges = 0;
        for (entry->Seek(wanted); entry->Valid(); entry->Next()) {
            const auto here = entry->Entry();
            if (family->traits.comparator->Compare(here.key, wanted) != 0) { break; }
            merges = here.type == rocksdb::kMergeRecord ? merges + 1 : 0;
            if (merges == 0) { last = here; }
        }
        *outcome = CRK_NOT_IN_BATCH;
        if (last.type == rocksdb::kUnknownRecord && merges == 0) { return rocksdb::Status::OK(); }
        *outcome = CRK_MERGED;
        if (last.type == rocksdb::kUnknownRecord) { return rocksdb::Status::OK(); }
        if (merges == 0) {
            *outcome = last.type == rocksdb::kPutRecord ? CRK_FOUND : CRK_DELETED;
            if (*outcome == CRK_FOUND) { found(context, crk::lend(last.value)); }
            return rocksdb::Status::OK();
        }
        std::string merged;
        rocksdb::Status status = state.object.GetFromBatch(family->handle, state.db->db->GetDBOptions(), wanted, &merged);
        if (!status.ok()) { return status; }
        *outcome = CRK_FOUND;
        found(context, crk::lend(merged));
        return status;
    });
}

crk_status crk_indexed_batch_entries(crk_indexed_batch *batch, crk_column_family *family, bool reversed, bool has_from, crk_bytes from,
    void *context, crk_record_sink each) {
    return in_family(batch, family, [&](auto &, BatchState &state) {
        std::unique_ptr<rocksdb::WBWIIterator> entry(state.object.NewIterator(family->handle));
        if (has_from) {
            reversed ? entry->SeekForPrev(crk::slice(from)) : entry->Seek(crk::slice(from));
        } else {
            reversed ? entry->SeekToLast() : entry->SeekToFirst();
        }
        for (; entry->Valid(); reversed ? entry->Prev() : entry->Next()) {
            const auto here = entry->Entry();
            each(context, record(here.type), family->id, crk::lend(here.key), crk::lend(here.value));
        }
        return entry->status();
    });
}
crk_status crk_indexed_batch_operations(crk_indexed_batch *batch, void *context, crk_record_sink each) {
    return with(batch, [&](BatchState &state) {
        crk::RecordVisitor visitor(context, each);
        return state.object.GetWriteBatch()->Iterate(&visitor);
    });
}

crk_status crk_indexed_batch_get(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_value *value, crk_bytes *bytes) {
    return in_family<crk::LendingCall>(batch, family, [&](crk::LendingCall &call, BatchState &state) {
        return crk::lend_value(call, family, options, value, bytes, [&](const rocksdb::ReadOptions &read, rocksdb::PinnableSlice *found) {
            return state.object.GetFromBatchAndDB(state.db->db, read, family->handle, crk::slice(key), found);
        });
    });
}
crk_status crk_indexed_batch_multi_get(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options, size_t count,
    const crk_bytes *keys, bool sorted, crk_bytes *bytes, crk_values **out) {
    return in_family<crk::LendingCall>(batch, family, [&](crk::LendingCall &call, BatchState &state) {
        return crk::lend_values(call, family, options, count, keys, sorted, bytes, out,
            [&](const rocksdb::ReadOptions &read, const rocksdb::Slice *slices, rocksdb::PinnableSlice *values, rocksdb::Status *statuses) {
                state.object.MultiGetFromBatchAndDB(state.db->db, read, family->handle, count, slices, values, statuses, sorted);
            });
    });
}
crk_status crk_indexed_batch_key_may_exist(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options,
    crk_bytes key, bool *may_exist) {
    return in_family(batch, family, [&](auto &, BatchState &state) -> crk_status {
        *may_exist = crk::has_entry(state, family, crk::slice(key));
        if (*may_exist) { return {}; }
        return crk::reading(options, [&](const rocksdb::ReadOptions &read) {
            std::string value;
            *may_exist = state.db->db->KeyMayExist(read, family->handle, crk::slice(key), &value);
            return rocksdb::Status::OK();
        });
    });
}
crk_status crk_indexed_batch_cursor(crk_indexed_batch *batch, crk_column_family *family, const crk_read_options *options,
    const crk_range *range, crk_cursor **out) {
    return in_family(batch, family, [&](auto &, BatchState &state) -> crk_status {
        if (!state.overwrites) {
            return crk::make_status(CRK_NOT_SUPPORTED, "RocksDB iterates over a batch and a database together only if the batch overwrites");
        }
        return crk::make_cursor(family, options, range, batch->state, nullptr, out);
    });
}
