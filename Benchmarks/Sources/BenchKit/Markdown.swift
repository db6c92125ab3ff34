import Foundation

/// Results as Markdown.
public enum Markdown {
    /// A store as its readers know it, and what it is measured beside.
    static let stores: [(key: String, title: String, note: String)] = [
        ("rocks", "CairnRocks", "beside the same program in C++ on the same RocksDB"),
        ("cdb", "CairnCDB", "beside libcdb (tinycdb) on the same files"),
        ("mapped", "CairnMapped", "beside LMDB in C, a dictionary behind a lock, and SQLite through GRDB"),
        ("objects", "CairnObjects", "beside SQLite in C and GRDB's records"),
        (QueryTimes.store, "Queries", "beside SQLite in C and GRDB's records"),
        ("text", "Full text", "beside SQLite's FTS5 in C, with the trigram tokenizer"),
        ("encryption", "Encryption", "beside the same store without"),
        ("curve", "The cost of an object", "as stores grow"),
    ]

    /// All results, with where they were made.
    public static func page(_ report: Report) -> String {
        var lines = [
            "<!-- made by scripts/bench-report from results.json -->", "# Results", "",
            "\(report.machine.description).", "", "\(report.conditions). Measured \(report.date.prefix(10)).", "",
            "\(Table.summary(report)).",
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
        let growth = QueryTimes(report).growth
        if !growth.isEmpty {
            lines += ["", "## Growth of queries", "", "What a query takes as a multiple of what it takes in a smaller store.", ""] + growth
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How many goals are met, and, to be unfolded, all that has a goal, store by store: ratios, and what Cairn takes by itself.
    public static func summary(_ report: Report) -> String {
        let machine = report.machine, met = report.goalCount - report.missed.count
        var lines = [
            "\(met) of \(report.goalCount) goals are met, those for Cairn by itself included; \(machine.processor), \(machine.cores) cores, \(machine.system), \(report.date.prefix(10)); "
                + "load before the run \(fixed(machine.load, 1)). \(report.conditions)."
        ]
        if !QueryTimes(report).usual.isEmpty { lines += ["", "![What queries take](docs/benchmarks/queries.svg)"] }
        lines += ["", "<details><summary>Everything with a goal</summary>"]
        for store in stores {
            let results = report.results.filter { $0.store == store.key && $0.goal != nil }
            guard !results.isEmpty else { continue }
            guard store.key != QueryTimes.store else {
                let times = QueryTimes(report), rows = times.usual
                let size = times.usualSize.map { " in a store of \(QueryTimes.count($0)) objects, in microseconds" } ?? ""
                lines += ["", "**\(store.title)** \(store.note)\(size):", ""] + times.table(rows)
                continue
            }
            lines += ["", "**\(store.title)** \(store.note):", "", "| | beside | Cairn | goal | |", "| --- | --- | ---: | ---: | --- |"]
            lines += results.map { result in
                let what = result.variant.map { "\(result.summary) (\($0))" } ?? result.summary
                let unit = result.rival == nil ? " \(result.unit)" : ""
                let taken = result.rival == nil ? Table.short(result.judged) : fixed(result.judged, 2)
                return "| \(what) | \(result.rival ?? "") | \(taken)\(unit) | \(goal(result))\(unit) | \(verdict(result)) |"
            }
        }
        lines += ["", "</details>"]
        return lines.joined(separator: "\n") + "\n\n"
    }

    private static func goal(_ result: Measured) -> String { result.goal.map { fixed($0, $0 < 10 ? 2 : 0) } ?? "" }
    private static func verdict(_ result: Measured) -> String { result.isMet.map { $0 ? "met" : "**missed**" } ?? "" }
}
