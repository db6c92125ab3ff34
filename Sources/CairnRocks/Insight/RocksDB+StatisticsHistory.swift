import CRocks
import CairnCore

/// What was counted within one period of ``DatabaseOptions/statsPersistPeriod``.
public struct StatisticsRecord: Sendable, Hashable {
    /// When the period ended, in seconds since 1970.
    public let time: UInt64
    /// By how much each counter grew in the period, by RocksDB's name; the sums and counts of distributions are among them.
    public let counts: [String: UInt64]

    /// By how much a counter grew; `nil` if the record does not have it.
    public func count(of ticker: Statistics.Ticker) -> UInt64? { counts[ticker.name] }
}

extension RocksDB {
    /// What was counted period by period, oldest first; RocksDB's `GetStatsHistory`.
    ///
    /// Needs ``DatabaseOptions/statistics``; without, there are no records. A record is made each ``DatabaseOptions/statsPersistPeriod`` from
    /// the second on, and kept in memory up to ``DatabaseOptions/statsHistoryBufferSize``, or in the database itself with
    /// ``DatabaseOptions/persistStatsToDisk``, where it outlives closing.
    ///
    /// - Parameters:
    ///   - start: Only records from this time on, in seconds since 1970.
    ///   - end: Only records before this time.
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
