import CairnCDB
import CairnCore
import CairnToolKit

/// The chapter about constant databases.
struct CDBChapter {
    let data: TourData
    let path: String
    let stage: TourStage

    func run() throws {
        try write()
        try read()
    }

    private func write() throws {
        try stage.section(
            "Create a constant database",
            "A single file, written once and replaced as a whole: readers see the old one until the new one is on disk.",
            code: "let writer = try CDBWriter(path: path)",
            "for item in data { try writer.put(item.text, for: item.name) }",
            "try writer.finish()"
        ) {
            let (_, time, duration) = try stage.measure {
                let writer = try CDBWriter(path: path)
                for item in data.items { try writer.put(item.text, for: item.name) }
                try writer.finish()
            }
            let statistics = try CDBReader(path: path).statistics()
            var table = TextTable(["", ""], [.left, .right])
            table.append(["records", Numbers.grouped(statistics.recordCount)])
            table.append(["found at first probe", Numbers.grouped(statistics.distances[0])])
            let rate = Numbers.rate(data.items.count, in: duration).map { " (\($0))" } ?? ""
            return TourResult(table: table, summary: "\(Numbers.grouped(data.items.count)) written and synced in \(time)\(rate)")
        }
    }

    private func read() throws {
        try stage.section(
            "Look up one key, and all keys",
            "A lookup reads the file in two places. Many at once overlap their memory accesses.",
            code: "let reader = try CDBReader(path: path)",
            "let text: String? = try reader.get(\"\(data.example.name)\")",
            "let texts = try reader.multiGet(names, as: String.self)"
        ) {
            let reader = try CDBReader(path: path)
            let (text, getTime, _) = try stage.measure { try reader.get(data.example.name, as: String.self) }
            let names = data.items.map(\.name)
            let (texts, time, _) = try stage.measure { try reader.multiGet(names, as: String.self) }
            var table = TextTable([data.labels.name, data.labels.text])
            table.append([data.cut(data.example.name), data.cut(text ?? "missing")])
            return TourResult(
                table: table,
                summary: "one read in \(getTime), \(Numbers.grouped(texts.count { $0 != nil })) at once in \(time)"
            )
        }
    }
}
