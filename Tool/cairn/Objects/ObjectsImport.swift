import ArgumentParser
import CairnCore
import CairnRocksGraph
import CairnToolKit
import CairnTour

extension Objects {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import what 'export' wrote, or objects of a class from CSV, TSV or JSON Lines: all of them, or none.",
            discussion: """
                From a file that 'export' wrote, missing classes are added to the store; existing ones must have the same properties. Objects keep their \
                rows if the store has no objects of the class yet; otherwise they get new rows, and references to them are adjusted. Existing \
                names are replaced.

                With --class, the file contains objects of a class that the store already has; they get new rows. CSV and TSV have a header, quoted as in \
                RFC 4180; each column is a property. JSON Lines have an object per line; its members are properties, with values as in 'export'.

                  cairn objects import Music.store songs.csv --class Song
                  cairn objects import Music.store songs.tsv --class Song --columns 'Song Title=title,Notes='

                Fields have the form of the property's type: decimal numbers; true and false; ISO 8601 dates, days such as 2026-01-31, or \
                seconds since 2001; hexadecimal digits for bytes; the raw values of enumerations; class number and row, such as 2/7, of an \
                object in the store for references; JSON for lists, sets, dictionaries and Codable types. An empty field is nil for an \
                optional property, empty text for text, no bytes for bytes, and an error for others. Properties without a column are nil or, \
                if they are not optional, an error: only the program knows their defaults. A reference cannot be imported if its inverse is \
                stored too, such as the list of an album's songs.

                All objects are held in memory until they are stored together. If others save to the store in the meantime, the import starts again.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @Argument(help: "The file; '-' is standard input.", completion: .file()) var file = "-"
        @Option(
            name: .customLong("class"),
            help: ArgumentHelp("The class of the objects in a file that 'export' did not write.", valueName: "class")
        )
        var className: String?
        @Option(help: "With --class, the format: csv, tsv or jsonl. (default: detected from the file's name or its first bytes)")
        var format: RecordFormat?
        @Option(
            help: ArgumentHelp(
                "With --class, the properties of columns with other names; a column without one is ignored.",
                valueName: "column=property"
            )
        )
        var columns: ColumnNames?
        @Flag(help: "Create the store if it does not exist.") var create = false
        @Flag(help: "Return only once the objects would survive a power failure.") var sync = false
        @Flag(help: "Print the result as a JSON object.") var json = false

        func validate() throws {
            if className == nil, format != nil || columns != nil { throw ValidationError("--format and --columns are for --class.") }
            if className != nil, create {
                throw ValidationError("--create cannot be combined with --class: the store must have the class.")
            }
            if format == .control { throw ValidationError("--format must be csv, tsv or jsonl.") }
        }

        func run() throws {
            // Once, because what is typed or comes from standard input cannot be read again.
            let place = (try store.location(), try options())
            let kept = try keptInput()
            let result = try retrying {
                let input = try kept ?? ByteInput(path: file)
                if kept != nil { input.rewind() }
                return try className.map { try importRows(of: $0, input, place) } ?? importLines(input, place)
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
                try output.writeLine(className == nil ? "Stored \(objects) and \(names)." : "Stored \(objects).")
                for index in result.incompleteIndexes {
                    try output.writeLine(Self.note(onIncomplete: index))
                }
            }
        }

        /// - Parameter index: `Note.text`, or `Note (text of text)` for a text index.
        private static func note(onIncomplete index: String) -> String {
            guard let text = index.wholeMatch(of: /(.*) \(text of (.*)\)/) else {
                return "The index on \(index) is incomplete. Queries read all objects until a program calls buildIndexes()."
            }
            return
                "The full-text index on \(text.1).\(text.2) is incomplete. Searches read all objects until a program calls buildIndexes()."
        }

        /// What cannot be read again for another attempt, such as standard input or a pipe, and is therefore kept in memory; `nil` for a file.
        private func keptInput() throws -> ByteInput? {
            let isFile = file != "-" && (try? FileSystem.system.stat(file))?.kind == .file
            return isFile ? nil : try ByteInput(keeping: file)
        }

        /// Imports the input again if others wrote to the store in the meantime. Gives up where they keep it locked, three times in a row.
        private func retrying(_ body: () throws -> ObjectImporter.Result) throws -> ObjectImporter.Result {
            var (left, locked) = (1000, 0)
            while true {
                left -= 1
                do { return try body() } catch let error as ObjectStoreError where error.code == .busy && left > 0 {
                    locked = error.cause is EngineError ? locked + 1 : 0
                    if locked == 3 { throw error }
                }
            }
        }

        private typealias Place = (location: StoreLocation, options: ObjectStoreOptions)

        private func importLines(_ input: ByteInput, _ place: Place) throws -> ObjectImporter.Result {
            let reader = ObjectLinesReader(input)
            let catalog: ObjectCatalog
            do { catalog = try reader.readClasses() } catch let error as InputError where error.line == 1 {
                throw Failure(.file, "\(error).", hint: "With --class CLASS, objects of a class are imported from CSV, TSV or JSON Lines.")
            }
            func fill(_ store: ObjectStore, _ forEach: ((ObjectLinesReader.Item) throws -> Void) throws -> Void) throws
                -> ObjectImporter.Result
            {
                let importer = try ObjectImporter(store)
                for stored in catalog.classes { try importer.add(stored) }
                try forEach { item in
                    switch item {
                    case .object(let object): try importer.add(object)
                    case .name(let name): try importer.add(name)
                    }
                }
                return try importer.finish()
            }
            guard try isNew(place) else {
                return try opened(place, catalog) { try fill($0) { add in try reader.forEach(catalog, add) } }
            }
            // A store in memory refuses what the new one would, which is then not created.
            var items: [ObjectLinesReader.Item] = []
            let trial = try ObjectStore(engine: MemoryEngine(limits: place.location.limits), catalog: catalog, options: place.options)
            _ = try fill(trial) { add in
                try reader.forEach(catalog) { item in
                    try add(item)
                    items.append(item)
                }
            }
            try trial.close()
            return try opened(place, catalog) { try fill($0) { add in for item in items { try add(item) } } }
        }

        /// Whether a store is to be created that could not be removed again: others may use a file of SQLite or a store of a server at once.
        private func isNew(_ place: Place) throws -> Bool {
            var options = place.options
            guard create else { return false }
            if case .rocks = place.location { return false }
            (options.createIfMissing, options.readOnly) = (false, true)
            do throws(ObjectStoreError) { try place.location.open(options).close() } catch {
                guard error.code == .notFound else { throw error }
                return true
            }
            return false
        }

        private func importRows(of className: String, _ input: ByteInput, _ place: Place) throws -> ObjectImporter.Result {
            guard let format = try format ?? RecordFormat.detect(name: input.name, beginning: input.preview()), format != .control else {
                throw Failure.unknownFormat(of: input.name, hint: "Name it with --format: csv, tsv or jsonl.")
            }
            return try opened(place, ObjectCatalog(classes: [])) { store in
                let stored = try store.classNamed(className)
                let importer = try ObjectImporter(store, references: .toStored)
                try importer.add(stored)
                let reader = ObjectRowReader(input, stored, columns ?? ColumnNames())
                try reader.forEach(format) { try importer.add($0) }
                return try importer.finish()
            }
        }

        private func options() throws -> ObjectStoreOptions {
            var options = ObjectStoreOptions()
            options.createIfMissing = create
            options.durability = sync ? .synced : .buffered
            options.cipher = try store.cipher()
            return options
        }

        private func opened<Value>(_ place: Place, _ catalog: ObjectCatalog, _ body: (ObjectStore) throws -> Value) throws -> Value {
            let path = self.store.path
            let hint = className == nil ? "Check the path; --create creates the store." : "Check the path."
            let new: NewDatabase? = if case .rocks(let path) = place.location { NewDatabase(path: path) } else { nil }
            let store = try ObjectsArguments.opening(path, hint: hint, creates: create) { () throws(ObjectStoreError) in
                try place.location.open(adding: catalog, place.options)
            }
            do { return try self.store.using(store, body) } catch {
                try? store.close()
                new?.remove()
                throw error
            }
        }
    }
}
