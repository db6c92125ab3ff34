import CRocks
public import CairnCore

/// How much of a thread's calls is counted; RocksDB's `PerfLevel`. Each level adds to the one before, and costs more.
public enum PerfLevel: UInt8, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case disabled = 1
    /// How often and how much, no times.
    case counts = 2
    /// How long too, but not waiting for mutexes.
    case timeExceptMutex = 3
    /// How much CPU time as well.
    case timeAndCPUTimeExceptMutex = 4
    /// Everything.
    case all = 5

    public static func < (lhs: PerfLevel, rhs: PerfLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What a piece of code cost in RocksDB; its `PerfContext` and `IOStatsContext`. Made by ``measuringPerformance(_:_:)``.
public struct PerfReport: Sendable, Hashable {
    /// Every counter of `PerfContext` by RocksDB's name. Those in `nanos` or `time` are nanoseconds.
    public let counters: [String: UInt64]
    /// Every counter of `IOStatsContext` by RocksDB's name.
    public let ioCounters: [String: UInt64]

    /// A counter by RocksDB's name, such as `block_read_byte` or `fsync_nanos`; 0 if the installed library does not have it.
    public subscript(name: String) -> UInt64 { counters[name] ?? ioCounters[name] ?? 0 }

    /// How often two keys were compared.
    public var keyComparisons: UInt64 { self["user_key_comparison_count"] }
    /// How many blocks were found in the block cache.
    public var blockCacheHits: UInt64 { self["block_cache_hit_count"] }
    /// How many blocks were read from files.
    public var blockReads: UInt64 { self["block_read_count"] }
    /// How large those were.
    public var blockReadSize: ByteCount { ByteCount(bytes: Int64(clamping: self["block_read_byte"])) }
    /// How long that took.
    public var blockReadTime: Duration { duration("block_read_time") }
    /// How long checking their checksums took.
    public var blockChecksumTime: Duration { duration("block_checksum_time") }
    /// How long decompressing them took.
    public var blockDecompressionTime: Duration { duration("block_decompress_time") }
    /// How many values were read from blob files.
    public var blobReads: UInt64 { self["blob_read_count"] }
    /// How many memtables point reads looked into.
    public var memtableReads: UInt64 { self["get_from_memtable_count"] }
    /// How long that took.
    public var memtableReadTime: Duration { duration("get_from_memtable_time") }
    /// How long point reads spent in files.
    public var fileReadTime: Duration { duration("get_from_output_files_time") }
    /// How many entries cursors skipped because they were overwritten.
    public var skippedKeys: UInt64 { self["internal_key_skipped_count"] }
    /// How many deletions cursors skipped.
    public var skippedDeletions: UInt64 { self["internal_delete_skipped_count"] }
    /// How long writing to the write-ahead log took.
    public var logWriteTime: Duration { duration("write_wal_time") }
    /// How long writing to memtables took.
    public var memtableWriteTime: Duration { duration("write_memtable_time") }
    /// How long writes were held up on purpose.
    public var writeDelayTime: Duration { duration("write_delay_time") }
    /// How long merge operators took.
    public var mergeOperatorTime: Duration { duration("merge_operator_time_nanos") }
    /// How many files a filter spared.
    public var filterHits: UInt64 { self["bloom_sst_miss_count"] }
    /// How many bytes were read from files.
    public var bytesRead: ByteCount { ByteCount(bytes: Int64(clamping: self["bytes_read"])) }
    /// How many bytes were written to files.
    public var bytesWritten: ByteCount { ByteCount(bytes: Int64(clamping: self["bytes_written"])) }
    /// How long syncing files took.
    public var syncTime: Duration { duration("fsync_nanos") }

    private func duration(_ name: String) -> Duration { .nanoseconds(Int64(clamping: self[name])) }
}

/// Runs `body` and tells what its calls of RocksDB cost on this thread.
///
/// ```swift
/// let report = try measuringPerformance(.timeExceptMutex) { value = try db.get("key") }
/// print(report.keyComparisons, report.blockReads, report.blockReadTime)
/// ```
///
/// Only what `body` does itself is counted, not what other threads do for it: flushes, compactions, the writes of a group that another writer
/// leads. Measurements may be nested; the inner one decides what is counted within it.
///
/// - Complexity: Some microseconds, and what `level` adds to each call.
public func measuringPerformance<Failure: Error>(
    _ level: PerfLevel = .counts,
    _ body: () throws(Failure) -> Void
) throws(Failure) -> PerfReport {
    let before = PerfCounters.now()
    let outerLevel = crk_perf_set_level(level.rawValue)
    defer { _ = crk_perf_set_level(outerLevel) }
    try body()
    return PerfCounters.now().since(before)
}

/// The counters of this thread since it began.
private struct PerfCounters {
    var perf: [String: UInt64] = [:]
    var io: [String: UInt64] = [:]

    static func now() -> PerfCounters {
        let (_, items) = unsafe Collector<(isIO: Bool, name: String, number: UInt64)>.collect { context in
            unsafe crk_perf_counters(
                context,
                { context, name, number in unsafe Collector.add((isIO: false, name: name.text, number: number), to: context) },
                { context, name, number in unsafe Collector.add((isIO: true, name: name.text, number: number), to: context) }
            )
        }
        var counters = PerfCounters()
        for item in items {
            if item.isIO { counters.io[item.name] = item.number } else { counters.perf[item.name] = item.number }
        }
        // Not a counter.
        counters.io["thread_pool_id"] = nil
        return counters
    }

    func since(_ before: PerfCounters) -> PerfReport {
        PerfReport(counters: Self.growth(perf, since: before.perf), ioCounters: Self.growth(io, since: before.io))
    }

    private static func growth(_ now: [String: UInt64], since before: [String: UInt64]) -> [String: UInt64] {
        now.reduce(into: [:]) { $0[$1.key] = $1.value &- (before[$1.key] ?? 0) }
    }
}
