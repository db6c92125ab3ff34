#include "Rival.hpp"

#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>
#include <rocksdb/utilities/write_batch_with_index.h>

#include <algorithm>

rocksdb::Status bench::open_for_transactions(const rocksdb::Options &options, const char *path, rival &made) {
    rocksdb::TransactionDB *opened = nullptr;
    rocksdb::Status status = rocksdb::TransactionDB::Open(options, {}, path, &opened);
    made.db.reset(opened);
    made.transactions = opened;
    return status;
}

bool rival_transactions(rival *rival, rival_rows rows, size_t size) {
    bench::Key key;
    std::string value = rival->value_template, found;
    for (size_t i = 0; i < rows.count;) {
        std::unique_ptr<rocksdb::Transaction> transaction(rival->transactions->BeginTransaction(rival->write));
        const size_t end = std::min(rows.count, i + size);
        for (; i < end; ++i) {
            const uint64_t row = rows.numbers[i];
            key.set(row);
            std::memcpy(value.data(), &row, sizeof row);
            rocksdb::Status status = transaction->GetForUpdate(rival->read, key.slice(), &found);
            if (!status.IsNotFound()) { return rival->check(status.ok() ? rocksdb::Status::Corruption("the row is there") : status); }
            status = transaction->Put(key.slice(), value);
            if (!status.ok()) { return rival->check(status); }
        }
        rocksdb::Status status = transaction->Commit();
        if (!status.ok()) { return rival->check(status); }
    }
    return true;
}

bool rival_indexed_batches(rival *rival, rival_rows rows, size_t size) {
    bench::Key key;
    std::string value = rival->value_template;
    rocksdb::PinnableSlice found;
    for (size_t i = 0; i < rows.count;) {
        rocksdb::WriteBatchWithIndex batch(rocksdb::BytewiseComparator(), 0, true);
        const size_t start = i, end = std::min(rows.count, i + size);
        for (; i < end; ++i) {
            const uint64_t row = rows.numbers[i];
            key.set(row);
            std::memcpy(value.data(), &row, sizeof row);
            rocksdb::Status status = batch.Put(key.slice(), value);
            if (!status.ok()) { return rival->check(status); }
        }
        uint64_t sum = 0;
        for (size_t j = start; j < end; ++j) {
            key.set(rows.numbers[j]);
            found.Reset();
            rocksdb::Status status = batch.GetFromBatchAndDB(rival->db.get(), rival->read, key.slice(), &found);
            if (!status.ok()) { return rival->check(status); }
            sum += bench::checksum(found);
        }
        if (sum == 0) { return rival->check(rocksdb::Status::Corruption("nothing was read")); }
        rocksdb::Status status = rival->db->Write(rival->write, batch.GetWriteBatch());
        if (!status.ok()) { return rival->check(status); }
    }
    return true;
}
