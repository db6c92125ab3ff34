import Foundation

/// What all sides take for queries, in stores of one size: a line for each query.
struct QueryTimes {
    /// What the names of their workloads begin with.
    static let store = "queries"

    struct Row {
        let workload: String
        let summary: String
        /// Of the store, or of what grows in it; 0 where there is nothing of the kind.
        let size: Int
        /// Microseconds, the subject's first.
        var times: [(side: String, time: Double)]
        /// Beside each rival.
        var results: [Measured]

        var isMissed: Bool { results.contains { $0.isMet == false } }
    }

    /// In the order in which they were measured.
    let rows: [Row]
    /// The rivals, in this order.
    let rivals: [String]

    init(_ report: Report) {
        var rows: [Row] = [], rivals: [String] = []
        for result in report.results where result.store == Self.store {
            guard let size = Int(result.variant ?? "0"), let factor = ["ns": 1e-3, "ms": 1e3][result.unit] else { continue }
            var place = rows.firstIndex { $0.workload == result.workload && $0.size == size }
            if place == nil {
                place = rows.count
                let own = [(result.subject, result.value * factor)]
                rows.append(Row(workload: result.workload, summary: result.summary, size: size, times: own, results: []))
            }
            guard let place else { continue }
            rows[place].results.append(result)
            guard let rival = result.rival, let value = result.rivalValue else { continue }
            rows[place].times.append((rival, value * factor))
            if !rivals.contains(rival) { rivals.append(rival) }
        }
        self.rows = rows
        self.rivals = rivals
    }

    /// Sizes, the smallest first.
    var sizes: [Int] { Set(rows.map(\.size)).subtracting([0]).sorted() }

    /// The size that a chart shows: the largest of at most a million that most queries were measured with.
    var usualSize: Int? {
        let counts = sizes.map { size in (size: size, count: rows.count { $0.size == size }) }
        let most = counts.map(\.count).max() ?? 0
        let common = counts.filter { $0.count * 2 > most }.map(\.size)
        return common.last { $0 <= 1_000_000 } ?? common.last
    }

    /// A row for each query: in a store of that size, or the largest that is smaller.
    var usual: [Row] {
        guard let usualSize else { return [] }
        var usual: [Row] = []
        for row in rows where row.size <= usualSize {
            guard let place = usual.firstIndex(where: { $0.workload == row.workload }) else {
                usual.append(row)
                continue
            }
            if usual[place].size < row.size { usual[place] = row }
        }
        return usual
    }

    /// What a row is about, with its size where that is not the usual one.
    func title(_ row: Row) -> String {
        row.size == usualSize || row.size == 0 ? row.summary : "\(row.summary) (\(Self.count(row.size)))"
    }

    /// Microseconds or ratios: three digits say something.
    static func short(_ number: Double) -> String {
        let text = fixed(number, number >= 100 ? 0 : number >= 10 ? 1 : 2)
        return Int(text).map(count) ?? text
    }

    /// A number of things with its thousands apart.
    static func count(_ number: Int) -> String {
        number < 10_000 ? "\(number)" : number.formatted(.number.locale(Locale(identifier: "en_US")))
    }
}
