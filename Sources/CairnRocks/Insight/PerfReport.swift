import CRocks
public import CairnCore

/// How much to measure in a thread's calls; RocksDB's `PerfLevel`. Each level adds to the previous one, and costs more.
public enum PerfLevel: UInt8, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case disabled = 1
    /// Counts and amounts, no times.
    case counts = 2
    /// Also times, but not waits for mutexes.
    case timeExceptMutex = 3
    /// Also CPU times.
    case timeAndCPUTimeExceptMutex = 4
    /// Everything.
    case all = 5

    public static func < (lhs: PerfLevel, rhs: PerfLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// What a piece of code cost in RocksDB; its `PerfContext` and `IOStatsContext`. Returned by ``measuringPerformance(_:_:)``.
public struct PerfReport: Sendable, Hashable {
    /// All counters of `PerfContext` by RocksDB's name. Those with `nanos` or `time` in their name are nanoseconds.
    public let counters: [String: UInt64]
    /// All counters of `IOStatsContext` by RocksDB's name.
    public let ioCounters: [String: UInt64]

    /// A counter by RocksDB's name, such as `block_read_byte` or `fsync_nanos`; 0 if the installed library does not have it.
    public subscript(name: String) -> UInt64 { counters[name] ?? ioCounters[name] ?? 0 }

    /// The number of key comparisons.
    public var keyComparisons: UInt64 { self["user_key_comparison_count"] }
    /// The number of blocks found in the block cache.
    public var blockCacheHits: UInt64 { self["block_cache_hit_count"] }
    /// The number of blocks read from files.
    public var blockReads: UInt64 { self["block_read_count"] }
    /// The total size of blocks read from files.
    public var blockReadSize: ByteCount { ByteCount(bytes: Int64(clamping: self["block_read_byte"])) }
    /// The time spent reading blocks from files.
    public var blockReadTime: Duration { duration("block_read_time") }
    /// The time spent verifying block checksums.
    public var blockChecksumTime: Duration { duration("block_checksum_time") }
    /// The time spent decompressing blocks.
    public var blockDecompressionTime: Duration { duration("block_decompress_time") }
    /// The number of values read from blob files.
    public var blobReads: UInt64 { self["blob_read_count"] }
    /// The number of memtables that point reads searched.
    public var memtableReads: UInt64 { self["get_from_memtable_count"] }
    /// The time that point reads spent in memtables.
    public var memtableReadTime: Duration { duration("get_from_memtable_time") }
    /// The time that point reads spent in files.
    public var fileReadTime: Duration { duration("get_from_output_files_time") }
    /// The number of overwritten entries that cursors skipped.
    public var skippedKeys: UInt64 { self["internal_key_skipped_count"] }
    /// The number of deletions that cursors skipped.
    public var skippedDeletions: UInt64 { self["internal_delete_skipped_count"] }
    /// The time spent writing to the write-ahead log.
    public var logWriteTime: Duration { duration("write_wal_time") }
    /// The time spent writing to memtables.
    public var memtableWriteTime: Duration { duration("write_memtable_time") }
    /// The time that writes were deliberately delayed.
    public var writeDelayTime: Duration { duration("write_delay_time") }
    /// The time spent in merge operators.
    public var mergeOperatorTime: Duration { duration("merge_operator_time_nanos") }
    /// The number of files that a filter ruled out.
    public var filterHits: UInt64 { self["bloom_sst_miss_count"] }
    /// The number of bytes read from files.
    public var bytesRead: ByteCount { ByteCount(bytes: Int64(clamping: self["bytes_read"])) }
    /// The number of bytes written to files.
    public var bytesWritten: ByteCount { ByteCount(bytes: Int64(clamping: self["bytes_written"])) }
    /// The time spent syncing files.
    public var syncTime: Duration { duration("fsync_nanos") }

    private func duration(_ name: String) -> Duration { .nanoseconds(Int64(clamping: self[name])) }
}

/// Runs `body` and returns what its RocksDB calls cost on this thread.
///
/// ```swift
/// let report = try measuringPerformance(.timeExceptMutex) { value = try db.get("key") }
/// print(report.keyComparisons, report.blockReads, report.blockReadTime)
/// ```
///
/// Only the work of `body` itself is counted, not work that other threads do for it: flushes, compactions, and the writes of a group led by another
/// writer. Measurements may be nested; an inner one uses its own level.
///
/// - Complexity: A few microseconds, and what `level` adds to each call.
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

/// The counters of this thread since it started.
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
