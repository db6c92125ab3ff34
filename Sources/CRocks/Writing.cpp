// Single writes and batches.
#include "Records.hpp"
#include "Writing.hpp"

namespace crk {

rocksdb::WriteOptions write_options(const crk_write_options &options) {
    rocksdb::WriteOptions object;
    object.sync = options.sync;
    object.disableWAL = options.disable_wal;
    // A write that meets a drop counts as made before it: its data are gone with the column family. As an error it would stop the database
    // (see `refusal`). Column families dropped earlier are refused here unless the caller ignores them.
    object.ignore_missing_column_families = true;
    object.no_slowdown = options.no_slowdown;
    object.low_pri = options.low_priority;
    object.memtable_insert_hint_per_batch = options.memtable_insert_hint_per_batch;
    object.rate_limiter_priority = static_cast<rocksdb::Env::IOPriority>(options.rate_limiter_priority);
    object.protection_bytes_per_key = options.protection_bytes_per_key;
    return object;
}

rocksdb::Status wrong_number(const rocksdb::Slice &operand) {
    return rocksdb::Status::InvalidArgument("the column family adds numbers of 8 bytes; the operand has " + std::to_string(operand.size()));
}

// RocksDB logs a batch before it finds that a column family cannot take one of its operations. It then stops all writes, and as the log
// cannot be replayed either, the database never opens again. So such operations are refused before they get there.
// `end` is the operand of a merge.
rocksdb::Status refusal(const crk::FamilyTraits &family, crk_operation operation, const rocksdb::Slice &key, const rocksdb::Slice &end) {
    if (operation == CRK_MERGE) {
        if (!family.merges) {
            return rocksdb::Status::NotSupported("the column family has no merge operator; "
                "give it in the options of the column family, in `tables:` or `columnFamilies:`, when opening the database");
        }
        if (family.adds_numbers && end.size() != 8) {
            return wrong_number(end);
        }
    }
    if (operation == CRK_DELETE_RANGE) {
        if (!family.deletes_ranges) { return rocksdb::Status::NotSupported("neither the column family's file format nor a row cache supports range deletions"); }
        if (family.comparator->Compare(key, end) > 0) { return rocksdb::Status::InvalidArgument("the end of the range comes before its start"); }
    }
    return rocksdb::Status::OK();
}

crk_status claim(crk_batch *batch, const crk_column_family *family) {
    if (batch->db_id == 0) { batch->db_id = family->db->id; }
    if (batch->db_id == family->db->id) { return {}; }
    return make_status(CRK_REFUSED, "the batch already names a column family of another database");
}

// The format: db/write_batch.cc and db/dbformat.h.
rocksdb::Status check_records(rocksdb::Slice data, bool logged) {
    constexpr size_t kHeader = 12;  // sequence number and count
    if (data.size() < kHeader) { return rocksdb::Status::Corruption("a batch has at least 12 bytes"); }
    data.remove_prefix(kHeader);
    while (!data.empty()) {
        const int tag = static_cast<unsigned char>(data[0]);
        data.remove_prefix(1);
        bool names_family = false;
        int strings = 2;
        switch (tag) {
        case 0x5: case 0x6: case 0xE: case 0x17: names_family = true; break;   // put, merge, deleteRange, entity in a column family
        case 0x1: case 0x2: case 0xF: case 0x16: break;                        // the same in the default one
        case 0x4: case 0x8: names_family = true; strings = 1; break;           // delete, singleDelete in a column family
        case 0x0: case 0x3: case 0x7: strings = 1; break;                      // delete, log data, singleDelete
        case 0xD:                                                              // nothing, where a transaction could have been prepared
            if (logged) { continue; }
            return rocksdb::Status::Corruption("a batch cannot hold a record of type 13");
        case 0x9: case 0xA: case 0xB: case 0xC: case 0x12: case 0x13: case 0x15:  // marks of transactions with two phases
            if (logged) { return rocksdb::Status::NotSupported("the log holds two-phase transactions"); }
            [[fallthrough]];
        default: return rocksdb::Status::Corruption("a batch cannot hold a record of type " + std::to_string(tag));
        }
        uint32_t family;
        bool whole = !names_family || skip_number(data, family);
        rocksdb::Slice last;
        for (int i = 0; i < strings; ++i) { whole = whole && skip_bytes(data, &last); }
        if (!whole) { return rocksdb::Status::Corruption("the last record of the batch is truncated"); }
        if ((tag == 0x16 || tag == 0x17) && !crk::read_entity(last)) {
            return rocksdb::Status::Corruption("the columns of an entity in the batch are damaged");
        }
    }
    return rocksdb::Status::OK();
}

}  // namespace crk

