// Single writes and batches.
#include "Internal.hpp"

#include <rocksdb/write_batch.h>

struct crk_batch {
    rocksdb::WriteBatch object;
    uint64_t db_id = 0;  // of the database whose column families it names; 0: none yet
};

namespace crk {

rocksdb::WriteOptions write_options(const crk_write_options &options) {
    rocksdb::WriteOptions object;
    object.sync = options.sync;
    object.disableWAL = options.disable_wal;
    object.ignore_missing_column_families = options.ignore_missing_column_families;
    object.no_slowdown = options.no_slowdown;
    object.low_pri = options.low_priority;
    object.memtable_insert_hint_per_batch = options.memtable_insert_hint_per_batch;
    object.rate_limiter_priority = static_cast<rocksdb::Env::IOPriority>(options.rate_limiter_priority);
    object.protection_bytes_per_key = options.protection_bytes_per_key;
    return object;
}

}  // namespace crk

namespace {

// Sees every operation of a batch. Transaction markers keep RocksDB's default, which refuses them.
class OperationVisitor : public rocksdb::WriteBatch::Handler {
public:
    virtual rocksdb::Status key(uint32_t, const rocksdb::Slice &) { return rocksdb::Status::OK(); }

    rocksdb::Status PutCF(uint32_t family, const rocksdb::Slice &k, const rocksdb::Slice &) override { return key(family, k); }
    rocksdb::Status PutEntityCF(uint32_t family, const rocksdb::Slice &k, const rocksdb::Slice &) override { return key(family, k); }
    rocksdb::Status MergeCF(uint32_t family, const rocksdb::Slice &k, const rocksdb::Slice &) override { return key(family, k); }
    rocksdb::Status DeleteCF(uint32_t family, const rocksdb::Slice &k) override { return key(family, k); }
    rocksdb::Status SingleDeleteCF(uint32_t family, const rocksdb::Slice &k) override { return key(family, k); }
    rocksdb::Status DeleteRangeCF(uint32_t family, const rocksdb::Slice &from, const rocksdb::Slice &to) override {
        rocksdb::Status status = key(family, from);
        return status.ok() ? key(family, to) : status;
    }
    void LogData(const rocksdb::Slice &) override {}
};

class KeySizeVisitor final : public OperationVisitor {
public:
    explicit KeySizeVisitor(crk_db *db) {
        std::lock_guard<std::mutex> lock(db->registry);
        for (const auto *family : db->families) {
            if (family->minimum_key_size > 0) { minimum_[family->id] = family->minimum_key_size; }
        }
    }
    rocksdb::Status key(uint32_t family, const rocksdb::Slice &key) override {
        auto entry = minimum_.find(family);
        if (entry == minimum_.end() || key.size() >= entry->second) { return rocksdb::Status::OK(); }
        too_short = entry->second;
        return rocksdb::Status::InvalidArgument();
    }
    size_t too_short = 0;

private:
    std::map<uint32_t, size_t> minimum_;
};

rocksdb::Status add(rocksdb::WriteBatch &batch, rocksdb::ColumnFamilyHandle *family, crk_operation operation, const rocksdb::Slice &key,
    const rocksdb::Slice &value) {
    switch (operation) {
    case CRK_PUT: return batch.Put(family, key, value);
    case CRK_MERGE: return batch.Merge(family, key, value);
    case CRK_DELETE: return batch.Delete(family, key);
    case CRK_SINGLE_DELETE: return batch.SingleDelete(family, key);
    case CRK_DELETE_RANGE: return batch.DeleteRange(family, key, value);
    }
    return rocksdb::Status::NotSupported();
}

}  // namespace

