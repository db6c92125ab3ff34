import ArgumentParser
import CairnCore
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print classes, objects and names as JSON Lines that 'import' reads.",
            discussion: """
                The first line gives the format, followed by the classes, the objects with their identities and values, and the names. References \
                are written as identities. Damaged objects are omitted and reported on standard error; exits with 1 if there are any.

                If a class is given, only its objects are exported, without names. The objects that they refer to must exist when they are imported.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class. (default: all classes and the names)") var className: String?

        func run() throws {
            try store.reading { store in
                let chosen = try className.map { [try store.classNamed($0)] } ?? store.catalog.classes
                var damage = DamageNotes()
                try printing { output in
                    try output.write(ObjectJSON.header)
                    for stored in store.catalog.classes { try output.write(ObjectJSON.line(stored)) }
                    try store.inspect { inspector in
                        for stored in chosen {
                            try inspector.forEach(stored) { result in
                                if let object = damage.object(result) { try output.write(ObjectJSON.line(object, stored)) }
                                return true
                            }
                        }
                        guard className == nil else { return }
                        try inspector.forEachName { result in
                            if let name = damage.object(result) { try output.write(ObjectJSON.line(name)) }
                            return true
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import objects that 'export' wrote: all of them, or none if it fails.",
            discussion: """
                Missing classes are added to the store; existing ones must have the same properties. Objects keep their rows if the store has no \
                objects of the class yet; otherwise they get new rows, and references to them are adjusted. Existing names are replaced.

                All objects are held in memory until they are stored together.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The file; '-' is standard input.", completion: .file()) var file = "-"
        @Flag(help: "Create the store if it does not exist.") var create = false
        @Flag(help: "Return only once the objects would survive a power failure.") var sync = false
        @Flag(help: "Print the result as a JSON object.") var json = false

        func run() throws {
            let reader = ObjectLinesReader(try ByteInput(path: file))
            let catalog = try reader.readClasses()
            var options = ObjectStoreOptions()
            options.createIfMissing = create
            options.durability = sync ? .synced : .buffered
            options.cipher = try self.store.cipher()
            let path = self.store.path
            let store = try ObjectsArguments.opening(path, hint: "Check the path; --create creates the store.") {
                () throws(ObjectStoreError) in
                try ObjectStore(path: path, catalog: catalog, options: options)
            }
            let result = try self.store.using(store) { store in
                let importer = try ObjectImporter(store)
                for stored in catalog.classes { try importer.add(stored) }
                try reader.forEach(catalog) { item in
                    switch item {
                    case .object(let object): try importer.add(object)
                    case .name(let name): try importer.add(name)
                    }
                }
                return try importer.finish()
            }
            try printing { output in
                if json {
                    return try output.write(
                        .object([
                            ("objects", .int(Int64(result.objectCount))), ("names", .int(Int64(result.nameCount))),
                            ("incomplete_indexes", .array(result.incompleteIndexes.map { .string($0) })),
                        ])
                    )
                }
                let (objects, names) = (
                    Numbers.counted(result.objectCount, "object", "objects"), Numbers.counted(result.nameCount, "name", "names")
                )
                try output.writeLine("Stored \(objects) and \(names).")
                for index in result.incompleteIndexes {
                    try output.writeLine("incomplete: the index on \(index); a program with the class completes it")
                }
            }
        }
    }
}

/// Reads the lines of an export: classes first, then objects and names.
final class ObjectLinesReader {
    enum Item {
        case object(ObjectDump)
        case name(StoreInspector.Name)
    }

    private let input: ByteInput
    private var text: [UInt8] = []
    /// The first line after the classes.
    private var waiting: (ObjectJSON.Line, Int)?

    init(_ input: ByteInput) { self.input = input }

    /// The next line that is not blank, and its number.
    private func nextTree() throws -> (JSONTree, Int)? {
        while true {
            let line = input.line
            guard try input.readLine(into: &text) else { return nil }
            if text.allSatisfy(JSONScanner.isBlank) { continue }
            guard String(validating: text, as: UTF8.self) != nil else { throw input.error(line, "is not valid UTF-8") }
            do { return (try JSONTree(object: text), line) } catch { throw input.error(line, "\(error)") }
        }
    }

    private func next() throws -> (ObjectJSON.Line, Int)? {
        guard let (tree, line) = try nextTree() else { return nil }
        do { return (try ObjectJSON.read(tree), line) } catch { throw input.error(line, error.message) }
    }

    func readClasses() throws -> ObjectCatalog {
        guard let (first, line) = try nextTree(), case .number(let text)? = first["cairn_objects"], let format = Int(text) else {
            throw input.error(1, "is not an export of objects: the first line must be {\"cairn_objects\":1}")
        }
        guard format <= ObjectJSON.format else {
            throw input.error(line, "has format \(format); this release supports up to \(ObjectJSON.format)")
        }
        var catalog = ObjectCatalog(classes: [])
        while let (item, line) = try next() {
            guard case .storedClass(let stored) = item else {
                waiting = (item, line)
                break
            }
            guard catalog[stored.name] == nil else { throw input.error(line, "the class \(stored.name) occurs twice") }
            catalog.classes.append(stored)
        }
        return catalog
    }

    /// Calls `body` with each object and name; its errors are reported with the line.
    func forEach(_ catalog: ObjectCatalog, _ body: (Item) throws -> Void) throws {
        while let (item, line) = try waiting ?? next() {
            waiting = nil
            do {
                switch item {
                case .object(let values, let id, let name, let version):
                    guard let stored = catalog[id], stored.name == name else {
                        throw ObjectJSONFault(message: "the class \(name) does not have number \(id.classNumber)")
                    }
                    try body(.object(try ObjectJSON.object(values, id, version: version, stored)))
                case .name(let name): try body(.name(name))
                case .storedClass: throw ObjectJSONFault(message: "classes must come before objects")
                }
            } catch {
                guard let message = (error as? ObjectJSONFault)?.message ?? (error as? ObjectStoreError)?.message else { throw error }
                throw input.error(line, message)
            }
        }
    }
}
