// CRocks: RocksDB's C++ interface as plain C, for CairnRocks alone.
//
// Conventions
// - Every symbol starts with `crk_`. Structs without a body are opaque C++ objects.
// - Bytes cross as pointer + length. `crk_bytes` handed in are read during the call and never kept; `crk_bytes` handed out are lent,
//   and the function's comment says until when.
// - Every fallible call returns a `crk_status` whole: code, subcode, severity, retryable, message. No exception crosses.
//   A status with a message must go through `crk_status_free`.
// - Calls on `crk_db` and `crk_column_family` may run on any thread at once. Closing waits for calls in flight and refuses while something
//   lent or hanging off the database lives. Batches and cursors belong to one thread at a time.
// - What would trip one of RocksDB's asserts (Debian builds with them on) is refused here with CRK_REFUSED.
#ifndef CROCKS_H
#define CROCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define CRK_NULLABLE _Nullable
// Holds a pointer, yet is safe to use from Swift: only this shim looks behind it.
#define CRK_SAFE __attribute__((swift_attr("@safe")))
#pragma clang assume_nonnull begin
#else
#define CRK_NULLABLE
#define CRK_SAFE
#endif

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Status

// RocksDB's own codes (rocksdb::Status::Code) are passed on as they are; these are added.
enum crk_code {
    CRK_OK = 0,
    CRK_NOT_FOUND = 1,
    CRK_CORRUPTION = 2,
    CRK_NOT_SUPPORTED = 3,
    CRK_INVALID_ARGUMENT = 4,
    CRK_IO_ERROR = 5,
    CRK_MERGE_IN_PROGRESS = 6,
    CRK_INCOMPLETE = 7,
    CRK_SHUTDOWN_IN_PROGRESS = 8,
    CRK_TIMED_OUT = 9,
    CRK_ABORTED = 10,
    CRK_BUSY = 11,
    CRK_EXPIRED = 12,
    CRK_TRY_AGAIN = 13,
    CRK_COMPACTION_TOO_LARGE = 14,
    CRK_COLUMN_FAMILY_DROPPED = 15,
    CRK_CLOSED = 200,          // the handle is closed
    CRK_IN_USE = 201,          // close refused: something still hangs off the handle
    CRK_OUT_OF_MEMORY = 202,   // std::bad_alloc
    CRK_EXCEPTION = 203,       // any other C++ exception
    CRK_REFUSED = 204,         // RocksDB would abort the process or misread data
};

typedef struct crk_status {
    uint8_t code, subcode, severity;
    bool retryable;
    char *CRK_NULLABLE message;  // UTF-8 or arbitrary bytes, owned by the receiver
    size_t message_size;
} CRK_SAFE crk_status;

void crk_status_free(crk_status status);

typedef struct crk_bytes {
    const void *CRK_NULLABLE data;
    size_t size;
} crk_bytes;

// Receives lent bytes; they are valid until it returns.
typedef void (*crk_sink)(void *context, crk_bytes bytes);
// Receives a lent pair; both are valid until it returns.
typedef void (*crk_pair_sink)(void *context, crk_bytes name, crk_bytes value);

// The version of the RocksDB library linked: major * 1,000,000 + minor * 1,000 + patch.
uint32_t crk_version(void);

// MARK: Comparators, merge operators, caches, statistics: shared objects. Each create/copy is paired with one release;
// options and databases keep references of their own.

typedef struct crk_comparator crk_comparator;
// `compare` returns <0, 0, >0; called on any thread, also on RocksDB's. `destroy(context)` runs when the last user is gone.
crk_comparator *crk_comparator_create(const char *name, void *context,
    int (*compare)(void *context, crk_bytes a, crk_bytes b), void (*destroy)(void *context));
crk_comparator *crk_comparator_bytewise(void);
crk_comparator *crk_comparator_reverse_bytewise(void);
void crk_comparator_release(crk_comparator *comparator);

