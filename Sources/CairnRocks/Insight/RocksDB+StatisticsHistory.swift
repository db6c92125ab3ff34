import CRocks
import CairnCore

/// The statistics of one ``DatabaseOptions/statsPersistPeriod``.
public struct StatisticsRecord: Sendable, Hashable {
    /// The end of the period, in seconds since 1970.
    public let time: UInt64
    /// The increase of each counter during the period, by RocksDB's name; includes the sums and counts of distributions.
    public let counts: [String: UInt64]

    /// Returns the increase of a counter; `nil` if the record does not have it.
    public func count(of ticker: Statistics.Ticker) -> UInt64? { counts[ticker.name] }
}

extension RocksDB {
    /// Returns the statistics of each period, oldest first; RocksDB's `GetStatsHistory`.
    ///
    /// Requires ``DatabaseOptions/statistics``; without them, there are no records. RocksDB adds a record every
    /// ``DatabaseOptions/statsPersistPeriod``, starting with the second. It keeps the records in memory, up to
    /// ``DatabaseOptions/statsHistoryBufferSize``, or with ``DatabaseOptions/persistStatsToDisk`` in the database itself, where they persist
    /// after closing.
    ///
    /// - Parameters:
    ///   - start: The earliest time of a record to return, in seconds since 1970. Default: 0.
    ///   - end: The time before which all returned records ended, in seconds since 1970. Default: no limit.
    public func statisticsHistory(from start: UInt64 = 0, to end: UInt64 = .max) throws(RocksError) -> [StatisticsRecord] {
        let (status, items) = unsafe Collector<HistoryItem>.collect { context in
            unsafe crk_statistics_history(
                handle.pointer,
                start,
                end,
                context,
                { context, seconds in unsafe Collector<HistoryItem>.add(.time(seconds), to: context) },
                { context, name, number in unsafe Collector<HistoryItem>.add(.count(name.text, number), to: context) }
            )
        }
        try status.check("reading the statistics history of '\(path)'")
        var records: [StatisticsRecord] = []
        var counts: [String: UInt64] = [:]
        // A time begins a record; its counts follow.
        for item in items.reversed() {
            switch item {
            case .count(let name, let number): counts[name] = number
            case .time(let seconds):
                records.append(StatisticsRecord(time: seconds, counts: counts))
                counts = [:]
            }
        }
        return records.reversed()
    }
}

private enum HistoryItem {
    case time(UInt64)
    case count(String, UInt64)
}
