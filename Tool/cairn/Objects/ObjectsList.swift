import ArgumentParser
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the objects of a class, in the order in which they were inserted.",
            discussion: """
                A line for each: class and row, and the properties as name=value, with tabs between; values are JSON, references are written as \
                class and row. With --json, a line is as 'export' writes it. Objects that are damaged are told on standard error, and exit code 1.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class.") var className: String
        @Option(help: "The row to begin at.") var from: UInt64 = 1
        @Option(help: "Print so many objects at most.") var limit: Int?
        @Option(help: "A property to print; repeat it for more. (default: all)") var property: [String] = []
        @Flag(help: "Print JSON Lines.") var json = false

        func validate() throws {
            if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        }

        func run() throws {
            try store.reading { store in
                let stored = try store.classNamed(className)
                for name in property where !stored.properties.contains(where: { $0.name == name }) {
                    throw Failure(
                        .database,
                        "\(className) has no property '\(name)'.",
                        hint: "It has: \(stored.properties.map(\.name).joined(separator: ", "))."
                    )
                }
                var damage = DamageNotes()
                try printing { output in
                    var left = limit ?? .max
                    try store.inspect { inspector in
                        try inspector.forEach(stored, from: from) { result in
                            guard var object = damage.object(result) else { return true }
                            if !property.isEmpty { object.fields.removeAll { !property.contains($0.name) } }
                            if json {
                                try output.write(ObjectJSON.line(object, stored))
                            } else {
                                try output.write(Self.line(object, stored))
                            }
                            left -= 1
                            return left > 0
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }

        private static func line(_ object: ObjectDump, _ stored: ObjectCatalog.Class) -> String {
            let fields = object.fields.map { "\($0.name)=\(ObjectJSON.text($0, stored))" }
            return (["\(object.id)"] + fields).joined(separator: "\t") + "\n"
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an object with all its properties, and what leads to it.",
            discussion: "An object that is not there is exit code 1."
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class; or class and row in one, such as '1/17'.") var className: String
        @Argument(help: "The row.") var row: UInt64?
        @Flag(help: "Print a JSON object, as 'export' writes it.") var json = false

        func run() throws {
            try store.reading { store in
                let id = try id(store)
                try store.inspect { inspector in
                    guard let stored = store.catalog[id], let object = try inspector.object(id) else {
                        throw Failure(.no, "There is no \(store.catalog.phrase(id)) in '\(self.store.path)'.")
                    }
                    let referrers = try inspector.referrers(to: id)
                    try printing { output in
                        if json { return try output.write(ObjectJSON.line(object, stored)) }
                        try show(object, stored, referrers, output)
                    }
                }
            }
        }

        private func id(_ store: ObjectStore) throws -> ObjectID {
            if let row {
                guard let id = ObjectID("\(try store.classNamed(className).number)/\(row)") else {
                    throw Failure(.usage, "'\(row)' is no row: rows have 48 bits.")
                }
                return id
            }
            guard let id = ObjectID(className) else {
                throw Failure(.usage, "'\(className)' is no object; give a class and a row, or both in one, such as '1/17'.")
            }
            return id
        }

        private func show(
            _ object: ObjectDump,
            _ stored: ObjectCatalog.Class,
            _ referrers: [StoreInspector.Referrer],
            _ output: OutputWriter
        ) throws {
            try output.writeLine(
                "\(stored.name) \(object.id.row) (\(object.id)), version \(object.version), saved \(Numbers.counted(Int(object.changeCount), "time", "times")), \(Numbers.grouped(object.byteCount)) bytes"
            )
            try output.writeLine()
            var table = TextTable(["property", "type", "value"])
            for field in object.fields {
                let type = stored.properties.first { $0.name == field.name }?.phrase ?? ""
                table.append([EscapedText.string(Array(field.name.utf8)), type, ObjectJSON.text(field, stored)])
            }
            try output.write(table)
            guard !referrers.isEmpty else { return }
            try output.writeLine()
            var others = TextTable(["led to by", "property", "times"], [.left, .left, .right])
            for referrer in referrers {
                others.append(["\(referrer.className) \(referrer.object.row)", referrer.property, Numbers.grouped(referrer.count)])
            }
            try output.write(others)
        }
    }

    struct Names: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the names of the store, and what is under them.",
            discussion: """
                A line for each: name, tab, value. Types are not known: numbers are as they are stored, signed ones zigzag coded. With --json, lines \
                are as 'export' writes them.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Flag(help: "Print JSON Lines.") var json = false

        func run() throws {
            try store.reading { store in
                var damage = DamageNotes()
                try printing { output in
                    try store.inspect { inspector in
                        try inspector.forEachName { result in
                            guard let name = damage.object(result) else { return true }
                            if json {
                                try output.write(ObjectJSON.line(name))
                            } else {
                                try output.writeLine("\(EscapedText.string(Array(name.name.utf8)))\t\(ObjectJSON.text(name.value))")
                            }
                            return true
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }
    }
}

/// What could not be read while the rest was.
struct DamageNotes {
    private(set) var messages: [String] = []
    private var count = 0
    /// What is gone for good, which is no damage.
    private var shreddedCount = 0

    /// The object, or a note of why there is none.
    mutating func object<Object>(_ result: Result<Object, ObjectStoreError>) -> Object? {
        switch result {
        case .success(let object): return object
        case .failure(let error) where error.code == .shredded:
            shreddedCount += 1
            return nil
        case .failure(let error):
            count += 1
            if messages.count < 10 { messages.append(error.message) }
            return nil
        }
    }

    /// Tells how many objects were shredded, and ends the command where something was damaged.
    func finish(store path: String) throws {
        if shreddedCount > 0 {
            let output = OutputWriter(.error)
            try output.writeLine("note: \(Numbers.counted(shreddedCount, "object was", "objects were")) shredded, and cannot be read")
            try output.flush()
        }
        guard count > 0 else { return }
        let more = count > 1 ? " (and \(Numbers.counted(count - 1, "more", "more")))" : ""
        throw Failure(.no, "\(messages[0])\(more)".asSentence, hint: "'cairn objects check' tells what is damaged; the rest was written.")
    }
}