typedef struct crk_merge_operator crk_merge_operator;
typedef struct crk_result crk_result;  // a C++ string to be filled
bool crk_result_set(crk_result *result, crk_bytes bytes);  // false: no memory
// `full` merges `operands`, oldest first, onto `existing` (NULL: no value); false means failure and surfaces as corruption.
// `partial` combines operands into one; false means "cannot be combined now" and is no failure.
crk_merge_operator *crk_merge_operator_create(const char *name, void *context,
    bool (*full)(void *context, crk_bytes key, const crk_bytes *CRK_NULLABLE existing, const crk_bytes *operands, size_t count,
        crk_result *result),
    bool (*CRK_NULLABLE partial)(void *context, crk_bytes key, const crk_bytes *operands, size_t count, crk_result *result),
    void (*destroy)(void *context));
// One of RocksDB's own, by name ("uint64add", "stringappend", "max", ...).
crk_status crk_merge_operator_named(const char *name, crk_merge_operator *CRK_NULLABLE *CRK_NULLABLE operator_out);
void crk_merge_operator_release(crk_merge_operator *merge_operator);

typedef struct crk_cache crk_cache;
crk_cache *CRK_NULLABLE crk_cache_create_lru(size_t capacity);
size_t crk_cache_capacity(const crk_cache *cache);
size_t crk_cache_usage(const crk_cache *cache);
size_t crk_cache_pinned_usage(const crk_cache *cache);
void crk_cache_release(crk_cache *cache);

typedef struct crk_histogram {
    double median, percentile95, percentile99, average, standard_deviation, maximum, minimum;
    uint64_t count, sum;
} crk_histogram;

typedef struct crk_statistics crk_statistics;
crk_statistics *CRK_NULLABLE crk_statistics_create(void);
void crk_statistics_tickers(const crk_statistics *statistics, void *context,
    void (*each)(void *context, crk_bytes name, uint64_t count));
void crk_statistics_histograms(const crk_statistics *statistics, void *context,
    void (*each)(void *context, crk_bytes name, crk_histogram data));
crk_status crk_statistics_reset(crk_statistics *statistics);
void crk_statistics_release(crk_statistics *statistics);

// MARK: Options, by RocksDB's own names

typedef struct crk_setting {
    crk_bytes name, value;
} crk_setting;

typedef struct crk_db_options crk_db_options;
crk_db_options *CRK_NULLABLE crk_db_options_create(void);
crk_status crk_db_options_set(crk_db_options *options, const crk_setting *CRK_NULLABLE settings, size_t count);
void crk_db_options_set_statistics(crk_db_options *options, crk_statistics *statistics);
// Caps the memory of all memtables at `limit` bytes, charged to `cache`.
crk_status crk_db_options_set_write_buffer_limit(crk_db_options *options, size_t limit, crk_cache *cache);
crk_status crk_db_options_list(const crk_db_options *options, void *context, crk_pair_sink each);
void crk_db_options_free(crk_db_options *options);

typedef struct crk_cf_options crk_cf_options;
crk_cf_options *CRK_NULLABLE crk_cf_options_create(void);
crk_status crk_cf_options_set(crk_cf_options *options, const crk_setting *CRK_NULLABLE settings, size_t count);
// Replaces the table format by a block-based one with these settings on top of RocksDB's defaults.
crk_status crk_cf_options_set_block_based_table(crk_cf_options *options, const crk_setting *CRK_NULLABLE settings, size_t count,
    crk_cache *CRK_NULLABLE block_cache);
void crk_cf_options_set_comparator(crk_cf_options *options, crk_comparator *comparator);
void crk_cf_options_set_merge_operator(crk_cf_options *options, crk_merge_operator *merge_operator);
crk_status crk_cf_options_list(const crk_cf_options *options, void *context, crk_pair_sink each);
crk_status crk_table_options_list(void *context, crk_pair_sink each);  // the defaults of the block-based table
// Splits "a=1;b={c=2}" into its pairs.
crk_status crk_settings_parse(crk_bytes text, void *context, crk_pair_sink each);
void crk_cf_options_free(crk_cf_options *options);

