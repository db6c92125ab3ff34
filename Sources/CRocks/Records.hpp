// The records of a batch, one by one.
#pragma once

#include "Internal.hpp"

namespace crk {

// What readers of the log add to it (see LogTail.cpp). RocksDB may join it with what others write at the same moment; readers leave it out.
inline const rocksdb::Slice kMark("\0cairn.mark", 11);

// Whether `data` is a batch of operations that this shim knows; RocksDB's own reading ends the process over marks of transactions. As it is in
// the log (`logged`), it may have places for such marks; the marks themselves are NotSupported there.
rocksdb::Status check_records(rocksdb::Slice data, bool logged);

class RecordVisitor final : public rocksdb::WriteBatch::Handler {
public:
    RecordVisitor(void *context, crk_record_sink each) : context_(context), each_(each) {}
    using Slice = rocksdb::Slice;
    using Status = rocksdb::Status;

    Status PutCF(uint32_t family, const Slice &k, const Slice &v) override { return record(CRK_RECORD_PUT, family, k, v); }
    Status MergeCF(uint32_t family, const Slice &k, const Slice &v) override { return record(CRK_RECORD_MERGE, family, k, v); }
    Status DeleteCF(uint32_t family, const Slice &k) override { return record(CRK_RECORD_DELETE, family, k, {}); }
    Status SingleDeleteCF(uint32_t family, const Slice &k) override { return record(CRK_RECORD_SINGLE_DELETE, family, k, {}); }
    Status DeleteRangeCF(uint32_t family, const Slice &from, const Slice &to) override {
        return record(CRK_RECORD_DELETE_RANGE, family, from, to);
    }
    Status PutEntityCF(uint32_t family, const Slice &k, const Slice &v) override { return record(CRK_RECORD_PUT_ENTITY, family, k, v); }
    Status PutBlobIndexCF(uint32_t family, const Slice &k, const Slice &v) override { return record(CRK_RECORD_BLOB_INDEX, family, k, v); }
    void LogData(const Slice &data) override {
        if (data != kMark) { record(CRK_RECORD_LOG_DATA, 0, {}, data); }
    }
    Status MarkBeginPrepare(bool) override { return record(CRK_RECORD_BEGIN_PREPARE, 0, {}, {}); }
    Status MarkEndPrepare(const Slice &name) override { return record(CRK_RECORD_END_PREPARE, 0, name, {}); }
    Status MarkCommit(const Slice &name) override { return record(CRK_RECORD_COMMIT, 0, name, {}); }
    Status MarkCommitWithTimestamp(const Slice &name, const Slice &) override { return record(CRK_RECORD_COMMIT, 0, name, {}); }
    Status MarkRollback(const Slice &name) override { return record(CRK_RECORD_ROLLBACK, 0, name, {}); }
    Status MarkNoop(bool) override { return Status::OK(); }

private:
    Status record(crk_record_kind kind, uint32_t family, const Slice &key, const Slice &value) {
        each_(context_, kind, family, crk::lend(key), crk::lend(value));
        return Status::OK();
    }
    void *context_;
    crk_record_sink each_;
};

}  // namespace crk
