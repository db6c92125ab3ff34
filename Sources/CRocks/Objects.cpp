// Caches, statistics.
#include "Internal.hpp"

crk_cache *crk_cache_create_lru(size_t capacity) {
    try {
        return new crk_cache{rocksdb::NewLRUCache(capacity)};
    } catch (...) {
        return nullptr;
    }
}
size_t crk_cache_capacity(const crk_cache *cache) { return cache->object->GetCapacity(); }
size_t crk_cache_usage(const crk_cache *cache) { return cache->object->GetUsage(); }
size_t crk_cache_pinned_usage(const crk_cache *cache) { return cache->object->GetPinnedUsage(); }
void crk_cache_release(crk_cache *cache) { delete cache; }

crk_statistics *crk_statistics_create(void) {
    try {
        return new crk_statistics{rocksdb::CreateDBStatistics()};
    } catch (...) {
        return nullptr;
    }
}
void crk_statistics_tickers(const crk_statistics *statistics, void *context, void (*each)(void *, crk_bytes, uint64_t)) {
    for (const auto &entry : rocksdb::TickersNameMap) {
        each(context, crk::lend(entry.second), statistics->object->getTickerCount(entry.first));
    }
}
void crk_statistics_histograms(const crk_statistics *statistics, void *context, void (*each)(void *, crk_bytes, crk_histogram)) {
    for (const auto &entry : rocksdb::HistogramsNameMap) {
        rocksdb::HistogramData data;
        statistics->object->histogramData(entry.first, &data);
        each(context, crk::lend(entry.second), {data.median, data.percentile95, data.percentile99, data.average, data.standard_deviation,
            data.max, data.min, data.count, data.sum});
    }
}
crk_status crk_statistics_reset(crk_statistics *statistics) {
    return crk::guarded([&] { return statistics->object->Reset(); });
}
void crk_statistics_release(crk_statistics *statistics) { delete statistics; }
