// Databases
#ifndef CROCKS_DATABASE_H
#define CROCKS_DATABASE_H

#include "CRocksOptions.h"

CRK_BEGIN

typedef struct crk_db crk_db;
typedef struct crk_column_family crk_column_family;
typedef struct crk_snapshot crk_snapshot;
typedef struct crk_directory_lock crk_directory_lock;

typedef enum crk_open_mode {
    CRK_READ_WRITE,
    CRK_READ_ONLY,
    CRK_SECONDARY,
    CRK_TRANSACTIONS,
    CRK_OPTIMISTIC_TRANSACTIONS,
    CRK_TRIM_HISTORY,
} crk_open_mode;

typedef struct crk_backup_engine crk_backup_engine;

// For CRK_TRANSACTIONS (rocksdb::TransactionDBOptions).
typedef struct crk_transaction_settings {
    int64_t maximum_locks;  // 0: no limit
    uint32_t deadlock_history;
    size_t stripes;
    int64_t lock_timeout_millis, write_lock_timeout_millis;
} crk_transaction_settings;

// For CRK_OPTIMISTIC_TRANSACTIONS (rocksdb::OptimisticTransactionDBOptions).
typedef struct crk_optimistic_settings {
    bool serial_validation;
    uint32_t lock_buckets;
} crk_optimistic_settings;

// How a database is opened: the mode, and settings for that mode only.
typedef struct crk_open_settings {
    crk_open_mode mode;
    const char *CRK_NULLABLE secondary_path;        // with CRK_SECONDARY: where it keeps its text log
    crk_backup_engine *CRK_NULLABLE backup_engine;  // with CRK_READ_ONLY: the backup to open in place
    uint32_t backup_id;
    crk_transaction_settings transactions;
    crk_optimistic_settings optimistic;
    uint64_t trim_to;  // CRK_TRIM_HISTORY: what was written later is removed
} crk_open_settings;

// Calls `each` with each name.
crk_status crk_list_column_families(const char *path, const crk_db_options *options, void *context, crk_sink each);
// On success `families` holds one handle per name, in order; the caller releases each.
crk_status crk_db_open(const char *path, const crk_db_options *options, const crk_open_settings *settings, size_t count,
    const char *CRK_NULLABLE const *CRK_NULLABLE names, crk_cf_options *CRK_NULLABLE const *CRK_NULLABLE family_options,
    crk_db *CRK_NULLABLE *CRK_NULLABLE db, crk_column_family *CRK_NULLABLE *CRK_NULLABLE families);
// The lock of a database's directory, which opening the database for writing takes: prevents others from doing so until it is freed.
crk_status crk_directory_lock_create(const char *path, const crk_db_options *options, crk_directory_lock *CRK_NULLABLE *CRK_NULLABLE lock);
void crk_directory_lock_free(crk_directory_lock *lock);
// Waits for calls in flight. CRK_IN_USE: objects are still alive; the message names them, and the database stays open. Idempotent.
crk_status crk_db_close(crk_db *db);
bool crk_db_is_closed(const crk_db *db);
// Closes the database if it is open, and frees it. Nothing may refer to it any more.
void crk_db_free(crk_db *db);

crk_status crk_create_column_family(crk_db *db, const char *name, const crk_cf_options *options,
    crk_column_family *CRK_NULLABLE *CRK_NULLABLE family);
// CRK_IN_USE: a transaction has written to it or locked keys in it.
crk_status crk_drop_column_family(crk_column_family *family);
void crk_column_family_release(crk_column_family *family);
uint32_t crk_column_family_id(const crk_column_family *family);

uint64_t crk_latest_sequence_number(crk_db *db, crk_status *status);
crk_status crk_property(crk_column_family *family, const char *name, void *context, crk_sink found);
crk_status crk_int_property(crk_column_family *family, const char *name, uint64_t *value);
crk_status crk_current_db_options(crk_db *db, void *context, crk_pair_sink each);
crk_status crk_current_cf_options(crk_column_family *family, void *context, crk_pair_sink each);
// `each` is not called if the column family has another table format.
crk_status crk_current_table_options(crk_column_family *family, void *context, crk_pair_sink each);
crk_status crk_flush(crk_column_family *family, bool wait);
crk_status crk_verify_checksums(crk_db *db);

CRK_END

#endif