namespace {

// Sees every operation of a batch.
class OperationVisitor : public rocksdb::WriteBatch::Handler {
public:
    virtual rocksdb::Status operation(uint32_t, crk_operation, const rocksdb::Slice &, const rocksdb::Slice &) { return rocksdb::Status::OK(); }
    virtual rocksdb::Status entity(uint32_t) { return rocksdb::Status::OK(); }

    rocksdb::Status PutEntityCF(uint32_t family, const rocksdb::Slice &, const rocksdb::Slice &) override { return entity(family); }
    rocksdb::Status PutCF(uint32_t family, const rocksdb::Slice &k, const rocksdb::Slice &v) override { return operation(family, CRK_PUT, k, v); }
    rocksdb::Status MergeCF(uint32_t family, const rocksdb::Slice &k, const rocksdb::Slice &v) override {
        return operation(family, CRK_MERGE, k, v);
    }
    rocksdb::Status DeleteCF(uint32_t family, const rocksdb::Slice &k) override { return operation(family, CRK_DELETE, k, {}); }
    rocksdb::Status SingleDeleteCF(uint32_t family, const rocksdb::Slice &k) override { return operation(family, CRK_SINGLE_DELETE, k, {}); }
    rocksdb::Status DeleteRangeCF(uint32_t family, const rocksdb::Slice &from, const rocksdb::Slice &to) override {
        return operation(family, CRK_DELETE_RANGE, from, to);
    }
    void LogData(const rocksdb::Slice &) override {}
};

class RefusalVisitor final : public OperationVisitor {
public:
    RefusalVisitor(crk_db *db, bool unaddressed, bool ignores_missing) : unaddressed_(unaddressed), ignores_missing_(ignores_missing) {
        std::lock_guard<std::mutex> lock(db->registry);
        known_ = db->known;
    }
    rocksdb::Status operation(uint32_t family, crk_operation operation, const rocksdb::Slice &key, const rocksdb::Slice &end) override {
        auto entry = known_->find(family);
        if (entry == known_->end()) { return missing(family); }
        if (entry->second.has_history) { return history(family, operation, key); }
        return crk::refusal(entry->second, operation, key, end);
    }
    rocksdb::Status entity(uint32_t family) override {
        auto entry = known_->find(family);
        return entry == known_->end() ? missing(family) : crk::entity_refusal(entry->second);
    }
    const crk::Times &times() const { return times_; }

private:
    rocksdb::Status missing(uint32_t family) const {
        if (ignores_missing_) { return rocksdb::Status::OK(); }
        return rocksdb::Status::InvalidArgument("the batch names column family number " + std::to_string(family) + ", which does not exist");
    }
    // The key ends in a time, unless it was added without.
    rocksdb::Status history(uint32_t family, crk_operation operation, const rocksdb::Slice &key) {
        rocksdb::Status status = crk::history_refusal(operation);
        if (!status.ok()) { return status; }
        if ((unaddressed_ && family == 0) || key.size() < sizeof(uint64_t)) {
            return rocksdb::Status::InvalidArgument("the column family keeps its history, and the batch has an operation for it without a time");
        }
        const uint64_t time = crk::decode_time(key.data() + key.size() - sizeof(uint64_t));
        auto &span = times_.try_emplace(family, time, time).first->second;
        if (time < span.second) { return rocksdb::Status::InvalidArgument("times must not decrease, even within a batch"); }
        span.second = time;
        return rocksdb::Status::OK();
    }

    std::shared_ptr<const crk::KnownFamilies> known_;
    bool unaddressed_;  // operations were added without a column family: they have no times
    bool ignores_missing_;
    crk::Times times_;
};

bool locks_keys(const crk_db *db) { return db->pessimistic != nullptr || db->optimistic != nullptr; }
rocksdb::Status no_range_deletion() {
    return rocksdb::Status::NotSupported("a database opened for transactions cannot delete ranges; delete the keys");
}

}  // namespace

