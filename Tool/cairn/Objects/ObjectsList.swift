import ArgumentParser
import CairnForms
import CairnRocksGraph
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Objects {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the objects of a class in the order they were inserted.",
            discussion: """
                Prints a line per object: class and row, then the properties as name=value, separated by tabs. Values are JSON; references are \
                written as class and row. With --json, lines are as in 'export'. Damaged objects are reported on standard error; exits with 1 if \
                there are any.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class.") var className: String
        @Option(help: "The row to start at.") var from: UInt64 = 1
        @Option(parsing: .unconditional, help: "Print at most this many objects.") var limit: Int?
        @OptionGroup var lines: ObjectLines

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        }

        func run() throws {
            try store.reading { store in
                let stored = try store.classNamed(className)
                try lines.check(stored)
                var damage = DamageNotes()
                try printing { output in
                    var left = limit ?? .max
                    try store.inspect { inspector in
                        guard left > 0 else { return }
                        try inspector.forEach(stored, from: from) { result in
                            guard let object = damage.object(result) else { return true }
                            try lines.write(object, stored, output)
                            left -= 1
                            return left > 0
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an object with all its properties, and what refers to it.",
            discussion: "Exits with 1 if the object does not exist."
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class, or class and row together, such as '1/17'.") var className: String
        @Argument(help: "The row.") var row: UInt64?
        @Flag(help: "Print a JSON object, as in 'export'.") var json = false

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
                    throw Failure(.usage, "'\(row)' is not a row: rows have 48 bits.")
                }
                return id
            }
            guard let id = ObjectID(className) else {
                throw Failure(.usage, "'\(className)' is not an object; give a class and a row, or both together, such as '1/17'.")
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
            var others = TextTable(["referred to by", "property", "times"], [.left, .left, .right])
            for referrer in referrers {
                others.append(["\(referrer.className) \(referrer.object.row)", referrer.property, Numbers.grouped(referrer.count)])
            }
            try output.write(others)
        }
    }

    struct Names: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the names in the store and their values.",
            discussion: """
                Prints a line per name: name, tab, value. The store does not record the types of named values, so a value that is not text is \
                printed as each type that it may have. Records of migrations are left out. With --json, lines are as in 'export'.
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
                            guard let name = damage.object(result), !ObjectMigration.isRecord(name.name) else { return true }
                            if json {
                                try output.write(ObjectJSON.line(name))
                            } else {
                                try output.writeLine("\(EscapedText.string(Array(name.name.utf8)))\t\(Self.text(name))")
                            }
                            return true
                        }
                    }
                }
                try damage.finish(store: self.store.path)
            }
        }

        /// The value; if its type is unknown, as each type that it may have.
        private static func text(_ name: StoreInspector.Name) -> String {
            switch name.value {
            case .value(.varint(let number)):
                "\(number) unsigned, \(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)) signed"
                    + (number > 1 ? "" : ", \(number == 1) bool")
            case .value(.bits(let bits, bytes: 8)):
                readings(UInt64(bits))
            case .value(.bits(let bits, bytes: 4)):
                "\(UInt32(bits)) unsigned, \(Float(bitPattern: UInt32(bits))) float"
            case .value(.bits):
                readings(name, [(integer(128, false), "unsigned"), (integer(128, true), "signed"), (.uuid, "uuid")])
            case .value(.text(let text)) where !text.unicodeScalars.contains(where: isUnprintable):
                ObjectJSON.text(name.value)
            case .value(.text), .value(.bytes):
                readings(name, [(.bytes, "bytes"), (.array(integer(64, true)), "list of signed"), (.array(.string), "list of text")])
            default: ObjectJSON.text(name.value)
            }
        }

        private static func readings(_ name: StoreInspector.Name, _ types: [(type: StoredType, label: String)]) -> String {
            let readings = types.compactMap { type, label -> String? in
                guard let field = (try? RecordDump(name.bytes, types: [1: type]))?.fields.first else { return nil }
                return "\(ObjectJSON.text(.value(field.value))) \(label)"
            }
            return readings.joined(separator: ", ")
        }

        private static func integer(_ bits: Int, _ isSigned: Bool) -> StoredType { .integer(bits: bits, isSigned: isSigned) }

        private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control && !scalar.properties.isWhitespace
        }

        private static func readings(_ bits: UInt64) -> String {
            let number = Double(bitPattern: bits)
            var readings = "\(bits) unsigned, \(number) double"
            // Dates from 1900 to 2100; others are more likely something else.
            if (-3.2e9...3.2e9).contains(number) {
                readings += DateText.text(Date(timeIntervalSinceReferenceDate: number), digits: 3...17).map { ", \($0) date" } ?? ""
            }
            return readings
        }
    }
}

/// Objects and names that could not be read.
struct DamageNotes {
    /// What commands that only count say of everything else.
    static let sizes = "the sizes are those of everything else"

    /// Why the first could not be read.
    private var message: String?
    private var count = 0
    /// The most objects and names that may be meant: a damaged page has several.
    private var objectCount = 0
    /// Shredded objects, which are not damage.
    private var shreddedCount = 0

    /// The object, or `nil` after noting why there is none.
    mutating func object<Object>(_ result: Result<Object, ObjectStoreError>) -> Object? {
        switch result {
        case .success(let object): return object
        case .failure(let error):
            note(error)
            return nil
        }
    }

    /// Notes why there is no object.
    mutating func note(_ error: ObjectStoreError) {
        guard error.code != .shredded else {
            shreddedCount += 1
            return
        }
        count += 1
        objectCount += error.objectCount
        if message == nil { message = error.message }
    }

    /// Reports how many objects were shredded, and throws if anything was damaged.
    ///
    /// - Parameter rest: What was done with everything else, for the hint.
    func finish(store path: String, rest: String = "everything else was written") throws {
        if shreddedCount > 0 {
            let output = OutputWriter(.error)
            try output.writeLine("note: \(Numbers.counted(shreddedCount, "object is", "objects are")) shredded and cannot be read")
            try output.flush()
        }
        guard let message else { return }
        let inAll = objectCount > count ? ", up to \(Numbers.counted(objectCount, "object", "objects")) in all" : ""
        let more = count > 1 ? " (and \(Numbers.counted(count - 1, "more", "more"))\(inAll))" : ""
        throw Failure(
            .no,
            "\(message)\(more)".asSentence,
            hint: "'cairn objects verify' shows the damage; \(rest)."
        )
    }
}
