import CRocks
import CairnCore

extension Statistics {
    /// One of RocksDB's counters; `rocksdb::Tickers`. An open set: any other can be made from RocksDB's name.
    ///
    /// Counts begin at zero when the ``Statistics`` are made, and add up what all databases do that they are given to.
    public struct Ticker: Hashable, Sendable, CustomStringConvertible {
        /// RocksDB's name, such as `rocksdb.bytes.written`.
        public let name: String
        /// A counter by RocksDB's name, for what has no member here.
        public init(name: String) { self.name = name }
        public var description: String { name }
    }

    /// One of RocksDB's distributions; `rocksdb::Histograms`. An open set: any other can be made from RocksDB's name.
    public struct HistogramKind: Hashable, Sendable, CustomStringConvertible {
        /// RocksDB's name, such as `rocksdb.db.get.micros`.
        public let name: String
        /// A distribution by RocksDB's name, for what has no member here.
        public init(name: String) { self.name = name }
        public var description: String { name }
    }

    /// The count of a ticker; `nil` if the installed library does not have it.
    ///
    /// ```swift
    /// let written = statistics.count(of: .bytesWritten) ?? 0
    /// ```
    public func count(of ticker: Ticker) -> UInt64? { count(of: ticker, resetting: false) }

    /// The count of a ticker, which goes back to zero in the same instant, so that nothing is counted twice or lost; RocksDB's
    /// `getAndResetTickerCount`. `nil` if the installed library does not have it.
    public func takeCount(of ticker: Ticker) -> UInt64? { count(of: ticker, resetting: true) }

    private func count(of ticker: Ticker, resetting: Bool) -> UInt64? {
        var count: UInt64 = 0
        let isKnown = ticker.name.withBytes { name in
            unsafe name.withShimBytes { unsafe crk_statistics_count(handle.pointer, $0, resetting, &count) }
        }
        return isKnown ? count : nil
    }

    /// A distribution; `nil` if the installed library does not have it. One of which nothing was measured has the count 0.
    public func histogram(of kind: HistogramKind) -> Histogram? {
        var data = crk_histogram()
        let isKnown = kind.name.withBytes { name in
            unsafe name.withShimBytes { unsafe crk_statistics_histogram(handle.pointer, $0, &data) }
        }
        return isKnown ? Histogram(data) : nil
    }

    /// Everything counted and measured, a line for each, as RocksDB writes it to its log.
    public func report() throws(RocksError) -> String {
        let (status, texts) = unsafe Collector<String>.collect { context in
            unsafe crk_statistics_text(handle.pointer, context) { context, text in
                unsafe Collector<String>.add(text.text, to: context)
            }
        }
        try status.check("reporting statistics")
        return texts.first ?? ""
    }
}

/// How much is counted and measured; RocksDB's `StatsLevel`. Each level adds to the one before.
public enum StatsLevel: UInt8, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case disabled
    /// Counters.
    case exceptHistogramsOrTimers
    /// Distributions of sizes and numbers too.
    case exceptTimers
    /// Times too, but for those of compressing and of waiting for mutexes. The default.
    case exceptDetailedTimers
    /// The time of compressing too.
    case exceptTimeForMutex
    /// The time of waiting for mutexes too, which slows down writers on many threads.
    case all

    public static func < (lhs: StatsLevel, rhs: StatsLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Statistics {
    /// How much is counted and measured; may be changed at any time, from any thread. Default: ``StatsLevel/exceptDetailedTimers``.
    public var level: StatsLevel {
        get { unsafe StatsLevel(rawValue: crk_statistics_level(handle.pointer)) ?? .all }
        set { unsafe crk_statistics_set_level(handle.pointer, newValue.rawValue) }
    }
}