crk_status crk_write(crk_column_family *family, const crk_write_options *options, crk_operation operation, crk_bytes key,
    crk_bytes value) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        if (!crk::key_fits(family, key.size) || (operation == CRK_DELETE_RANGE && !crk::key_fits(family, value.size))) {
            return crk::short_key_status(family->minimum_key_size);
        }
        rocksdb::DB *db = family->db->db;
        const auto write = crk::write_options(*options);
        const auto k = crk::slice(key), v = crk::slice(value);
        switch (operation) {
        case CRK_PUT: return crk::convert(db->Put(write, family->handle, k, v));
        case CRK_MERGE: return crk::convert(db->Merge(write, family->handle, k, v));
        case CRK_DELETE: return crk::convert(db->Delete(write, family->handle, k));
        case CRK_SINGLE_DELETE: return crk::convert(db->SingleDelete(write, family->handle, k));
        case CRK_DELETE_RANGE: return crk::convert(db->DeleteRange(write, family->handle, k, v));
        }
        return crk::convert(rocksdb::Status::NotSupported());
    });
}

crk_batch *crk_batch_create(size_t reserved_bytes, size_t max_bytes) {
    try {
        return new crk_batch{rocksdb::WriteBatch(reserved_bytes, max_bytes)};
    } catch (...) {
        return nullptr;
    }
}
crk_status crk_batch_from_data(crk_bytes data, crk_batch **out) {
    return crk::guarded([&] {
        auto batch = std::make_unique<crk_batch>();
        batch->object = rocksdb::WriteBatch(crk::slice(data).ToString());
        OperationVisitor visitor;
        rocksdb::Status status = batch->object.Iterate(&visitor);
        if (status.ok()) { *out = batch.release(); }
        return status;
    });
}

crk_status crk_batch_add(crk_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key, crk_bytes value) {
    const auto k = crk::slice(key), v = crk::slice(value);
    if (family == nullptr) {
        return crk::guarded([&] { return add(batch->object, nullptr, operation, k, v); });
    }
    if (family->is_plain_default && batch->db_id == family->db->id && !family->db->gate.is_closed()) {
        // RocksDB needs the handle of any other column family; the default one is known without, so nothing has to be kept open.
        return crk::guarded([&] { return add(batch->object, nullptr, operation, k, v); });
    }
    return crk::in_family(family, [&](auto &) -> crk_status {
        if (batch->db_id == 0) { batch->db_id = family->db->id; }
        if (batch->db_id != family->db->id) {
            return crk::make_status(CRK_REFUSED, "the batch already names a column family of another database");
        }
        return crk::convert(add(batch->object, family->handle, operation, k, v));
    });
}
crk_status crk_batch_put_log_data(crk_batch *batch, crk_bytes blob) {
    return crk::guarded([&] { return batch->object.PutLogData(crk::slice(blob)); });
}
void crk_batch_set_save_point(crk_batch *batch) { batch->object.SetSavePoint(); }
crk_status crk_batch_rollback_to_save_point(crk_batch *batch) {
    return crk::guarded([&] { return batch->object.RollbackToSavePoint(); });
}
crk_status crk_batch_pop_save_point(crk_batch *batch) {
    return crk::guarded([&] { return batch->object.PopSavePoint(); });
}
void crk_batch_clear(crk_batch *batch) {
    batch->object.Clear();
    batch->db_id = 0;
}
uint32_t crk_batch_count(const crk_batch *batch) { return batch->object.Count(); }
crk_bytes crk_batch_data(const crk_batch *batch) { return crk::lend(batch->object.Data()); }

crk_status crk_batch_write(crk_db *db, const crk_write_options *options, crk_batch *batch) {
    return crk::in_database(db, [&]() -> crk_status {
        if (batch->db_id != 0 && batch->db_id != db->id) {
            return crk::make_status(CRK_REFUSED, "the batch names column families of another database");
        }
        if (db->has_minimum_key_size) {
            KeySizeVisitor visitor(db);
            rocksdb::Status status = batch->object.Iterate(&visitor);
            if (visitor.too_short > 0) { return crk::short_key_status(visitor.too_short); }
            if (!status.ok()) { return crk::to_status(status); }
        }
        return crk::convert(db->db->Write(crk::write_options(*options), &batch->object));
    });
}
void crk_batch_free(crk_batch *batch) { delete batch; }
