import CairnCore
import CairnRocksGraph
import CairnToolKit

/// The chapter about object stores.
struct ObjectsChapter {
    let data: TourData
    let path: String
    let stage: TourStage
    let store: ObjectStore
    let context: ObjectContext

    init(data: TourData, path: String, stage: TourStage) throws {
        self.data = data
        self.path = path
        self.stage = stage
        store = try Self.open(path, stage)
        context = try store.makeContext()
        context.undo.isEnabled = true
    }

    func run() throws {
        try insert()
        try follow()
        try query()
        try arrange()
        try conflict()
        try delete()
        try look()
    }

    private static func open(_ path: String, _ stage: TourStage) throws -> ObjectStore {
        var opened: ObjectStore?
        try stage.section(
            "Open an object store",
            "A macro makes classes storable. Relationships keep their order, and both sides stay consistent.",
            code: "@Stored final class Piece { @Unique var name: String; @Indexed var group: String; … }",
            #"@Stored final class Shelf { …; @Relationship(inverse: \Piece.shelves) var pieces: ObjectList<Piece> }"#,
            "let store = try ObjectStore(path: path, classes: [Piece.self, Shelf.self])"
        ) {
            let (store, time, _) = try stage.measure { try ObjectStore(path: path, classes: [Piece.self, Shelf.self]) }
            opened = store
            var table = TextTable(["class", "properties"])
            for stored in store.catalog.classes { table.append([stored.name, stored.properties.map(\.name).joined(separator: ", ")]) }
            return TourResult(table: table, summary: "store created in \(time)")
        }
        return opened!
    }

    private func insert() throws {
        try stage.section(
            "Save objects, all or none",
            "Each \(data.labels.group) gets a shelf. Objects, relationships and indexes are saved in a single commit.",
            code: "for item in data { shelf(item.group).pieces.append(Piece(item)) }",
            "try context.save()"
        ) {
            let (_, time, duration) = try stage.measure {
                var shelves: [String: Shelf] = [:]
                for item in data.items {
                    let shelf = shelves[item.group] ?? Shelf(title: item.group)
                    if shelves.updateValue(shelf, forKey: item.group) == nil { context.insert(shelf) }
                    shelf.pieces.append(Piece(name: item.name, group: item.group, size: item.size, text: item.text))
                }
                try context.save()
            }
            // So that later undos do not undo the import.
            context.undo.removeAll()
            var table = TextTable(["class", "objects"], [.left, .right])
            table.append(["Piece", Numbers.grouped(try context.count(Piece.self))])
            table.append(["Shelf", Numbers.grouped(try context.count(Shelf.self))])
            let rate = Numbers.rate(data.items.count, in: duration).map { " (\($0))" } ?? ""
            return TourResult(table: table, summary: "\(data.counted(data.items.count)) saved in \(time)\(rate)")
        }
    }

    private func follow() throws {
        try stage.section(
            "Follow relationships",
            "From a piece to its shelf, and to all pieces on it. Objects are read when they are used.",
            code: "let piece = try context.first(Piece.self, where: \\.name == \"\(data.example.name)\")",
            "piece.shelves.first?.pieces"
        ) {
            let (pieces, time, _) = try stage.measure { try example().shelves.first?.pieces.load() ?? [] }
            let count = Numbers.counted(pieces.count, "object", "objects")
            return TourResult(table: data.table(pieces.map(Item.init)), summary: "\(count) read in \(time)")
        }
    }

    private func query() throws {
        let group = data.example.group
        let text = data.example.text.split(separator: " ").first.map(String.init) ?? ""
        let condition: ObjectCondition<Piece> = \.group == group && .contains(\.text, text, ignoringCase: true)
        let shown = data.cut(text)
        try stage.section(
            "Query, and see the plan",
            "An index answers comparisons; the remaining conditions filter what it finds.",
            code: "try context.fetch(Piece.self, where: \\.group == \"\(group)\" && .contains(\\.text, \"\(shown)\", ignoringCase: true))",
            "try context.explain(…)"
        ) {
            let (found, time, _) = try stage.measure { try context.fetch(Piece.self, where: condition) }
            let explanation = try context.explain(Piece.self, where: condition)
            var table = TextTable(["", ""])
            table.append(["scanned", data.cut(explanation.access)])
            table.append(["filtered", data.cut(explanation.filter ?? "nothing")])
            table.append(["found", Numbers.grouped(found.count)])
            return TourResult(table: table, summary: "\(Numbers.counted(found.count, "object", "objects")) in \(time)")
        }
    }

    /// The object for the example item.
    func example() throws -> Piece {
        guard let piece = try context.first(Piece.self, where: \.name == data.example.name) else {
            throw Failure(.database, "\(data.example.name) was saved, but cannot be found.")
        }
        return piece
    }
}
