// Backups
#ifndef CROCKS_BACKUP_H
#define CROCKS_BACKUP_H

#include "CRocksOperations.h"

CRK_BEGIN

typedef struct crk_backup_settings {
    bool read_only, share_files, sync, destroy_old_data, include_logs;
    bool legacy_names;            // rocksdb::BackupEngineOptions::kLegacyCrc32cAndFileSize
    uint64_t backup_rate_limit;   // bytes a second; 0: none
    uint64_t restore_rate_limit;
    uint64_t progress_interval;   // bytes
    int32_t threads;
    int32_t max_backups_to_open;  // with read_only; INT32_MAX: all
} crk_backup_settings;

typedef struct crk_backup_file {
    crk_bytes name, directory;
    uint64_t size;
} crk_backup_file;

// Lent until the callback returns.
typedef struct crk_backup_info {
    uint32_t id;
    int64_t seconds;  // since 1970
    uint64_t size;
    uint32_t file_count;
    crk_bytes metadata;
    const crk_backup_file *CRK_NULLABLE files;  // `file_count` of them if asked for, else null
} crk_backup_info;

// May be used on any thread: reads run concurrently, all other calls run one at a time.

crk_status crk_backup_engine_open(const char *path, const crk_backup_settings *settings,
    crk_backup_engine *CRK_NULLABLE *CRK_NULLABLE engine);
void crk_backup_engine_free(crk_backup_engine *engine);
// `progress` is called on any thread. Cancelling ends the call with CRK_INCOMPLETE.
crk_status crk_backup_create(crk_backup_engine *engine, crk_db *db, bool flush, bool low_priority, crk_bytes metadata, void *context,
    void (*progress)(void *context), crk_cancellation *CRK_NULLABLE cancellation, uint32_t *id);
crk_status crk_backup_list(crk_backup_engine *engine, bool with_files, void *context,
    void (*each)(void *context, const crk_backup_info *info));
crk_status crk_backup_list_corrupted(crk_backup_engine *engine, void *context, void (*each)(void *context, uint32_t id));
crk_status crk_backup_verify(crk_backup_engine *engine, uint32_t id, bool checksums);
// `id` 0: the latest. The database at `path` must not be open. `progress` is called on any thread, possibly on several at once, with the
// number of bytes about to be written.
crk_status crk_backup_restore(crk_backup_engine *engine, uint32_t id, const char *path, const char *wal_path, bool keep_logs,
    void *CRK_NULLABLE context, void (*CRK_NULLABLE progress)(void *context, uint64_t bytes));
crk_status crk_backup_delete(crk_backup_engine *engine, uint32_t id);
crk_status crk_backup_purge(crk_backup_engine *engine, uint32_t keep);
crk_status crk_backup_collect_garbage(crk_backup_engine *engine);
// The directory that represents a backup when it is opened in place (see crk_open_settings).
crk_status crk_backup_directory(crk_backup_engine *engine, uint32_t id, void *context, crk_sink found);

CRK_END

#endif
