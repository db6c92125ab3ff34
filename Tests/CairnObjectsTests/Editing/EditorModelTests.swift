import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// The same changes through the classes and without them leave the same store.
struct EditorModelTests {
    @Test func editsDoWhatTheClassesDo() async throws {
        try await withSeeds("edits", count: Thorough.isChecking ? 20 : 3) { generator in try Self.compare(&generator) }
    }

    private static func compare(_ generator: inout SeededGenerator) throws {
        let (typedEngine, untypedEngine) = (MemoryEngine(), MemoryEngine())
        for engine in [typedEngine, untypedEngine] { try ObjectStore(engine: engine, classes: editedClasses).write(fill) }
        let typed = try ObjectStore(engine: typedEngine, classes: editedClasses)
        let untyped = try ObjectStore(engine: untypedEngine, classes: [])
        let context = try typed.makeContext()
        context.undo.isEnabled = true
        var editor = try ObjectEditor(untyped)
        var undone = 0
        for step in 0..<60 {
            let change = Change(&generator)
            // The first change always, so that every seed undoes something.
            if undone == 0 || generator.oneIn(5), editor.canUndo {
                try context.undo.undo()
                try context.save()
                try editor.undo()
                undone += 1
            } else {
                let one = code { try change.make(context) }
                var effects: [ObjectChange] = []
                let other = code { effects = try editor.perform([change.edit]) }
                #expect(one == other, "step \(step): \(change)")
                if effects.isEmpty {
                    // A rollback forgets what could be undone, and what changes nothing is not undone by an editor.
                    context.rollback()
                    editor = try ObjectEditor(untyped)
                }
            }
            let (mine, its) = (try dumps(typed), try dumps(untyped))
            try #require(mine == its, "step \(step): \(change)")
        }
        #expect(undone > 0)
        context.close()
        editor.close()
        let report = try ObjectStore(engine: untypedEngine, classes: editedClasses).verify()
        #expect(report.isIntact, "\(report.problems)")
    }

    private static func fill(_ context: ObjectContext) {
        for number in 1...6 { context.insert(Novel(code: number, title: "title \(number)")) }
        for number in 1...3 { context.insert(Writer(name: "writer \(number)")) }
        for number in 1...3 { context.insert(Ledge(name: "ledge \(number)")) }
        for number in 1...6 { context.insert(Remark(text: "remark \(number)")) }
    }

    private static func dumps(_ store: ObjectStore) throws -> [[ObjectDump.Field]] {
        try store.inspect { inspector in
            var all: [[ObjectDump.Field]] = []
            for stored in store.catalog.classes {
                try inspector.forEach(stored) { result in
                    let dump = try result.get()
                    // Changes that change nothing may be saved or not.
                    all.append([ObjectDump.Field(name: "id", value: .one(dump.id))] + dump.fields.filter { $0.value.isSomething })
                    return true
                }
            }
            return all
        }
    }
}

extension ObjectDump.Value {
    fileprivate var isSomething: Bool {
        switch self {
        case .one(nil), .many([]), .keyed([]), .value(.null): false
        default: true
        }
    }
}

/// A change, in both forms.
private enum Change: CustomStringConvertible {
    case title(UInt64, String)
    case text(UInt64, String)
    case pages(UInt64, Int?)
    case writer(UInt64, UInt64?)
    case books(writer: UInt64, [UInt64])
    case list(ledge: UInt64, [UInt64])
    case racks(novel: UInt64, [UInt64])
    case keyed(ledge: UInt64, [Int: UInt64])
    case notes(novel: UInt64, [UInt64])
    case delete(ObjectID)

