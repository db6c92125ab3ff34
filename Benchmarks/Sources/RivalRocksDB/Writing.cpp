#include "Rival.hpp"

#include <rocksdb/write_batch.h>

#include <algorithm>

bool rival_put(rival *rival, rival_rows rows) {
    bench::Key key;
    std::string value = rival->value_template;
    for (size_t i = 0; i < rows.count; ++i) {
        const uint64_t row = rows.numbers[i];
        key.set(row);
        std::memcpy(value.data(), &row, sizeof row);
        rocksdb::Status status = rival->db->Put(rival->write, key.slice(), value);
        if (!status.ok()) { return rival->check(status); }
    }
    return true;
}

bool rival_put_batches(rival *rival, rival_rows rows, size_t batch_size) {
    bench::Key key;
    std::string value = rival->value_template;
    rocksdb::WriteBatch batch;
    for (size_t i = 0; i < rows.count;) {
        batch.Clear();
        const size_t end = std::min(rows.count, i + batch_size);
        for (; i < end; ++i) {
            const uint64_t row = rows.numbers[i];
            key.set(row);
            std::memcpy(value.data(), &row, sizeof row);
            rocksdb::Status status = batch.Put(key.slice(), value);
            if (!status.ok()) { return rival->check(status); }
        }
        rocksdb::Status status = rival->db->Write(rival->write, &batch);
        if (!status.ok()) { return rival->check(status); }
    }
    return true;
}
