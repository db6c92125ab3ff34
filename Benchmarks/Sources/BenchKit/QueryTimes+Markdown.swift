import Foundation

extension QueryTimes {
    /// A table of rows: times, and ratios to the rivals.
    func table(_ rows: [Row]) -> [String] {
        let names = rows.first.map { $0.times[0].side } ?? ""
        var lines = [
            "| | \((rivals + [names]).joined(separator: " | ")) | \(rivals.map { "of \($0)" }.joined(separator: " | ")) | |",
            "| --- |" + String(repeating: " ---: |", count: rivals.count * 2 + 1) + " --- |",
        ]
        for row in rows {
            let times = rivals.map { rival in row.times.first { $0.side == rival }.map { Self.short($0.time) } ?? "" }
            let ratios = rivals.map { rival -> String in
                guard let result = row.results.first(where: { $0.rival == rival }) else { return "" }
                return Self.short(result.judged) + (result.isMet == false ? " (goal \(fixed(result.goal ?? 0, 1)))" : "")
            }
            let cells = [title(row)] + times + ["**\(Self.short(row.times[0].time))**"] + ratios + [row.isMissed ? "**missed**" : "met"]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        return lines
    }

    /// What a query takes in a store, as a multiple of what it takes in the next smaller one.
    var growth: [String] {
        var lines: [String] = []
        for (small, large) in zip(sizes, sizes.dropFirst()) {
            for row in rows where row.size == large {
                guard let other = rows.first(where: { $0.workload == row.workload && $0.size == small }) else { continue }
                let ratios = row.times.map { side, time in
                    other.times.first { $0.side == side }.map { "\(side) \(fixed(time / $0.time, 2))" } ?? ""
                }
                lines.append("| `\(row.workload)` | \(Self.count(small)) | \(Self.count(large)) | \(ratios.joined(separator: ", ")) |")
            }
        }
        guard !lines.isEmpty else { return [] }
        return ["| workload | from | to | times as long |", "| --- | ---: | ---: | --- |"] + lines
    }
}
