import Foundation

/// Results as Markdown.
public enum Markdown {
    /// A store as its readers know it, and what it is compared with.
    static let stores: [(key: String, title: String, note: String)] = [
        ("rocks", "CairnRocks", "compared with the same program in C++ on the same RocksDB"),
        ("cdb", "CairnCDB", "compared with libcdb (tinycdb) on the same files"),
        ("mapped", "CairnMapped", "compared with LMDB in C, a dictionary behind a lock, and SQLite through GRDB"),
        ("objects", "CairnObjects", "compared with SQLite in C and GRDB's records"),
        (QueryTimes.store, "Queries", "compared with SQLite in C and GRDB's records"),
        ("text", "Full text", "compared with SQLite's FTS5 in C, with the trigram tokenizer"),
        ("encryption", "Encryption", "compared with the same store without"),
        ("objects-sqlite", "Objects on SQLite", "compared with SQLite in C and GRDB's records; two writing processes compared with one"),
        ("queries-sqlite", "Queries on SQLite", "compared with the same queries on RocksDB"),
        ("live", "Live queries", "compared with the save alone"),
        ("live-sqlite", "Live queries on SQLite", "compared with the save alone; how soon another process has what was saved"),
    ]

    /// Those of which the README has a line: without what compares Cairn's engines, or a live query with a save.
    static let summarized = stores.filter { !$0.key.hasSuffix("-sqlite") && !$0.key.hasPrefix("live") }

    /// All results, with where they were made.
    public static func page(_ report: Report) -> String {
        var lines = [
            "<!-- made by scripts/bench-report from results.json -->", "# Results", "",
            "\(report.machine.description).", "", "\(report.conditions). Measured \(report.date.prefix(10)).", "",
            "\(report.goalCount - report.missed.count) of \(report.goalCount) goals are met; the others are marked **missed**.",
            "", "[How to read them](../benchmarks.md).",
        ]
        for note in report.notes { lines += ["", "\(note)."] }
        for store in stores {
            let results = report.results.filter { $0.store == store.key }
            guard !results.isEmpty else { continue }
            lines += [
                "", "## \(store.title)", "", "\(store.note.prefix(1).uppercased() + store.note.dropFirst()).", "",
                "| workload | | rival | Cairn | rival | unit | ratio | by round | goal | |",
                "| --- | --- | --- | ---: | ---: | --- | ---: | ---: | ---: | --- |",
            ]
            lines += results.map { result in
                let cells = [
                    "`\(result.title)`", result.summary, result.rival ?? "", Table.short(result.value),
                    result.rivalValue.map(Table.short) ?? "", result.unit, result.ratio.map { fixed($0, 2) } ?? "",
                    result.roundRatio.map { fixed($0, 2) } ?? "", goal(result), verdict(result),
                ]
                return "| \(cells.joined(separator: " | ")) |"
            }
        }
        let queries = QueryTimes(report), growth = queries.growth
        if let size = queries.usualSize {
            let conditions = "Microseconds in a store of \(QueryTimes.count(size)) objects, and the ratios to the rivals."
            lines += ["", "## Queries side by side", "", conditions, ""] + queries.table(queries.usual)
        }
        if !growth.isEmpty {
            lines += ["", "## Growth of queries", "", "What a query takes as a multiple of what it takes in a smaller store.", ""] + growth
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For the README: the chart, how many goals are met, and a line for each store.
    public static func summary(_ report: Report) -> String {
        let machine = report.machine, met = report.goalCount - report.missed.count
        let place = "\(machine.processor), \(machine.cores) cores, \(machine.system)"
        var lines = [
            "![Ratios to the rivals, with the goals](docs/benchmarks/chart.svg)", "",
            "\(met) of \(report.goalCount) goals were met on \(report.date.prefix(10)) (\(place)). "
                + "The time or space that Cairn takes, as a multiple of the rival's:", "",
        ]
        let queries = QueryTimes(report)
        for store in summarized {
            let isQueries = store.key == QueryTimes.store
            let all = isQueries ? queries.usual.flatMap(\.results) : report.results.filter { $0.store == store.key }
            let results = all.filter { $0.goal != nil }
            let ranges = ranges(of: results, beside: isQueries ? queries.rivals : all.compactMap(\.rival))
            guard !ranges.isEmpty else { continue }
            let metHere = results.count { $0.isMet == true }
            lines.append("- **\(store.title)**: \(ranges.joined(separator: ", ")); \(metHere) of \(results.count) goals met")
        }
        return lines.joined(separator: "\n") + "\n\n"
    }

    /// The smallest, the largest and the median ratio to each of the rivals with which there are goals.
    private static func ranges(of results: [Measured], beside rivals: [String]) -> [String] {
        var ranges: [String] = [], seen: Set<String> = []
        for rival in rivals where others.contains(rival) && seen.insert(rival).inserted {
            let ratios = results.filter { $0.rival == rival }.map(\.judged).sorted()
            guard let first = ratios.first, let last = ratios.last else { continue }
            let range = ratios.count == 1 ? times(first) : "\(times(first)) to \(times(last))"
            let median = ratios.count == 1 ? "" : " (median \(times(ratios[ratios.count / 2])))"
            ranges.append("\(range) of \(names[rival] ?? rival)\(median)")
        }
        return ranges
    }

    /// Those that are not Cairn doing the same in another way.
    private static let others: Set = ["C++", "libcdb", "LMDB", "C, same design", "SQLite", "GRDB", "FTS5", "plain"]
    /// Rivals whose names say little outside a table.
    private static let names = [
        "C++": "the same program in C++", "C, same design": "the same design in C", "plain": "the same store without encryption",
    ]

    private static func times(_ ratio: Double) -> String { ratio < 0.01 ? "less than 0.01" : fixed(ratio, ratio < 10 ? 2 : 1) }
    private static func goal(_ result: Measured) -> String { result.goal.map { fixed($0, $0 < 10 ? 2 : 0) } ?? "" }
    private static func verdict(_ result: Measured) -> String { result.isMet.map { $0 ? "met" : "**missed**" } ?? "" }
}
