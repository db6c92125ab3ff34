// Transactions of databases opened with CRK_TRANSACTIONS or CRK_OPTIMISTIC_TRANSACTIONS.
#ifndef CROCKS_TRANSACTIONS_H
#define CROCKS_TRANSACTIONS_H

#include "CRocksCursors.h"
#include "CRocksWriting.h"

CRK_BEGIN

typedef enum crk_snapshot_time { CRK_NO_SNAPSHOT, CRK_SNAPSHOT_NOW, CRK_SNAPSHOT_NEXT } crk_snapshot_time;

typedef struct crk_transaction_options {
    crk_snapshot_time snapshot;
    bool reads_snapshot;     // reads see the snapshot, if there is one, not the latest
    bool deadlock_detect;
    bool must_be_prepared;
    int64_t deadlock_depth;
    int64_t lock_timeout_millis;  // negative: the database's
    int64_t expiration_millis;    // negative: none
    size_t maximum_size;          // 0: no limit
} crk_transaction_options;

// A transaction may be used from any thread; calls run one at a time. CRK_CLOSED: it is over, by `commit`, by `rollback`, or because
// one of them, or `prepare`, failed. Until then the database cannot be closed.
typedef struct crk_transaction crk_transaction;
crk_status crk_transaction_begin(crk_db *db, const crk_write_options *write_options, const crk_transaction_options *options,
    crk_transaction *CRK_NULLABLE *CRK_NULLABLE transaction);
crk_status crk_transaction_commit(crk_transaction *transaction);
crk_status crk_transaction_rollback(crk_transaction *transaction);
// Rolls the transaction back, unless it is prepared: `crk_prepared_transactions` then returns it again.
void crk_transaction_free(crk_transaction *transaction);

// `untracked`: does not check whether others have written to the key.
crk_status crk_transaction_write(crk_transaction *transaction, crk_column_family *family, crk_operation operation, bool untracked,
    crk_bytes key, crk_bytes value);
crk_status crk_transaction_put_log_data(crk_transaction *transaction, crk_bytes blob);

typedef enum crk_lock { CRK_NO_LOCK, CRK_SHARED_LOCK, CRK_EXCLUSIVE_LOCK } crk_lock;
// Like `crk_get`, with the transaction's own writes; with a lock, the key is protected from others until the transaction ends.
crk_status crk_transaction_get(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_lock lock, bool validate, crk_value *value, crk_bytes *bytes);
// Locks without reading.
crk_status crk_transaction_lock(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options, crk_bytes key,
    crk_lock lock, bool validate);
crk_status crk_transaction_unlock(crk_transaction *transaction, crk_column_family *family, crk_bytes key);
crk_status crk_transaction_multi_get(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options, size_t count,
    const crk_bytes *CRK_NULLABLE keys, bool sorted, crk_bytes *bytes, crk_values *CRK_NULLABLE *CRK_NULLABLE values);
crk_status crk_transaction_key_may_exist(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options,
    crk_bytes key, bool *may_exist);
// A cursor over the database and the transaction's writes. It sees later writes of the transaction, and fails once the transaction is over.
crk_status crk_transaction_cursor(crk_transaction *transaction, crk_column_family *family, const crk_read_options *options,
    const crk_range *range, crk_cursor *CRK_NULLABLE *CRK_NULLABLE cursor);

crk_status crk_transaction_set_save_point(crk_transaction *transaction);
crk_status crk_transaction_rollback_to_save_point(crk_transaction *transaction);
crk_status crk_transaction_pop_save_point(crk_transaction *transaction);
// CRK_NO_SNAPSHOT clears it.
crk_status crk_transaction_set_snapshot(crk_transaction *transaction, crk_snapshot_time time);
crk_status crk_transaction_set_indexing(crk_transaction *transaction, bool on);
crk_status crk_transaction_set_lock_timeout(crk_transaction *transaction, int64_t millis);

crk_status crk_transaction_set_name(crk_transaction *transaction, crk_bytes name);
crk_status crk_transaction_prepare(crk_transaction *transaction);
// The prepared transactions that nobody holds, each with its own handle, to be freed.
crk_status crk_prepared_transactions(crk_db *db, void *context, void (*each)(void *context, crk_transaction *transaction));

typedef struct crk_transaction_info {
    uint64_t keys, puts, deletes, merges, elapsed_millis, size;
    uint64_t snapshot_number;
    bool has_snapshot;
} crk_transaction_info;
crk_status crk_transaction_get_info(crk_transaction *transaction, crk_transaction_info *info);
// These three can also be called when the transaction is over. The name is lent until the transaction is freed.
uint64_t crk_transaction_id(const crk_transaction *transaction);
crk_bytes crk_transaction_name(crk_transaction *transaction);
bool crk_transaction_is_over(crk_transaction *transaction);
bool crk_transaction_is_prepared(crk_transaction *transaction);

// For databases opened with CRK_TRANSACTIONS. Pointers are valid until the callback returns.
typedef struct crk_key_lock {
    uint32_t family;
    bool exclusive;
    crk_bytes key;
    const uint64_t *CRK_NULLABLE ids;
    size_t count;
} crk_key_lock;
crk_status crk_locks(crk_db *db, void *context, void (*each)(void *context, const crk_key_lock *lock));
// The waiting transactions, each with the lock that it waits for and that lock's holders.
crk_status crk_waits(crk_db *db, void *context, void (*each)(void *context, uint64_t id, const crk_key_lock *lock));
// The paths of deadlocks, latest first: for each, once with a null lock (`limit`: the search was given up at that depth), then each
// transaction on the path with what it waited for.
crk_status crk_deadlocks(crk_db *db, void *context,
    void (*each)(void *context, uint64_t id, const crk_key_lock *CRK_NULLABLE lock, bool limit, int64_t seconds));

CRK_END

#endif