// MARK: Databases

typedef struct crk_db crk_db;
typedef struct crk_column_family crk_column_family;
typedef struct crk_snapshot crk_snapshot;

typedef enum crk_open_mode { CRK_READ_WRITE, CRK_READ_ONLY } crk_open_mode;

// Names come one by one to `each`.
crk_status crk_list_column_families(const char *path, const crk_db_options *options, void *context, crk_sink each);
// On success `families` holds one handle per name, in order; the caller releases each.
crk_status crk_db_open(const char *path, const crk_db_options *options, crk_open_mode mode, size_t count,
    const char *CRK_NULLABLE const *CRK_NULLABLE names, crk_cf_options *CRK_NULLABLE const *CRK_NULLABLE family_options,
    crk_db *CRK_NULLABLE *CRK_NULLABLE db, crk_column_family *CRK_NULLABLE *CRK_NULLABLE families);
// Waits for calls in flight. CRK_IN_USE: something lives on; the message names it and the database stays open. Idempotent.
crk_status crk_db_close(crk_db *db);
bool crk_db_is_closed(const crk_db *db);
// Closes if nobody did and frees. Nothing may refer to the database any more.
void crk_db_free(crk_db *db);

crk_status crk_create_column_family(crk_db *db, const char *name, const crk_cf_options *options,
    crk_column_family *CRK_NULLABLE *CRK_NULLABLE family);
crk_status crk_drop_column_family(crk_column_family *family);
void crk_column_family_release(crk_column_family *family);
uint32_t crk_column_family_id(const crk_column_family *family);

uint64_t crk_latest_sequence_number(crk_db *db, crk_status *status);
crk_status crk_property(crk_column_family *family, const char *name, void *context, crk_sink found);
crk_status crk_int_property(crk_column_family *family, const char *name, uint64_t *value);
crk_status crk_current_db_options(crk_db *db, void *context, crk_pair_sink each);
crk_status crk_current_cf_options(crk_column_family *family, void *context, crk_pair_sink each);
// Nothing comes if the column family has another table format.
crk_status crk_current_table_options(crk_column_family *family, void *context, crk_pair_sink each);
crk_status crk_flush(crk_column_family *family, bool wait);
crk_status crk_verify_checksums(crk_db *db);

// MARK: Reading

typedef struct crk_read_settings {
    size_t readahead_size;
    uint64_t max_skippable_internal_keys;
    uint64_t value_size_soft_limit;
    uint64_t timeout_micros;     // 0: none; counted from the start of each call
    uint64_t io_timeout_micros;  // 0: none
    uint8_t read_tier;           // rocksdb::ReadTier
    uint8_t rate_limiter_priority;  // rocksdb::Env::IOPriority
    bool verify_checksums, fill_cache, tailing, total_order_seek, auto_prefix_mode, prefix_same_as_start, pin_data;
    bool background_purge_on_iterator_cleanup, ignore_range_deletions, adaptive_readahead, async_io, optimize_multiget_for_io;
} crk_read_settings;

// An immutable, shareable rocksdb::ReadOptions; with a snapshot, reads through it see that snapshot (and fail when it is released).
typedef struct crk_read_options crk_read_options;
crk_read_options *CRK_NULLABLE crk_read_options_create(const crk_read_settings *settings, crk_snapshot *CRK_NULLABLE snapshot);
void crk_read_options_free(crk_read_options *options);

// Room for one pinned value, provided by the caller, not to be moved between `crk_get` and `crk_value_release`.
typedef struct crk_value {
    uint64_t storage[20];
} crk_value;

