// Caches, statistics: shared objects. Each create/copy is paired with one release;
// options and databases keep references of their own.
#ifndef CROCKS_OBJECTS_H
#define CROCKS_OBJECTS_H

#include "CRocksStatus.h"

CRK_BEGIN

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

CRK_END

#endif
