import CairnCore
import CairnMapped
import CairnToolKit

/// The chapter about mapped stores.
struct MappedChapter {
    let data: TourData
    let path: String
    let stage: TourStage
    private let store: MappedStore

    init(data: TourData, path: String, stage: TourStage) throws {
        self.data = data
        self.path = path
        self.stage = stage
        store = try Self.open(path, data, stage)
    }

    func run() throws {
        try change()
        try damage()
    }

    private static func open(_ path: String, _ data: TourData, _ stage: TourStage) throws -> MappedStore {
        var opened: MappedStore?
        try stage.section(
            "Keep preferences",
            "Typed values in a mapped file. There is no save call: values survive a crash of the process as soon as they are set.",
            code: "let settings = try MappedStore(path: path)",
            "for (group, count) in groups { try settings.set(count, for: group) }",
            "let count = try settings.get(\"\(data.example.group)\", default: 0)"
        ) {
            let store = try MappedStore(path: path)
            opened = store
            let (_, time, _) = try stage.measure { for (group, count) in data.groups { try store.set(count, for: group) } }
            let (count, getTime, _) = try stage.measure { try store.get(data.example.group, default: 0) }
            var table = TextTable([data.labels.group, data.noun], [.left, .right])
            table.append([data.example.group, Numbers.grouped(count)])
            return TourResult(
                table: table,
                summary: "\(Numbers.counted(data.groups.count, "value", "values")) set in \(time), one read in \(getTime)"
            )
        }
        return opened!
    }

    private func change() throws {
        let group = data.example.group
        let added = data.unused("a new one")
        try stage.section(
            "Change several values, or none",
            "This transaction sets two values and then throws: no thread or process ever sees either of them.",
            code: "try settings.transaction { changes in",
            "    try changes.set(0, for: \"\(group)\")",
            "    try changes.set(1, for: \"\(added)\")",
            "    throw CancellationError()",
            "}"
        ) {
            var table = TextTable(["", group, added], [.left, .right, .right])
            func show(_ when: String) throws {
                let new = try store.get(added, as: Int.self)
                table.append([when, Numbers.grouped(try store.get(group, default: 0)), new.map { Numbers.grouped($0) } ?? "missing"])
            }
            try show("before")
            let (_, time, _) = stage.measure {
                try? store.transaction { changes in
                    try changes.set(0, for: group)
                    try changes.set(1, for: added)
                    throw CancellationError()
                }
            }
            try show("after")
            return TourResult(table: table, summary: "rolled back in \(time)")
        }
    }

    private func damage() throws {
        let victim = data.unused("victim")
        try stage.section(
            "Damage a byte",
            "Every value has a checksum: a damaged one throws an error and never returns wrong data; all others are intact.",
            code: "try settings.set(\"text to be damaged\", for: \"\(victim)\")",
            "file[offset] ^= 1",
            "try settings.get(\"\(victim)\", as: String.self)"
        ) {
            let text = "text to be damaged"
            try store.set(text, for: victim)
            try store.close()
            try Self.damage(text, in: path)
            let damaged = try MappedStore(path: path)
            var table = TextTable(["", ""])
            do {
                table.append([victim, try damaged.get(victim, as: String.self) ?? "missing"])
            } catch let error as MappedStoreError {
                table.append([victim, error.code.description])
            }
            table.append([data.example.group, Numbers.grouped(try damaged.get(data.example.group, default: 0))])
            let (report, time, _) = try stage.measure { try damaged.verify() }
            try damaged.remove(victim)
            try damaged.close()
            return TourResult(
                table: table,
                summary: "verified in \(time): \(report.damagedKeys.count) damaged, \(Numbers.grouped(report.intactCount)) intact"
            )
        }
    }

    /// Changes a bit of a text.
    private static func damage(_ text: String, in path: String) throws {
        let file = try File(path, [.read, .write])
        let bytes = try file.read(Int(file.status().size), at: 0)
        guard let place = bytes.firstRange(of: Array(text.utf8))?.lowerBound else {
            throw Failure(.database, "The value that was set is not in '\(path)'.")
        }
        try file.write([bytes[place] ^ 1], at: Int64(place))
        try file.close()
    }
}
