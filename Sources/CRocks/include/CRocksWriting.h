// Writing
#ifndef CROCKS_WRITING_H
#define CROCKS_WRITING_H

#include "CRocksDatabase.h"

CRK_BEGIN

typedef struct crk_write_options {
    bool sync, disable_wal, ignore_missing_column_families, no_slowdown, low_priority, memtable_insert_hint_per_batch;
    uint8_t rate_limiter_priority;     // rocksdb::Env::IOPriority
    uint8_t protection_bytes_per_key;  // 0 or 8
} crk_write_options;

typedef enum crk_operation { CRK_PUT, CRK_MERGE, CRK_DELETE, CRK_SINGLE_DELETE, CRK_DELETE_RANGE } crk_operation;

// `value` is the end of the range (exclusive) for CRK_DELETE_RANGE and ignored by the other deletions.
crk_status crk_write(crk_column_family *family, const crk_write_options *options, crk_operation operation, crk_bytes key,
    crk_bytes value);

typedef struct crk_batch crk_batch;
crk_batch *CRK_NULLABLE crk_batch_create(size_t reserved_bytes, size_t max_bytes);
crk_status crk_batch_from_data(crk_bytes data, crk_batch *CRK_NULLABLE *CRK_NULLABLE batch);
// Without a column family: for the default column family of whichever database the batch is written to.
crk_status crk_batch_add(crk_batch *batch, crk_column_family *CRK_NULLABLE family, crk_operation operation, crk_bytes key,
    crk_bytes value);
crk_status crk_batch_put_log_data(crk_batch *batch, crk_bytes blob);
void crk_batch_set_save_point(crk_batch *batch);
crk_status crk_batch_rollback_to_save_point(crk_batch *batch);
crk_status crk_batch_pop_save_point(crk_batch *batch);
void crk_batch_clear(crk_batch *batch);
uint32_t crk_batch_count(const crk_batch *batch);
crk_bytes crk_batch_data(const crk_batch *batch);  // lent until the batch changes
crk_status crk_batch_write(crk_db *db, const crk_write_options *options, crk_batch *batch);
void crk_batch_free(crk_batch *batch);

CRK_END

#endif
