// Caches, statistics: shared objects. Each create/copy is paired with one release;
// options and databases keep their own references.
#ifndef CROCKS_OBJECTS_H
#define CROCKS_OBJECTS_H

#include "CRocksStatus.h"

CRK_BEGIN

typedef struct crk_cache crk_cache;
typedef struct crk_secondary_cache crk_secondary_cache;
typedef struct crk_cache_settings {
    size_t capacity, entry_size;                     // entry_size > 0: a HyperClockCache for entries of about this size
    double high_priority_ratio, low_priority_ratio;  // of an LRUCache
    int32_t shard_bits;                              // negative: as RocksDB sees fit
    bool is_strict, charges_metadata;
} crk_cache_settings;
crk_status crk_cache_create(const crk_cache_settings *settings, crk_secondary_cache *CRK_NULLABLE secondary,
    crk_cache *CRK_NULLABLE *CRK_NULLABLE cache);
size_t crk_cache_capacity(const crk_cache *cache);
void crk_cache_set_capacity(crk_cache *cache, size_t capacity);
bool crk_cache_is_strict(const crk_cache *cache);
void crk_cache_set_strict(crk_cache *cache, bool is_strict);
size_t crk_cache_usage(const crk_cache *cache);
size_t crk_cache_pinned_usage(const crk_cache *cache);
void crk_cache_erase_unreferenced(crk_cache *cache);
void crk_cache_release(crk_cache *cache);

// Keeps what a cache evicts, compressed (rocksdb::CompressionType).
crk_status crk_secondary_cache_create(size_t capacity, int32_t shard_bits, uint8_t compression,
    crk_secondary_cache *CRK_NULLABLE *CRK_NULLABLE cache);
void crk_secondary_cache_release(crk_secondary_cache *cache);

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

CRK_END

#endif