crk_status crk::write_batch(crk_db *db, const crk_write_options &options, rocksdb::WriteBatch &batch, bool look, bool unaddressed) {
    WriteScope scope{db};
    if (options.disable_wal) { db->has_unlogged = true; }
    Times times;
    // Puts and deletes in column families that exist, the common case, need no look.
    if (look || db->checks_all_batches || batch.HasMerge() || batch.HasDeleteRange() || batch.HasPutEntity()) {
        RefusalVisitor visitor(db, unaddressed, options.ignore_missing_column_families);
        rocksdb::Status status = batch.Iterate(&visitor);
        if (!status.ok()) { return to_status(status); }
        times = visitor.times();
    }
    if (locks_keys(db) && batch.HasDeleteRange()) { return to_status(no_range_deletion()); }
    auto write = write_options(options);
    if (!times.empty()) {
        return convert(write_history(db, times, [&] { return db->db->Write(write, &batch); }));
    }
    if (db->pessimistic == nullptr) { return convert(db->db->Write(write, &batch)); }
    if (batch.HasSingleDelete()) {
        // RocksDB takes no locks for them.
        return make_status(CRK_NOT_SUPPORTED,
            "a batch for a database opened for transactions cannot hold a singleDelete; use a transaction, or write it alone");
    }
    // RocksDB asserts that the batch is protected, for which it has not cared here.
    write.protection_bytes_per_key = 0;
    std::shared_lock<std::shared_mutex> no_drops(db->batches_and_drops);
    return convert(db->db->Write(write, &batch));
}

crk_status crk_write(crk_column_family *family, const crk_write_options *options, crk_operation operation, crk_bytes key,
    crk_bytes value) {
    return crk::in_family(family, [&](auto &) -> crk_status {
        rocksdb::DB *db = family->db->db;
        crk::WriteScope scope{family->db};
        if (options->disable_wal) { family->db->has_unlogged = true; }
        const auto write = crk::write_options(*options);
        const auto k = crk::slice(key), v = crk::slice(value);
        if (operation == CRK_MERGE || operation == CRK_DELETE_RANGE) {
            rocksdb::Status status = crk::refusal(family->traits, operation, k, v);
            if (!status.ok()) { return crk::convert(status); }
        }
        if (operation == CRK_DELETE_RANGE && locks_keys(family->db)) { return crk::convert(no_range_deletion()); }
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
        rocksdb::Status status = crk::check_records(crk::slice(data), false);
        if (!status.ok()) { return status; }
        auto batch = std::make_unique<crk_batch>();
        batch->foreign = true;
        batch->object = rocksdb::WriteBatch(crk::slice(data).ToString());
        OperationVisitor visitor;
        status = batch->object.Iterate(&visitor);  // compares the count
        if (status.ok()) { *out = batch.release(); }
        return status;
    });
}

crk_status crk_log_records(crk_bytes data, void *context, crk_record_sink each) {
    return crk::guarded([&] {
        rocksdb::Status status = crk::check_records(crk::slice(data), true);
        if (!status.ok()) { return status; }
        crk::RecordVisitor visitor(context, each);
        return rocksdb::WriteBatch(crk::slice(data).ToString()).Iterate(&visitor);
    });
}

crk_status crk_batch_add(crk_batch *batch, crk_column_family *family, crk_operation operation, crk_bytes key, crk_bytes value) {
    const auto k = crk::slice(key), v = crk::slice(value);
    if (family == nullptr) {
        batch->unaddressed = true;
        return crk::guarded([&] { return crk::add(batch->object, nullptr, operation, k, v); });
    }
    if (family->is_plain_default && batch->db_id == family->db->id && !family->db->gate.is_closed()) {
        // RocksDB needs the handle of any other column family; the default one is known without, so nothing has to be kept open.
        return crk::guarded([&] { return crk::add(batch->object, nullptr, operation, k, v); });
    }
    return crk::in_family(family, [&](auto &) -> crk_status {
        crk_status claimed = crk::claim(batch, family);
        if (claimed.code != CRK_OK) { return claimed; }
        rocksdb::Status status = crk::refusal(family->traits, operation, k, v);
        return crk::convert(status.ok() ? crk::add(batch->object, family->handle, operation, k, v) : status);
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
    batch->foreign = batch->unaddressed = false;
}
uint32_t crk_batch_count(const crk_batch *batch) { return batch->object.Count(); }
crk_bytes crk_batch_data(const crk_batch *batch) { return crk::lend(batch->object.Data()); }

crk_status crk_batch_write(crk_db *db, const crk_write_options *options, crk_batch *batch) {
    return crk::in_database(db, [&]() -> crk_status {
        if (batch->db_id != 0 && batch->db_id != db->id) {
            return crk::make_status(CRK_REFUSED, "the batch names column families of another database");
        }
        return crk::write_batch(db, *options, batch->object, batch->foreign, batch->unaddressed);
    });
}
void crk_batch_free(crk_batch *batch) { delete batch; }