    init(_ generator: inout SeededGenerator) {
        func row(_ count: Int) -> UInt64 { UInt64(generator.int(in: 1..<count + 1)) }
        func rows(_ count: Int, _ most: Int) -> [UInt64] { (0..<generator.int(in: 0..<most)).map { _ in row(count) } }
        switch generator.int(in: 0..<20) {
        case 0, 1: self = .title(row(6), "title \(row(9))")
        case 2, 3: self = .text(row(6), String(repeating: "word \(row(99)) ", count: generator.oneIn(3) ? 2000 : 2))
        case 4: self = .pages(row(6), generator.oneIn(2) ? nil : 7)
        case 5, 6: self = .writer(row(6), generator.oneIn(4) ? nil : row(3))
        case 7: self = .books(writer: row(3), Array(Set(rows(6, 4))).sorted())
        case 8, 9, 10: self = .list(ledge: row(3), rows(6, 9))
        case 11, 12: self = .racks(novel: row(6), Array(Set(rows(3, 3))).sorted())
        case 13, 14: self = .keyed(ledge: row(3), Dictionary(rows(6, 5).map { (Int($0) * 3 % 7, $0) }, uniquingKeysWith: { one, _ in one }))
        case 15, 16, 17: self = .notes(novel: row(6), rows(6, 4))
        default: self = .delete(ObjectID("\(row(4))/\(row(3))")!)
        }
    }

    var description: String { "\(edit)" }

    private static func id(_ number: Int, _ row: UInt64) -> ObjectID { ObjectID("\(number)/\(row)")! }

    private func set(_ number: Int, _ row: UInt64, _ name: String, _ value: ObjectDump.Value) -> ObjectEdit {
        .set(Self.id(number, row), ObjectDump.Field(name: name, value: value))
    }

    var edit: ObjectEdit {
        switch self {
        case .title(let row, let title): set(1, row, "title", .value(.text(title)))
        case .text(let row, let text): set(1, row, "text", .value(.text(text)))
        case .pages(let row, let pages): set(1, row, "pages", .value(pages.map { .signed(Int128($0)) } ?? .null))
        case .writer(let row, let writer): set(1, row, "writer", .one(writer.map { Self.id(2, $0) }))
        case .books(let row, let rows): set(2, row, "books", .many(rows.map { Self.id(1, $0) }))
        case .list(let row, let rows): set(3, row, "books", .many(rows.map { Self.id(1, $0) }))
        case .racks(let row, let rows): set(1, row, "racks", .many(rows.map { Self.id(3, $0) }))
        case .keyed(let row, let entries):
            set(3, row, "byKey", .keyed(entries.map { .init(key: [.integer(Int128($0.key))], object: Self.id(1, $0.value)) }))
        case .notes(let row, let rows): set(1, row, "notes", .many(rows.map { Self.id(4, $0) }))
        case .delete(let id): .delete(id)
        }
    }

    func make(_ context: ObjectContext) throws {
        func object<Object: StoredObject>(_ number: Int, _ row: UInt64, _ type: Object.Type = Object.self) throws -> Object {
            guard let object = try context.object(Self.id(number, row), as: type) else {
                throw ObjectStoreError.missing
            }
            return object
        }
        switch self {
        case .title(let row, let title): try object(1, row, Novel.self).title = title
        case .text(let row, let text): try object(1, row, Novel.self).text = text
        case .pages(let row, let pages): try object(1, row, Novel.self).pages = pages
        case .writer(let row, let writer):
            let novel: Novel = try object(1, row)
            novel.writer = try writer.map { try object(2, $0, Writer.self) }
        case .books(let row, let rows):
            let writer: Writer = try object(2, row)
            writer.books = ObjectSet(try rows.map { try object(1, $0, Novel.self) })
        case .list(let row, let rows):
            let ledge: Ledge = try object(3, row)
            ledge.books = ObjectList(try rows.map { try object(1, $0, Novel.self) })
        case .racks(let row, let rows):
            let novel: Novel = try object(1, row)
            novel.racks = ObjectSet(try rows.map { try object(3, $0, Ledge.self) })
        case .keyed(let row, let entries):
            let ledge: Ledge = try object(3, row)
            ledge.byKey = ObjectDictionary(try entries.map { ($0.key, try object(1, $0.value, Novel.self)) })
        case .notes(let row, let rows):
            let novel: Novel = try object(1, row)
            novel.notes = ObjectList(try rows.map { try object(4, $0, Remark.self) })
        case .delete(let id):
            switch id.classNumber {
            case 1: try context.delete(object(1, id.row, Novel.self))
            case 2: try context.delete(object(2, id.row, Writer.self))
            case 3: try context.delete(object(3, id.row, Ledge.self))
            default: try context.delete(object(4, id.row, Remark.self))
            }
        }
        try context.save()
    }
}

extension ObjectStoreError {
    fileprivate static let missing = ObjectStoreError(.objectNotFound, "it was deleted")
}
