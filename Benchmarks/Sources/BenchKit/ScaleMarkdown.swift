/// How costs grow, as Markdown.
public enum ScaleMarkdown {
    public static func page(_ report: ScaleReport) -> String {
        let sizes = report.runs.map { QueryTimes.count($0.size) }
        return
            ([
                "<!-- made by scripts/bench-report from scale.json -->", "# How cost grows", "",
                "The same work in stores of \(sizes.dropLast().joined(separator: ", ")) and \(sizes.last ?? "") objects, rows, records and keys, beside the same rival in the same run. "
                    + "`make bench-scale` repeats it.", "", "\(report.machine.description). Measured \(report.date.prefix(10)).", "",
                "![What operations cost in stores of several sizes](scale.svg)", "",
                "Each cell has what Cairn takes, and in brackets the multiple of what the rival takes. The last column says how many times as large the multiple is in the largest store as in the smallest: "
                    + "above 1, Cairn's cost grows faster than the rival's. [What grows, and why](../benchmarks.md#larger-stores).", "",
            ] + table(report)).joined(separator: "\n") + "\n"
    }

    public static func table(_ report: ScaleReport) -> [String] {
        let sizes = report.runs.map(\.size)
        var lines = [
            "| what | beside | \(sizes.map(QueryTimes.count).joined(separator: " | ")) | growth |",
            "| --- | --- | \(sizes.map { _ in "---:" }.joined(separator: " | ")) | ---: |",
        ]
        for line in ScaleChart.workloads.flatMap({ ScaleLine.lines($0, report) }) {
            let cells = sizes.map { size in
                line.points.first { $0.size == size }.map { "\(quantity($0.value, line.unit)) (\(fixed($0.ratio, 2)))" } ?? ""
            }
            let growth = fixed(line.growth, 2)
            let emphasized = line.growth > 1.3 ? "**\(growth)**" : growth
            lines.append("| \(line.label) | \(line.rival) | \(cells.joined(separator: " | ")) | \(emphasized) |")
        }
        return lines
    }

    /// A number and its unit, as people write them.
    static func quantity(_ value: Double, _ unit: String) -> String {
        guard unit == "ns" || unit == "ms" else { return "\(Table.short(value)) \(unit)" }
        let nanoseconds = unit == "ms" ? value * 1e6 : value
        return switch nanoseconds {
        case ..<1e3: "\(Table.short(nanoseconds)) ns"
        case ..<1e6: "\(Table.short(nanoseconds / 1e3)) µs"
        default: "\(Table.short(nanoseconds / 1e6)) ms"
        }
    }
}
