import CRocks
import CairnCore

extension ReadOptions {
    /// The options in the shim's form.
    var shimSettings: crk_read_settings {
        var settings = crk_read_settings()
        settings.readahead_size = Int(clamping: max(0, readahead.bytes))
        settings.max_skippable_internal_keys = maxSkippableInternalKeys
        settings.value_size_soft_limit = valueSizeSoftLimit.map { UInt64(clamping: $0.bytes) } ?? .max
        settings.timeout_micros = timeout?.wholeMicroseconds ?? 0
        settings.io_timeout_micros = ioTimeout?.wholeMicroseconds ?? 0
        settings.read_tier = tier.rawValue
        settings.rate_limiter_priority = rateLimiterPriority?.rawValue ?? IOPriority.uncharged
        settings.verify_checksums = verifyChecksums
        settings.fill_cache = fillCache
        settings.tailing = tailing
        settings.total_order_seek = seekMode == .totalOrder
        settings.auto_prefix_mode = seekMode == .automatic
        settings.prefix_same_as_start = prefixSameAsStart
        settings.pin_data = pinsData
        settings.background_purge_on_iterator_cleanup = backgroundPurgeOnCursorCleanup
        settings.ignore_range_deletions = ignoresRangeDeletions
        settings.adaptive_readahead = adaptiveReadahead
        settings.async_io = asyncIO
        settings.optimize_multiget_for_io = optimizesMultiGetForIO
        return settings
    }
}

extension IOPriority {
    /// `Env::IO_TOTAL`: not charged to the rate limiter.
    static var uncharged: UInt8 { 4 }
}

extension Duration {
    /// At least one microsecond, so that a tiny limit is not taken for no limit; clamped to what RocksDB can add to the clock.
    var wholeMicroseconds: UInt64 {
        UInt64(min(max(1, rounded(upTo: 1_000_000_000_000)), 1 << 60))
    }
}
