// Reading
#ifndef CROCKS_READING_H
#define CROCKS_READING_H

#include "CRocksDatabase.h"

CRK_BEGIN

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

// Storage for one pinned value, provided by the caller; must not be moved between `crk_get` and `crk_value_release`.
typedef struct crk_value {
    uint64_t storage[20];
} crk_value;

// Status CRK_NOT_FOUND (without message) means that the key is missing; then, and on error, there is nothing to release.
// On success `bytes` is lent until `crk_value_release(value)`.
crk_status crk_get(crk_column_family *family, const crk_read_options *options, crk_bytes key, crk_value *value, crk_bytes *bytes);
void crk_value_release(crk_value *value);

// Many keys at once (rocksdb::DB::MultiGet). On success `bytes[i]` is lent until `crk_values_release`, with `data == NULL` for a missing key.
typedef struct crk_values crk_values;
crk_status crk_multi_get(crk_column_family *family, const crk_read_options *options, size_t count, const crk_bytes *CRK_NULLABLE keys,
    bool sorted, crk_bytes *bytes, crk_values *CRK_NULLABLE *CRK_NULLABLE values);
// Like `crk_multi_get`, for keys of several column families of `db`: `families[i]` is that of `keys[i]`.
crk_status crk_multi_get_families(crk_db *db, crk_column_family *CRK_NULLABLE const *CRK_NULLABLE families,
    const crk_read_options *options, size_t count, const crk_bytes *CRK_NULLABLE keys, crk_bytes *bytes,
    crk_values *CRK_NULLABLE *CRK_NULLABLE values);
void crk_values_release(crk_values *values);

crk_status crk_key_may_exist(crk_column_family *family, const crk_read_options *options, crk_bytes key, bool *may_exist);

CRK_END

#endif
