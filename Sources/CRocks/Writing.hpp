// Batches.
#pragma once

#include "Batch.hpp"

namespace crk {

// At the end of a write.
struct WriteScope {
    crk_db *db;
    ~WriteScope() { wrote(db); }
};

}  // namespace crk
