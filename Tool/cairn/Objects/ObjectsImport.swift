import ArgumentParser
import CairnRocksGraph
import CairnToolKit
import CairnTour

extension Objects {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import what 'export' wrote, or objects of a class from CSV, TSV or JSON Lines: all of them, or none.",
            discussion: """
                Of what 'export' wrote, missing classes are added to the store; existing ones must have the same properties. Objects keep their \
                rows if the store has no objects of the class yet; otherwise they get new rows, and references to them are adjusted. Existing \
                names are replaced.

                With --class, the file has objects of a class that the store has, which get new rows. CSV and TSV have a header, quoted as in \
                RFC 4180; each column is a property. JSON Lines have an object per line, whose members are properties, with values as in 'export'.

                  cairn objects import Music.store songs.csv --class Song
                  cairn objects import Music.store songs.tsv --class Song --columns 'Song Title=title,Notes='

                Fields have the form of the property's type: decimal numbers; true and false; ISO 8601 dates, days such as 2026-01-31, or \
                seconds since 2001; hexadecimal digits for bytes; the raw values of enumerations; class number and row, such as 2/7, of an \
                object in the store for references; JSON for lists, sets, dictionaries and Codable types. An empty field is nil for an \
                optional property, empty text for text, no bytes for bytes, and an error for others. Properties without a column are nil or, \
                if they are not optional, an error: only the program knows their defaults. A reference cannot be imported if its inverse is \
                stored too, such as the list of an album's songs.

                All objects are held in memory until they are stored together.
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
            let result = try retrying { try className.map { try importRows(of: $0) } ?? importLines() }
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
                    try output.writeLine("incomplete: the index on \(index); a program with the class completes it")
                }
            }
        }

        /// Imports a file again if others wrote to the store in the meantime.
        private func retrying(_ body: () throws -> ObjectImporter.Result) throws -> ObjectImporter.Result {
            var left = 1000
            while true {
                left -= 1
                do { return try body() } catch let error as ObjectStoreError where error.code == .busy && file != "-" && left > 0 {}
            }
        }

        private func importLines() throws -> ObjectImporter.Result {
            let reader = ObjectLinesReader(try ByteInput(path: file))
            let catalog: ObjectCatalog
            do { catalog = try reader.readClasses() } catch let error as InputError where error.line == 1 {
                throw Failure(.file, "\(error).", hint: "With --class CLASS, objects of a class are imported from CSV, TSV or JSON Lines.")
            }
            return try opened(catalog) { store in
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
        }

        private func importRows(of className: String) throws -> ObjectImporter.Result {
            let input = try ByteInput(path: file)
            guard let format = try format ?? RecordFormat.detect(name: input.name, beginning: input.preview()), format != .control else {
                throw Failure.unknownFormat(of: input.name, hint: "Name it with --format: csv, tsv or jsonl.")
            }
            return try opened(ObjectCatalog(classes: [])) { store in
                let stored = try store.classNamed(className)
                let importer = try ObjectImporter(store, references: .toStored)
                try importer.add(stored)
                let reader = ObjectRowReader(input, stored, columns ?? ColumnNames())
                try reader.forEach(format) { try importer.add($0) }
                return try importer.finish()
            }
        }

        private func opened<Value>(_ catalog: ObjectCatalog, _ body: (ObjectStore) throws -> Value) throws -> Value {
            var options = ObjectStoreOptions()
            options.createIfMissing = create
            options.durability = sync ? .synced : .buffered
            options.cipher = try self.store.cipher()
            let (path, location) = (self.store.path, try self.store.location())
            let hint = className == nil ? "Check the path; --create creates the store." : "Check the path."
            // Others may already use a new file of SQLite, or store of a server, so it stays.
            let place: NewDatabase? = if case .rocks(let path) = location { NewDatabase(path: path) } else { nil }
            let store = try ObjectsArguments.opening(path, hint: hint) { [options] () throws(ObjectStoreError) in
                try location.open(adding: catalog, options)
            }
            do { return try self.store.using(store, body) } catch {
                try? store.close()
                place?.remove()
                throw error
            }
        }
    }
}
