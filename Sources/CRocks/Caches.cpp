// Block caches, and what keeps their evicted entries.
#include "Internal.hpp"

#include <rocksdb/secondary_cache.h>

struct crk_secondary_cache { std::shared_ptr<rocksdb::SecondaryCache> object; };

namespace {

rocksdb::CacheMetadataChargePolicy policy(bool charges_metadata) {
    return charges_metadata ? rocksdb::kFullChargeCacheMetadata : rocksdb::kDontChargeCacheMetadata;
}

std::shared_ptr<rocksdb::Cache> make(const crk_cache_settings &settings, crk_secondary_cache *secondary) {
    if (settings.entry_size > 0) {
        rocksdb::HyperClockCacheOptions options(settings.capacity, settings.entry_size, settings.shard_bits, settings.is_strict, nullptr,
            policy(settings.charges_metadata));
        return options.MakeSharedCache();
    }
    rocksdb::LRUCacheOptions options;
    options.capacity = settings.capacity;
    options.num_shard_bits = settings.shard_bits;
    options.strict_capacity_limit = settings.is_strict;
    options.metadata_charge_policy = policy(settings.charges_metadata);
    options.high_pri_pool_ratio = settings.high_priority_ratio;
    options.low_pri_pool_ratio = settings.low_priority_ratio;
    if (secondary != nullptr) { options.secondary_cache = secondary->object; }
    return rocksdb::NewLRUCache(options);
}

}  // namespace

crk_status crk_cache_create(const crk_cache_settings *settings, crk_secondary_cache *secondary, crk_cache **out) {
    return crk::guarded([&] {
        auto cache = make(*settings, secondary);
        if (cache == nullptr) { return rocksdb::Status::InvalidArgument("RocksDB cannot create a cache with these settings"); }
        *out = new crk_cache{std::move(cache)};
        return rocksdb::Status::OK();
    });
}
size_t crk_cache_capacity(const crk_cache *cache) { return cache->object->GetCapacity(); }
void crk_cache_set_capacity(crk_cache *cache, size_t capacity) { cache->object->SetCapacity(capacity); }
bool crk_cache_is_strict(const crk_cache *cache) { return cache->object->HasStrictCapacityLimit(); }
void crk_cache_set_strict(crk_cache *cache, bool is_strict) { cache->object->SetStrictCapacityLimit(is_strict); }
size_t crk_cache_usage(const crk_cache *cache) { return cache->object->GetUsage(); }
size_t crk_cache_pinned_usage(const crk_cache *cache) { return cache->object->GetPinnedUsage(); }
void crk_cache_erase_unreferenced(crk_cache *cache) { cache->object->EraseUnRefEntries(); }
void crk_cache_release(crk_cache *cache) { delete cache; }

crk_status crk_secondary_cache_create(size_t capacity, int32_t shard_bits, uint8_t compression, crk_secondary_cache **out) {
    return crk::guarded([&] {
        rocksdb::CompressedSecondaryCacheOptions options;
        options.capacity = capacity;
        options.num_shard_bits = shard_bits;
        options.compression_type = static_cast<rocksdb::CompressionType>(compression);
        auto cache = rocksdb::NewCompressedSecondaryCache(options);
        if (cache == nullptr) { return rocksdb::Status::InvalidArgument("RocksDB cannot create a compressed cache with these settings"); }
        *out = new crk_secondary_cache{std::move(cache)};
        return rocksdb::Status::OK();
    });
}
void crk_secondary_cache_release(crk_secondary_cache *cache) { delete cache; }
