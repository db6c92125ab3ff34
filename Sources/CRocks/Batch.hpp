// A batch, and what decides whether it may be written.
#pragma once

#include "Internal.hpp"

#include <rocksdb/write_batch.h>

struct crk_batch {
    rocksdb::WriteBatch object;
    uint64_t db_id = 0;       // of the database whose column families it names; 0: none yet
    bool foreign = false;     // made from data, so it may name column families that never existed
    bool unaddressed = false; // has operations for whichever default column family
};

namespace crk {

// The first and the last time in what is written to a column family, by its number.
using Times = std::map<uint32_t, std::pair<uint64_t, uint64_t>>;

inline rocksdb::Status last_time_status() {
    return rocksdb::Status::InvalidArgument("nothing could be written after the time UInt64.max, which `latest` has; use `at(_:)` with an earlier time");
}

// Runs `write` if all of `times` come at or after what was written before. RocksDB ends the process in a later compaction where the versions
// of a key are not in the order of their writing.
template <class Write> rocksdb::Status write_history(crk_db *db, const Times &times, Write &&write) {
    for (const auto &[family, span] : times) {
        if (span.second == UINT64_MAX) { return last_time_status(); }
    }
    {
        std::shared_lock<std::shared_mutex> hold(db->history_turn);
        bool at_newest = true;
        for (const auto &[family, span] : times) {
            auto newest = db->newest.find(family);
            at_newest = at_newest && newest != db->newest.end() && span.first == newest->second && span.second == newest->second;
        }
        if (at_newest) { return write(); }
    }
    std::lock_guard<std::shared_mutex> hold(db->history_turn);
    for (const auto &[family, span] : times) {
        const uint64_t newest = db->newest[family];
        if (span.first < newest) {
            return rocksdb::Status::InvalidArgument("times must not decrease: the latest write to the column family is at " + std::to_string(newest) +
                ", this write is at " + std::to_string(span.first));
        }
    }
    const auto before = db->newest;
    for (const auto &[family, span] : times) { db->newest[family] = span.second; }
    rocksdb::Status status = write();
    if (status.IsIncomplete()) { db->newest = before; }  // refused for want of time
    return status;
}

// Whether a column family with a history can take an operation.
rocksdb::Status history_refusal(crk_operation operation);
// The same for entities.
rocksdb::Status entity_refusal(const FamilyTraits &family);
// Whether `data` is one entity, as RocksDB writes them: what it finds wrong later, it finds when it is too late. Points `columns`, if given, at
// what it holds.
bool read_entity(rocksdb::Slice data, std::vector<crk_column> *columns = nullptr);
bool skip_number(rocksdb::Slice &data, uint32_t &number);
bool skip_bytes(rocksdb::Slice &data, rocksdb::Slice *bytes = nullptr);

// Makes sure that the batch belongs to the column family's database.
crk_status claim(crk_batch *batch, const crk_column_family *family);

}  // namespace crk
