// Batches.
#pragma once

#include "Internal.hpp"

#include <rocksdb/write_batch.h>

struct crk_batch {
    rocksdb::WriteBatch object;
    uint64_t db_id = 0;    // of the database whose column families it names; 0: none yet
    bool foreign = false;  // made from data, so it may name column families that never existed
};

namespace crk {

// At the end of a write.
struct WriteScope {
    crk_db *db;
    ~WriteScope() { wrote(db); }
};

}  // namespace crk
