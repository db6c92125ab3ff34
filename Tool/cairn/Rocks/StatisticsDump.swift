import CairnCore
import CairnToolKit

/// The latest statistics that a program has written to the text log of its database.
struct StatisticsDump {
    struct Histogram {
        /// P50, P95, P99 and the largest.
        let percentiles: [Double]
        let count: UInt64
        let sum: UInt64
    }

    /// The time, in the format of the text log.
    let time: String
    private(set) var counters: [(name: String, count: UInt64)] = []
    private(set) var histograms: [(name: String, Histogram)] = []

    /// - Throws: A failure if the log contains none.
    static func last(ofDatabaseAt path: String) throws -> StatisticsDump {
        let log = FileSystem.join(path, "LOG")
        if (try? FileSystem.system.stat(log)) != nil {
            let file = try File(log, .read)
            let bytes = try file.read(Int(clamping: file.status().size), at: 0)
            if let dump = StatisticsDump(log: String(decoding: bytes, as: UTF8.self)) { return dump }
        }
        throw Failure(
            .no,
            "The text log of '\(path)' does not contain statistics.",
            hint:
                "A program that opens the database with statistics writes them there every stats_dump_period_sec (by default ten minutes)."
        )
    }

    /// `nil` if the text contains none.
    init?(log: String) {
        var dump: StatisticsDump?
        var isInside = false
        for line in log.split(separator: "\n") {
            if line.hasSuffix("STATISTICS:") {
                dump = StatisticsDump(time: String(line.prefix { $0 != " " }))
                isInside = true
            } else if isInside {
                let words = line.split(separator: " ")
                isInside = words.first?.hasPrefix("rocksdb.") == true && dump?.add(words) == true
            }
        }
        guard let dump else { return nil }
        self = dump
    }

    private init(time: String) { self.time = time }

    /// `NAME COUNT : n`, or `NAME P50 : x P95 : x P99 : x P100 : x COUNT : n SUM : n`.
    private mutating func add(_ words: [Substring]) -> Bool {
        var fields: [Substring: Substring] = [:]
        for index in stride(from: 1, to: words.count - 2, by: 3) where words[index + 1] == ":" { fields[words[index]] = words[index + 2] }
        guard let count = fields["COUNT"].flatMap({ UInt64($0) }) else { return false }
        let percentiles = ["P50", "P95", "P99", "P100"].compactMap { name in fields[Substring(name)].flatMap { Double($0) } }
        if percentiles.count == 4, let sum = fields["SUM"].flatMap({ UInt64($0) }) {
            histograms.append((String(words[0]), Histogram(percentiles: percentiles, count: count, sum: sum)))
        } else {
            counters.append((String(words[0]), count))
        }
        return true
    }

    /// Keeps only these kinds.
    mutating func keep(counters: Bool, histograms: Bool) {
        if !counters { self.counters = [] }
        if !histograms { self.histograms = [] }
    }

    /// Keeps only those in `names`.
    mutating func keep(_ names: [String]) throws {
        for name in names where !counters.contains(where: { $0.name == name }) && !histograms.contains(where: { $0.0 == name }) {
            throw Failure(.no, "There is no counter or histogram '\(name)'.", hint: "List them with --counters and --histograms.")
        }
        counters.removeAll { !names.contains($0.name) }
        histograms.removeAll { !names.contains($0.0) }
    }

    /// - Parameter hidesZeros: Whether to omit counters and histograms that are zero.
    func write(hidesZeros: Bool, to output: OutputWriter) throws {
        try output.writeLine("Written at \(time)")
        let counters = counters.filter { !hidesZeros || $0.count > 0 }, histograms = histograms.filter { !hidesZeros || $0.1.count > 0 }
        if !counters.isEmpty {
            var table = TextTable(["counter", "count"], [.left, .right])
            for (name, count) in counters { table.append([name, Numbers.grouped(count)]) }
            try output.writeLine()
            try output.write(table)
        }
        if !histograms.isEmpty {
            var table = TextTable(
                ["histogram", "count", "median", "p95", "p99", "max", "sum"],
                [.left, .right, .right, .right, .right, .right, .right]
            )
            for (name, histogram) in histograms {
                let percentiles = histogram.percentiles.map { "\(($0 * 10).rounded() / 10)" }
                table.append([name, Numbers.grouped(histogram.count)] + percentiles + [Numbers.grouped(histogram.sum)])
            }
            try output.writeLine()
            try output.write(table)
        }
    }

    var json: JSONValue {
        .object([
            ("written", .string(time)),
            ("counters", .object(counters.map { ($0.name, .unsigned($0.count)) })),
            (
                "histograms",
                .object(
                    histograms.map { name, histogram in
                        let names = ["median", "p95", "p99", "max"]
                        let percentiles = zip(names, histogram.percentiles).map { ($0, JSONValue.double($1)) }
                        return (name, .object([("count", .unsigned(histogram.count))] + percentiles + [("sum", .unsigned(histogram.sum))]))
                    }
                )
            ),
        ])
    }
}
