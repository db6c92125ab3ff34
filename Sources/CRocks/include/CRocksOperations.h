// Operations
#ifndef CROCKS_OPERATIONS_H
#define CROCKS_OPERATIONS_H

#include "CRocksCursors.h"
#include "CRocksWriting.h"

CRK_BEGIN

typedef struct crk_compact_options {
    bool exclusive, change_level, allow_write_stall;
    uint8_t bottommost_level;  // rocksdb::BottommostLevelCompaction
    int32_t target_level;      // -1: the lowest that can hold it
    uint32_t max_subcompactions;
} crk_compact_options;

// A flag that another thread may set to cancel the call that it was passed to.
typedef struct crk_cancellation crk_cancellation;
crk_cancellation *CRK_NULLABLE crk_cancellation_create(void);
void crk_cancellation_cancel(crk_cancellation *cancellation);
void crk_cancellation_free(crk_cancellation *cancellation);

// Only the bounds of `range` are used, not its prefix.
crk_status crk_compact(crk_column_family *family, const crk_compact_options *options, const crk_range *range,
    crk_cancellation *CRK_NULLABLE cancellation);
crk_status crk_approximate_size(crk_column_family *family, crk_bytes from, crk_bytes to, bool include_memtables, uint64_t *size);
crk_status crk_flush_log(crk_db *db, bool sync);
crk_status crk_checkpoint(crk_db *db, const char *path, uint64_t log_size_for_flush, uint64_t *sequence_number);
// The database must be closed.
crk_status crk_destroy(const char *path, const crk_db_options *options, size_t count,
    const char *CRK_NULLABLE const *CRK_NULLABLE names);
crk_status crk_repair(const char *path, const crk_db_options *options, size_t count, const char *CRK_NULLABLE const *CRK_NULLABLE names,
    crk_cf_options *CRK_NULLABLE const *CRK_NULLABLE family_options, const crk_cf_options *unknown_family_options);

CRK_END

#endif
