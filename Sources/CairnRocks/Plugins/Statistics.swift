import CRocks
import CairnCore

/// The counters and timings of the databases that use it; RocksDB's `Statistics`.
///
/// ```swift
/// var options = DatabaseOptions(createIfMissing: true)
/// options.statistics = try Statistics()
/// let db = try RocksDB(path: path, options: options)
/// // ...
/// print(options.statistics!.count(of: .bytesWritten) ?? 0)
/// ```
///
/// Costs a few percent of throughput. Safe to use from any thread.
public final class Statistics: Sendable {
    let handle: ObjectHandle

    /// Creates statistics with all counters at zero.
    public init() throws(RocksError) {
        handle = unsafe try ObjectHandle(crk_statistics_create(), "statistics") { unsafe crk_statistics_release($0) }
    }

    /// All counters of the installed library by RocksDB's name, such as `rocksdb.block.cache.hit`.
    public var tickers: [String: UInt64] {
        let (_, counts) = unsafe Collector<(String, UInt64)>.collect { context in
            unsafe crk_statistics_tickers(handle.pointer, context) { context, name, count in
                unsafe Collector<(String, UInt64)>.add((name.text, count), to: context)
            }
        }
        return Dictionary(counts) { _, last in last }
    }

    /// All distributions of the installed library by RocksDB's name, such as `rocksdb.db.get.micros`.
    public var histograms: [String: Histogram] {
        let (_, histograms) = unsafe Collector<(String, Histogram)>.collect { context in
            unsafe crk_statistics_histograms(handle.pointer, context) { context, name, data in
                unsafe Collector<(String, Histogram)>.add((name.text, Histogram(data)), to: context)
            }
        }
        return Dictionary(histograms) { _, last in last }
    }

    /// Resets all counters and distributions to zero.
    public func reset() throws(RocksError) {
        try unsafe crk_statistics_reset(handle.pointer).check("resetting statistics")
    }
}

/// A distribution of measured values; its name includes the unit (`micros`, `bytes`, a count).
public struct Histogram: Sendable, Hashable {
    /// The median, interpolated between the bounds of buckets like the percentiles.
    public let median: Double
    /// The value that 95 of 100 values are below.
    public let percentile95: Double
    /// The value that 99 of 100 values are below.
    public let percentile99: Double
    /// The sum divided by the count.
    public let average: Double
    /// The standard deviation.
    public let standardDeviation: Double
    /// The smallest value; zero if there is none.
    public let minimum: Double
    /// The largest value.
    public let maximum: Double
    /// The number of values.
    public let count: UInt64
    /// The sum of all values.
    public let sum: UInt64

    init(_ data: crk_histogram) {
        median = data.median
        percentile95 = data.percentile95
        percentile99 = data.percentile99
        average = data.average
        standardDeviation = data.standard_deviation
        minimum = data.minimum
        maximum = data.maximum
        count = data.count
        sum = data.sum
    }
}
