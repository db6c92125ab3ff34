// Caches and filters.
extension Statistics.Ticker {
    /// Blocks not found in the block cache: index, filter and data blocks.
    public static let blockCacheMiss = Self(name: "rocksdb.block.cache.miss")
    /// Blocks found in the block cache.
    public static let blockCacheHit = Self(name: "rocksdb.block.cache.hit")
    /// Blocks added to the block cache.
    public static let blockCacheAdd = Self(name: "rocksdb.block.cache.add")
    /// Blocks rejected by a full cache with a strict limit.
    public static let blockCacheAddFailures = Self(name: "rocksdb.block.cache.add.failures")
    /// Blocks added to the cache although another thread had just added them.
    public static let blockCacheAddRedundant = Self(name: "rocksdb.block.cache.add.redundant")
    /// Index blocks not found in the block cache.
    public static let blockCacheIndexMiss = Self(name: "rocksdb.block.cache.index.miss")
    /// Index blocks found in the block cache.
    public static let blockCacheIndexHit = Self(name: "rocksdb.block.cache.index.hit")
    /// Index blocks added to the block cache.
    public static let blockCacheIndexAdd = Self(name: "rocksdb.block.cache.index.add")
    /// Index blocks added to the cache although another thread had just added them.
    public static let blockCacheIndexAddRedundant = Self(name: "rocksdb.block.cache.index.add.redundant")
    /// Bytes of index blocks added to the block cache.
    public static let blockCacheIndexBytesInsert = Self(name: "rocksdb.block.cache.index.bytes.insert")
    /// Bytes of index blocks evicted from the block cache.
    public static let blockCacheIndexBytesEvict = Self(name: "rocksdb.block.cache.index.bytes.evict")
    /// Filter blocks not found in the block cache.
    public static let blockCacheFilterMiss = Self(name: "rocksdb.block.cache.filter.miss")
    /// Filter blocks found in the block cache.
    public static let blockCacheFilterHit = Self(name: "rocksdb.block.cache.filter.hit")
    /// Filter blocks added to the block cache.
    public static let blockCacheFilterAdd = Self(name: "rocksdb.block.cache.filter.add")
    /// Filter blocks added to the cache although another thread had just added them.
    public static let blockCacheFilterAddRedundant = Self(name: "rocksdb.block.cache.filter.add.redundant")
    /// Bytes of filter blocks added to the block cache.
    public static let blockCacheFilterBytesInsert = Self(name: "rocksdb.block.cache.filter.bytes.insert")
    /// Bytes of filter blocks evicted from the block cache.
    public static let blockCacheFilterBytesEvict = Self(name: "rocksdb.block.cache.filter.bytes.evict")
    /// Data blocks not found in the block cache.
    public static let blockCacheDataMiss = Self(name: "rocksdb.block.cache.data.miss")
    /// Data blocks found in the block cache.
    public static let blockCacheDataHit = Self(name: "rocksdb.block.cache.data.hit")
    /// Data blocks added to the block cache.
    public static let blockCacheDataAdd = Self(name: "rocksdb.block.cache.data.add")
    /// Data blocks added to the cache although another thread had just added them.
    public static let blockCacheDataAddRedundant = Self(name: "rocksdb.block.cache.data.add.redundant")
    /// Bytes of data blocks added to the block cache.
    public static let blockCacheDataBytesInsert = Self(name: "rocksdb.block.cache.data.bytes.insert")
    /// Compression dictionaries not found in the block cache.
    public static let blockCacheCompressionDictionaryMiss = Self(name: "rocksdb.block.cache.compression.dict.miss")
    /// Compression dictionaries found in the block cache.
    public static let blockCacheCompressionDictionaryHit = Self(name: "rocksdb.block.cache.compression.dict.hit")
    /// Compression dictionaries added to the block cache.
    public static let blockCacheCompressionDictionaryAdd = Self(name: "rocksdb.block.cache.compression.dict.add")
    /// Compression dictionaries added to the cache although another thread had just added them.
    public static let blockCacheCompressionDictionaryAddRedundant = Self(name: "rocksdb.block.cache.compression.dict.add.redundant")
    /// Bytes of compression dictionaries added to the block cache.
    public static let blockCacheCompressionDictionaryBytesInsert = Self(name: "rocksdb.block.cache.compression.dict.bytes.insert")
    /// Bytes of compression dictionaries evicted from the block cache.
    public static let blockCacheCompressionDictionaryBytesEvict = Self(name: "rocksdb.block.cache.compression.dict.bytes.evict")
    /// Bytes read from the block cache.
    public static let blockCacheBytesRead = Self(name: "rocksdb.block.cache.bytes.read")
    /// Bytes added to the block cache.
    public static let blockCacheBytesWrite = Self(name: "rocksdb.block.cache.bytes.write")
    /// Blocks not found in the compressed block cache, which newer releases no longer have.
    public static let blockCacheCompressedMiss = Self(name: "rocksdb.block.cachecompressed.miss")
    /// Blocks found in the compressed block cache.
    public static let blockCacheCompressedHit = Self(name: "rocksdb.block.cachecompressed.hit")
    /// Blocks added to the compressed block cache.
    public static let blockCacheCompressedAdd = Self(name: "rocksdb.block.cachecompressed.add")
    /// Blocks rejected by the compressed block cache.
    public static let blockCacheCompressedAddFailures = Self(name: "rocksdb.block.cachecompressed.add.failures")
    /// Blocks found in the secondary cache.
    public static let secondaryCacheHits = Self(name: "rocksdb.secondary.cache.hits")
    /// Blocks found in the persistent cache.
    public static let persistentCacheHit = Self(name: "rocksdb.persistent.cache.hit")
    /// Blocks not found in the persistent cache.
    public static let persistentCacheMiss = Self(name: "rocksdb.persistent.cache.miss")
    /// Blocks that a simulated cache would have held.
    public static let simBlockCacheHit = Self(name: "rocksdb.sim.block.cache.hit")
    /// Blocks that a simulated cache would not have held.
    public static let simBlockCacheMiss = Self(name: "rocksdb.sim.block.cache.miss")
    /// Keys found in the row cache.
    public static let rowCacheHit = Self(name: "rocksdb.row.cache.hit")
    /// Keys not found in the row cache.
    public static let rowCacheMiss = Self(name: "rocksdb.row.cache.miss")
    /// Times a filter saved a point read from searching a file.
    public static let bloomFilterUseful = Self(name: "rocksdb.bloom.filter.useful")
    /// Times a filter did not rule out a key.
    public static let bloomFilterFullPositive = Self(name: "rocksdb.bloom.filter.full.positive")
    /// Times a filter did not rule out a key that existed.
    public static let bloomFilterFullTruePositive = Self(name: "rocksdb.bloom.filter.full.true.positive")
    /// Microseconds spent in filters.
    public static let bloomFilterMicros = Self(name: "rocksdb.bloom.filter.micros")
    /// Times a cursor checked a filter for its prefix before searching a file.
    public static let bloomFilterPrefixChecked = Self(name: "rocksdb.bloom.filter.prefix.checked")
    /// Times that checking a filter for a cursor's prefix saved searching a file.
    public static let bloomFilterPrefixUseful = Self(name: "rocksdb.bloom.filter.prefix.useful")
}
