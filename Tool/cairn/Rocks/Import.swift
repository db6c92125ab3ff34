import ArgumentParser
import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit
import CairnTour

extension RecordFormat: ExpressibleByArgument {}

extension Rocks {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import records from a file: JSON Lines, CSV, TSV or Debian control.",
            discussion: """
                jsonl     One object per line. With --key, each line is stored unchanged, with
                          the value of that field as its key. Without --key, lines must be as
                          'export' writes them: 'key' or 'key_hex', 'value' or 'value_hex', and
                          optionally 'column_family'; the types of its lines are used.
                csv, tsv  With a header, quoted as in RFC 4180. Each row is stored as a JSON
                          object of strings, and of what --types says. The default key is
                          the first column.
                control   Paragraphs as in /var/lib/dpkg/status. Each is stored as a JSON
                          object of strings. The default key is 'Package'.

                If several records have the same key, the last one wins. Each batch is stored completely or not at all. The import stops at the \
                first malformed record, and reports up to which line records were stored. A database that --create created is removed again if none \
                were.
                """
        )

        @OptionGroup var database: WritableDatabaseArguments
        @Argument(help: "The file; '-' is standard input.", completion: .file()) var file = "-"
        @Option(
            name: [.customLong("column-family"), .customShort("c")],
            help: ArgumentHelp("The column family for all records. (default: the one that a record names, or 'default')", valueName: "name")
        )
        var columnFamily: String?
        @Option(help: "The format. (default: detected from the file's name or its first bytes)")
        var format: RecordFormat?
        @Option(help: "The field that contains the key.") var key: String?
        @Option(
            help: ArgumentHelp(
                "The types of the elements of a typed table's keys, as for 'put'. A compound key is a field of elements separated by commas.",
                valueName: "types"
            )
        )
        var keyType: KeyTypes?
        @Option(
            help: ArgumentHelp("The type of a typed table's values, as for 'put'.", valueName: "type"),
            transform: ValueType.parse
        )
        var valueType: ValueType?
        @Flag(help: "Store keys and values as they are, even if the database remembers the types of the table.") var raw = false
        @Option(
            help: ArgumentHelp(
                "The types of columns that are not text: int, double, bool, as in seconds=int,live=bool. Empty ones become null.",
                valueName: "column=type"
            )
        )
        var types: FieldTypes?
        @Option(parsing: .unconditional, help: "Records per batch.") var batch = 1000
        @Flag(help: "Print the result as a JSON object.") var json = false
        @OptionGroup var writing: WritingArguments

        func validate() throws {
            if types != nil, let format, format != .csv, format != .tsv { throw ValidationError("--types is for csv and tsv.") }
            if raw && (keyType != nil || valueType != nil) {
                throw ValidationError("--raw cannot be combined with --key-type and --value-type.")
            }
            if batch < 1 { throw ValidationError("--batch must be at least 1.") }
        }

        func run() throws {
            let input = try ByteInput(path: file)
            let format = try format ?? detectedFormat(of: input)
            // The header is read before a database is created.
            var reader = try format.reader(of: input, key: key, types: types?.byName ?? [:], takesTypedKeys: true)
            let place = NewDatabase(path: database.path)
            let database = try database.openForWriting(create: writing.create)
            try database.refuseObjectStore()
            let progress = Progress(total: input.size)
            let rows = try run(&reader, of: input, into: database, place, progress)
            try database.close()
            try printResult(rows: rows, format: format, elapsed: progress.elapsed)
        }

        private func detectedFormat(of input: ByteInput) throws -> RecordFormat {
            guard let format = RecordFormat.detect(name: input.name, beginning: try input.preview()) else {
                throw Failure.unknownFormat(of: input.name)
            }
            return format
        }

        /// Returns how many records were stored.
        private func run(
            _ reader: inout any RecordReader,
            of input: ByteInput,
            into database: RocksDB,
            _ place: NewDatabase?,
            _ progress: Progress
        ) throws -> Int {
            let types = ImportTypes(
                given: (keyType, valueType),
                remembered: raw ? RememberedTypes() : RememberedTypes(path: database.path),
                isRaw: raw
            )
            var sink = ImportSink(
                database: database,
                columnFamily: columnFamily,
                batchSize: batch,
                types: types,
                input: input.name,
                arguments: writing
            )
            defer { progress.finish() }
            do {
                while let item = try reader.next() {
                    try sink.add(item)
                    progress.update(rows: sink.rows, bytes: input.bytesRead)
                }
                try sink.write()
            } catch {
                if sink.rows == 0 { place?.remove(database) }
                guard let failure = Failure(error) else { throw error }
                throw Failure(failure.status, failure.message, hint: [failure.hint, sink.state].compactMap { $0 }.joined(separator: " "))
            }
            return sink.rows
        }

        private func printResult(rows: Int, format: RecordFormat, elapsed: Duration) throws {
            try printing { output in
                if json {
                    let seconds = elapsed / .seconds(1)
                    let fields: [(String, JSONValue)] = [
                        ("rows", .int(Int64(rows))), ("format", .string(format.rawValue)), ("seconds", .double(seconds)),
                    ]
                    return try output.write(.object(fields))
                }
                let rate = Numbers.rate(rows, in: elapsed).map { ", \($0)" } ?? ""
                try output.writeLine("Imported \(Numbers.counted(rows, "record", "records")) in \(Numbers.duration(elapsed))\(rate).")
            }
        }
    }
}
