import ArgumentParser
import CairnCore
import CairnForms
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the classes with the number and size of their objects, or the properties of one class.",
            discussion: """
                Sizes do not take compression by the engine into account. What is damaged is left out of them and reported on standard error; exits with 1 if \
                there is any.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class. (default: all)") var className: String?
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            try store.reading { store in
                try store.inspect { inspector in
                    if let className {
                        try show(try store.classNamed(className), inspector)
                    } else {
                        try show(store.catalog, inspector)
                    }
                }
            }
        }

        private func show(_ catalog: ObjectCatalog, _ inspector: StoreInspector) throws {
            var damage = DamageNotes()
            let sizes = try catalog.classes.map { try inspector.size($0) { damage.note($0) } }
            let notes = try inspector.backReferenceSize { damage.note($0) }
            let names = try inspector.nameSize { damage.note($0) }
            var place: String?
            do throws(ObjectStoreError) { place = try inspector.movedTo() } catch {
                guard error.code == .corruption else { throw error }
                damage.note(error)
            }
            try printing { output in
                if json {
                    return try output.write(
                        .object([
                            ("path", .string(store.path)), ("classes", .array(zip(catalog.classes, sizes).map { Self.json($0, $1) })),
                            ("references", Self.json(notes)), ("names", Self.json(names)), ("moved_to", place.map { .string($0) } ?? .null),
                        ])
                    )
                }
                var table = TextTable(["", ""])
                table.append(["classes", Numbers.grouped(sizes.count)])
                table.append(["objects", Numbers.grouped(sizes.reduce(0) { $0 + $1.objectCount })])
                table.append(["references", "\(Numbers.grouped(notes.count)), \(notes.bytes)"])
                table.append(["names", "\(Numbers.grouped(names.count)), \(names.bytes)"])
                if let place { table.append(["moved to", "\(EscapedText.string(Array(place.utf8))); nothing can be saved here"]) }
                try output.write(table)
                guard !sizes.isEmpty else { return }
                try output.writeLine()
                var classes = TextTable(
                    ["class", "version", "objects", "pages", "large", "data", "average", "indexes"],
                    [.left] + Array(repeating: .right, count: 7)
                )
                for (stored, size) in zip(catalog.classes, sizes) {
                    classes.append([
                        EscapedText.string(Array(stored.name.utf8)), "\(stored.version)", Numbers.grouped(size.objectCount),
                        Numbers.grouped(size.pageCount), Numbers.grouped(size.largeCount),
                        (size.pageBytes + size.largeBytes + size.partBytes).description,
                        "\(Int(size.averageBytes.rounded())) B", size.indexes.reduce(.zero) { $0 + $1.bytes }.description,
                    ])
                }
                try output.write(classes)
            }
            try damage.finish(store: store.path, rest: DamageNotes.sizes)
        }

        private func show(_ stored: ObjectCatalog.Class, _ inspector: StoreInspector) throws {
            var damage = DamageNotes()
            let size = try inspector.size(stored) { damage.note($0) }
            try printing { output in
                if json { return try output.write(Self.json(stored, size)) }
                var table = TextTable(["property", "type", ""])
                for property in stored.properties {
                    let note = property.isGone ? "removed from the class" : ""
                    table.append([EscapedText.string(Array(property.name.utf8)), property.phrase, note])
                }
                try output.write(table)
                guard !stored.indexes.isEmpty else { return }
                try output.writeLine()
                try output.write(Explain.table(stored, size))
            }
            try damage.finish(store: store.path, rest: DamageNotes.sizes)
        }

        static func json(_ stored: ObjectCatalog.Class, _ size: StoreInspector.ClassSize) -> JSONValue {
            .object([
                ("class", .string(stored.name)), ("number", .int(Int64(stored.number))), ("version", .int(Int64(stored.version))),
                ("objects", .int(Int64(size.objectCount))), ("pages", .int(Int64(size.pageCount))),
                ("page_bytes", .int(size.pageBytes.bytes)), ("large", .int(Int64(size.largeCount))),
                ("large_bytes", .int(size.largeBytes.bytes)), ("parts", .int(Int64(size.partCount))),
                ("part_bytes", .int(size.partBytes.bytes)),
                ("properties", .array(stored.properties.map { ObjectJSON.property($0) })),
                ("indexes", .array(zip(stored.indexes, size.indexes).map { index, size in Explain.json(index, size) })),
            ])
        }

        private static func json(_ size: StoreInspector.EntrySize) -> JSONValue {
            .object([("count", .int(Int64(size.count))), ("bytes", .int(size.bytes.bytes))])
        }
    }

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the indexes of a class and their sizes.",
            discussion: """
                Queries do not use an incomplete index until a program with the class has completed it. What is damaged is left out of the sizes and reported on \
                standard error; exits with 1 if there is any.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The class.") var className: String
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            try store.reading { store in
                let stored = try store.classNamed(className)
                var damage = DamageNotes()
                let size = try store.inspect { try $0.size(stored) { damage.note($0) } }
                try printing { output in
                    if json {
                        let indexes = zip(stored.indexes, size.indexes).map { Self.json($0, $1) }
                        return try output.write(
                            .object([
                                ("class", .string(stored.name)), ("objects", .int(Int64(size.objectCount))), ("indexes", .array(indexes)),
                            ])
                        )
                    }
                    guard !stored.indexes.isEmpty else {
                        return try output.writeLine(
                            "\(className) has no index: every query reads all \(Numbers.counted(size.objectCount, "object", "objects"))."
                        )
                    }
                    try output.write(Self.table(stored, size))
                }
                try damage.finish(store: self.store.path, rest: DamageNotes.sizes)
            }
        }

        static func table(_ stored: ObjectCatalog.Class, _ size: StoreInspector.ClassSize) -> TextTable {
            var table = TextTable(["index", "entries", "size", ""], [.left, .right, .right, .left])
            for (index, size) in zip(stored.indexes, size.indexes) {
                let notes = [index.isUnique ? "unique" : nil, index.isComplete ? nil : "incomplete"].compactMap { $0 }
                table.append([
                    index.properties.joined(separator: ", "), Numbers.grouped(size.count), size.bytes.description,
                    notes.joined(separator: ", "),
                ])
            }
            return table
        }

        static func json(_ index: ObjectCatalog.Index, _ size: StoreInspector.EntrySize) -> JSONValue {
            .object([
                ("properties", .array(index.properties.map { .string($0) })), ("unique", .bool(index.isUnique)),
                ("complete", .bool(index.isComplete)), ("entries", .int(Int64(size.count))), ("bytes", .int(size.bytes.bytes)),
            ])
        }
    }

    struct Upgrade: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count objects of older versions of their classes, and upgrade the format of the store.",
            discussion: """
                No format needs an upgrade yet. Objects of older versions can be read; only a program with the class can migrate them.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            try store.reading { store in
                var counts: [(String, UInt8, Int)] = []
                var damage = DamageNotes()
                try store.inspect { inspector in
                    for stored in store.catalog.classes {
                        var count = 0
                        try inspector.forEach(stored) { result in
                            if let object = damage.object(result), object.version < stored.version { count += 1 }
                            return true
                        }
                        counts.append((stored.name, stored.version, count))
                    }
                }
                try printing { output in
                    if json {
                        let older = counts.map { ($0.0, JSONValue.int(Int64($0.2))) }
                        return try output.write(
                            .object([
                                ("format", .int(Int64(store.formatNumber))), ("upgraded", .bool(false)), ("older_objects", .object(older)),
                            ])
                        )
                    }
                    try output.writeLine("The format of the store needs no upgrade.")
                    for (name, version, count) in counts where count > 0 {
                        let objects = Numbers.counted(count, "object is", "objects are")
                        try output.writeLine(
                            "\(name): \(objects) of a version older than \(version); programs with the class migrate them."
                        )
                    }
                }
                try damage.finish(store: self.store.path, rest: DamageNotes.sizes)
            }
        }
    }
}
