import CRocks
import CairnCore

extension WriteOptions {
    /// The options in the shim's form.
    var shimOptions: crk_write_options {
        var options = crk_write_options()
        options.sync = durability == .synced
        options.disable_wal = durability == .none
        options.ignore_missing_column_families = ignoresMissingColumnFamilies
        options.no_slowdown = noSlowdown
        options.low_priority = lowPriority
        options.memtable_insert_hint_per_batch = memtableInsertHintPerBatch
        options.rate_limiter_priority = rateLimiterPriority?.rawValue ?? IOPriority.uncharged
        options.protection_bytes_per_key = protectsMemory ? 8 : 0
        return options
    }
}
