#pragma once

#include "RivalRocksDB.h"

#include <rocksdb/db.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstring>
#include <memory>
#include <string>

struct rival {
    std::unique_ptr<rocksdb::DB> db;
    rocksdb::TransactionDB *transactions = nullptr;  // `db` again, if it was opened for them
    rocksdb::ReadOptions read;
    rocksdb::WriteOptions write;
    std::string value_template;
    std::string error;

    bool check(const rocksdb::Status &status) {
        if (status.ok()) { return true; }
        error = status.ToString();
        return false;
    }
};

namespace bench {

constexpr uint64_t kRowsPerPrefix = 1000;
// Added to a suffix: a key that is not there, among keys that are.
constexpr uint64_t kMissing = uint64_t(1) << 32;

inline void store_big_endian(char *to, uint64_t number) {
    number = __builtin_bswap64(number);
    std::memcpy(to, &number, sizeof number);
}

struct Key {
    char bytes[16];
    void set(uint64_t row, uint64_t offset = 0) {
        store_big_endian(bytes, row / kRowsPerPrefix);
        store_big_endian(bytes + 8, row % kRowsPerPrefix + offset);
    }
    rocksdb::Slice slice() const { return {bytes, sizeof bytes}; }
};

inline uint64_t load(const char *from) {
    uint64_t number;
    std::memcpy(&number, from, sizeof number);
    return number;
}
template <class Bytes> uint64_t checksum(const Bytes &value) { return load(value.data()) + value.size(); }

// Opens `made.db` for transactions.
rocksdb::Status open_for_transactions(const rocksdb::Options &options, const char *path, rival &made);

void extend(rocksdb::ColumnFamilyOptions &options, rival_extension extension);

}  // namespace bench