// Status CRK_NOT_FOUND (without message) means missing; then, and on error, nothing must be released.
// On success `bytes` is lent until `crk_value_release(value)`.
crk_status crk_get(crk_column_family *family, const crk_read_options *options, crk_bytes key, crk_value *value, crk_bytes *bytes);
void crk_value_release(crk_value *value);

// Many keys at once (rocksdb::DB::MultiGet). On success `bytes[i]` is lent until `crk_values_release`, with `data == NULL` for a missing key.
typedef struct crk_values crk_values;
crk_status crk_multi_get(crk_column_family *family, const crk_read_options *options, size_t count, const crk_bytes *CRK_NULLABLE keys,
    bool sorted, crk_bytes *bytes, crk_values *CRK_NULLABLE *CRK_NULLABLE values);
void crk_values_release(crk_values *values);

crk_status crk_key_may_exist(crk_column_family *family, const crk_read_options *options, crk_bytes key, bool *may_exist);

// MARK: Cursors

typedef struct crk_range {
    bool has_from, has_to, has_lower, has_upper, has_prefix, reversed;
    crk_bytes from;          // inclusive: where a walk begins, in its own direction
    crk_bytes to;            // exclusive: where it ends
    crk_bytes lower, upper;  // inclusive and exclusive, by their bytes, whatever the direction and the order
    crk_bytes prefix;        // only keys that begin so
} crk_range;

typedef enum crk_move { CRK_NEXT, CRK_PREVIOUS, CRK_FIRST, CRK_LAST } crk_move;

typedef struct crk_cursor crk_cursor;
crk_status crk_cursor_create(crk_column_family *family, const crk_read_options *options, const crk_range *range,
    crk_cursor *CRK_NULLABLE *CRK_NULLABLE cursor);
// Each move returns 1 at an entry, 0 off either end, -1 on failure (see crk_cursor_status). Bytes are lent until the next move or free.
// `value` may be NULL: then it is not read.
int crk_cursor_move(crk_cursor *cursor, crk_move move, crk_bytes *key, crk_bytes *CRK_NULLABLE value);
// `crk_cursor_move` with CRK_NEXT, by the shortest way.
int crk_cursor_next(crk_cursor *cursor, crk_bytes *key, crk_bytes *CRK_NULLABLE value);
// To the first entry at or behind `key` in the cursor's direction; with `or_before`, to the last one at or before it.
int crk_cursor_seek(crk_cursor *cursor, crk_bytes key, bool or_before, crk_bytes *found, crk_bytes *CRK_NULLABLE value);
crk_status crk_cursor_status(const crk_cursor *cursor);
void crk_cursor_free(crk_cursor *cursor);

// MARK: Snapshots

crk_status crk_snapshot_create(crk_db *db, crk_snapshot *CRK_NULLABLE *CRK_NULLABLE snapshot);
uint64_t crk_snapshot_sequence_number(const crk_snapshot *snapshot);
// Waits for reads in flight; idempotent. Cursors made through it live on: they hold what they read.
void crk_snapshot_release(crk_snapshot *snapshot);
bool crk_snapshot_is_released(const crk_snapshot *snapshot);
void crk_snapshot_free(crk_snapshot *snapshot);

// MARK: Writing

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
// Without a family: the default column family of whichever database the batch is written to.
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

// MARK: Operations

typedef struct crk_compact_options {
    bool exclusive, change_level, allow_write_stall;
    uint8_t bottommost_level;  // rocksdb::BottommostLevelCompaction
    int32_t target_level;      // -1: the lowest that can hold it
    uint32_t max_subcompactions;
} crk_compact_options;

// A flag that another thread may raise while the call that has it runs.
typedef struct crk_cancellation crk_cancellation;
crk_cancellation *CRK_NULLABLE crk_cancellation_create(void);
void crk_cancellation_cancel(crk_cancellation *cancellation);
void crk_cancellation_free(crk_cancellation *cancellation);

// Only the bounds of `range` count; its prefix does not.
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

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
