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
        for (place, first) in rows.enumerated() where rows.firstIndex(where: { $0.workload == first.workload }) == place {
            let stores = rows.filter { $0.workload == first.workload }.sorted { $0.size < $1.size }
            for (small, large) in zip(stores, stores.dropFirst()) {
                let ratios = large.times.map { side, time in
                    small.times.first { $0.side == side }.map { "\(side) \(Self.short(time / $0.time))" } ?? ""
                }
                let sizes = "\(Self.count(small.size)) | \(Self.count(large.size))"
                lines.append("| `\(large.workload)` | \(sizes) | \(ratios.joined(separator: ", ")) |")
            }
        }
        guard !lines.isEmpty else { return [] }
        return ["| workload | from | to | times as long |", "| --- | ---: | ---: | --- |"] + lines
    }
}
