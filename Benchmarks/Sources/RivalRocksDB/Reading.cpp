#include "Rival.hpp"

#include <algorithm>
#include <vector>

bool rival_get(rival *rival, rival_rows rows, uint64_t *checksum) {
    bench::Key key;
    rocksdb::PinnableSlice value;
    rocksdb::ColumnFamilyHandle *family = rival->db->DefaultColumnFamily();
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.count; ++i) {
        key.set(rows.numbers[i]);
        rocksdb::Status status = rival->db->Get(rival->read, family, key.slice(), &value);
        if (!status.ok()) { return rival->check(status); }
        sum += bench::checksum(value);
        value.Reset();
    }
    *checksum = sum;
    return true;
}

bool rival_get_owned(rival *rival, rival_rows rows, uint64_t *checksum) {
    bench::Key key;
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.count; ++i) {
        key.set(rows.numbers[i]);
        std::string value;
        rocksdb::Status status = rival->db->Get(rival->read, key.slice(), &value);
        if (!status.ok()) { return rival->check(status); }
        sum += bench::checksum(value);
    }
    *checksum = sum;
    return true;
}

bool rival_get_missing(rival *rival, rival_rows rows, uint64_t *checksum) {
    bench::Key key;
    rocksdb::PinnableSlice value;
    rocksdb::ColumnFamilyHandle *family = rival->db->DefaultColumnFamily();
    uint64_t missing = 0;
    for (size_t i = 0; i < rows.count; ++i) {
        key.set(rows.numbers[i], bench::kMissing);
        rocksdb::Status status = rival->db->Get(rival->read, family, key.slice(), &value);
        if (status.IsNotFound()) {
            ++missing;
        } else if (!status.ok()) {
            return rival->check(status);
        }
        value.Reset();
    }
    *checksum = missing;
    return true;
}

bool rival_multi_get(rival *rival, rival_rows rows, size_t batch_size, uint64_t *checksum) {
    std::vector<bench::Key> keys(batch_size);
    std::vector<rocksdb::Slice> slices;
    for (const auto &key : keys) { slices.push_back(key.slice()); }
    std::vector<rocksdb::PinnableSlice> values(batch_size);
    std::vector<rocksdb::Status> statuses(batch_size);
    rocksdb::ColumnFamilyHandle *family = rival->db->DefaultColumnFamily();
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.count;) {
        const size_t count = std::min(batch_size, rows.count - i);
        for (size_t k = 0; k < count; ++k) { keys[k].set(rows.numbers[i + k]); }
        rival->db->MultiGet(rival->read, family, count, slices.data(), values.data(), statuses.data());
        for (size_t k = 0; k < count; ++k) {
            if (!statuses[k].ok()) { return rival->check(statuses[k]); }
            sum += bench::checksum(values[k]);
            values[k].Reset();
        }
        i += count;
    }
    *checksum = sum;
    return true;
}

bool rival_scan(rival *rival, uint64_t *checksum) {
    std::unique_ptr<rocksdb::Iterator> iterator(rival->db->NewIterator(rival->read));
    uint64_t sum = 0;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
        sum += bench::load(iterator->key().data() + 8) + bench::checksum(iterator->value());
    }
    *checksum = sum;
    return rival->check(iterator->status());
}

bool rival_scan_prefixes(rival *rival, rival_rows prefixes, uint64_t *checksum) {
    uint64_t sum = 0;
    char prefix[8], end[8];
    for (size_t i = 0; i < prefixes.count; ++i) {
        bench::store_big_endian(prefix, prefixes.numbers[i]);
        bench::store_big_endian(end, uint64_t(prefixes.numbers[i]) + 1);
        const rocksdb::Slice lower(prefix, sizeof prefix), upper(end, sizeof end);
        rocksdb::ReadOptions read = rival->read;
        read.iterate_lower_bound = &lower;
        read.iterate_upper_bound = &upper;
        std::unique_ptr<rocksdb::Iterator> iterator(rival->db->NewIterator(read));
        for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
            sum += bench::load(iterator->key().data() + 8) + bench::checksum(iterator->value());
        }
        if (!iterator->status().ok()) { return rival->check(iterator->status()); }
    }
    *checksum = sum;
    return true;
}
