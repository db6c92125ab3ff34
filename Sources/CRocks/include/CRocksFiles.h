// The files of a database and operations on them; background work; log files.
#ifndef CROCKS_FILES_H
#define CROCKS_FILES_H

#include "CRocksOperations.h"

CRK_BEGIN

// Lent until the callback returns, as in all callbacks below.
typedef struct crk_storage_file {
    crk_bytes name, directory, checksum, checksum_function;
    crk_bytes replacement;  // if not empty, what a copy must contain instead of the contents on disk
    uint8_t kind;           // rocksdb::FileType
    bool trim;              // a copy ends at `size`
    uint64_t size;
} crk_storage_file;
crk_status crk_storage_files(crk_db *db, uint64_t log_size_for_flush, bool checksums, void *context,
    void (*each)(void *context, const crk_storage_file *file));

typedef struct crk_log_file {
    crk_bytes path;
    uint64_t number, start_sequence_number, size;
    bool archived;
} crk_log_file;
crk_status crk_log_files(crk_db *db, bool only_current, void *context, void (*each)(void *context, const crk_log_file *file));

crk_status crk_disable_file_deletions(crk_db *db);
crk_status crk_enable_file_deletions(crk_db *db);
// While paused, calls on the pausing thread that would wait for background work are refused. Each `crk_pause` needs one `crk_continue`, on the
// same thread.
crk_status crk_pause(crk_db *db);
crk_status crk_continue(crk_db *db);
crk_status crk_enable_auto_compaction(size_t count, crk_column_family *CRK_NULLABLE const *CRK_NULLABLE families);
crk_status crk_set_manual_compaction(crk_db *db, bool enabled);

// Only the bounds of the ranges are used. Deletes files whose keys all lie in one of the ranges.
crk_status crk_delete_files(crk_column_family *family, size_t count, const crk_bytes *CRK_NULLABLE starts, const crk_bytes *CRK_NULLABLE ends);
crk_status crk_compact_files(crk_column_family *family, size_t count, const char *CRK_NULLABLE const *CRK_NULLABLE names, int32_t level,
    crk_cancellation *CRK_NULLABLE cancellation, void *context, crk_sink made);
crk_status crk_suggest_compaction(crk_column_family *family, crk_bytes from, crk_bytes to, bool has_from, bool has_to);
crk_status crk_promote_level_zero(crk_column_family *family, int32_t level);

crk_status crk_flush_families(crk_db *db, bool wait, bool allow_stall, size_t count,
    crk_column_family *CRK_NULLABLE const *CRK_NULLABLE families);
crk_status crk_verify_file_checksums(crk_db *db);
crk_status crk_memtable_estimate(crk_column_family *family, crk_bytes from, crk_bytes to, uint64_t *count, uint64_t *size);
crk_status crk_resume(crk_db *db);
crk_status crk_identity(crk_db *db, bool session, void *context, crk_sink found);
crk_status crk_catch_up(crk_db *db);

CRK_END

#endif
