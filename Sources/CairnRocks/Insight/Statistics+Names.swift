import CRocks
import CairnCore

extension Statistics {
    /// One of RocksDB's counters; `rocksdb::Tickers`. The set is open: any other counter can be created from RocksDB's name.
    ///
    /// Counts start at zero when the ``Statistics`` are created, and add up over all databases that use them.
    public struct Ticker: Hashable, Sendable, CustomStringConvertible {
        /// RocksDB's name, such as `rocksdb.bytes.written`.
        public let name: String
        /// Creates a counter by RocksDB's name, for one that has no member here.
        public init(name: String) { self.name = name }
        public var description: String { name }
    }

    /// One of RocksDB's distributions; `rocksdb::Histograms`. The set is open: any other distribution can be created from RocksDB's name.
    public struct HistogramKind: Hashable, Sendable, CustomStringConvertible {
        /// RocksDB's name, such as `rocksdb.db.get.micros`.
        public let name: String
        /// Creates a distribution by RocksDB's name, for one that has no member here.
        public init(name: String) { self.name = name }
        public var description: String { name }
    }

    /// Returns the count of a ticker, or `nil` if the installed library does not have it.
    ///
    /// ```swift
    /// let written = statistics.count(of: .bytesWritten) ?? 0
    /// ```
    public func count(of ticker: Ticker) -> UInt64? { count(of: ticker, resetting: false) }

    /// Returns the count of a ticker, or `nil` if the installed library does not have it, and atomically resets it to zero, so that nothing is
    /// lost or counted twice; RocksDB's `getAndResetTickerCount`.
    public func takeCount(of ticker: Ticker) -> UInt64? { count(of: ticker, resetting: true) }

    private func count(of ticker: Ticker, resetting: Bool) -> UInt64? {
        var count: UInt64 = 0
        let isKnown = ticker.name.withBytes { name in
            unsafe name.withShimBytes { unsafe crk_statistics_count(handle.pointer, $0, resetting, &count) }
        }
        return isKnown ? count : nil
    }

    /// Returns a distribution, or `nil` if the installed library does not have it. A distribution without measurements has the count 0.
    public func histogram(of kind: HistogramKind) -> Histogram? {
        var data = crk_histogram()
        let isKnown = kind.name.withBytes { name in
            unsafe name.withShimBytes { unsafe crk_statistics_histogram(handle.pointer, $0, &data) }
        }
        return isKnown ? Histogram(data) : nil
    }

    /// Returns all counters and distributions, one per line, as RocksDB writes them to its log.
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

/// How much is counted and measured; RocksDB's `StatsLevel`. Each level adds to the previous one.
public enum StatsLevel: UInt8, Sendable, Comparable, CaseIterable {
    /// Nothing.
    case disabled
    /// Counters.
    case exceptHistogramsOrTimers
    /// Also distributions of sizes and numbers.
    case exceptTimers
    /// Also times, except those of compression and of waiting for mutexes. The default.
    case exceptDetailedTimers
    /// Also the time of compression.
    case exceptTimeForMutex
    /// Also the time of waiting for mutexes, which slows down writers on many threads.
    case all

    public static func < (lhs: StatsLevel, rhs: StatsLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Statistics {
    /// How much is counted and measured; can be changed at any time, from any thread. Default: ``StatsLevel/exceptDetailedTimers``.
    public var level: StatsLevel {
        get { unsafe StatsLevel(rawValue: crk_statistics_level(handle.pointer)) ?? .all }
        set { unsafe crk_statistics_set_level(handle.pointer, newValue.rawValue) }
    }
}
