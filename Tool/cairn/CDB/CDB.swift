public import ArgumentParser
public import CairnCDB
import CairnToolKit

extension CDBDialect: ExpressibleByArgument {}

/// `cairn cdb`: commands for constant databases.
struct CDB: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cdb",
        abstract: "Create, read and verify constant databases.",
        discussion: """
            A constant database is a single file that is written once and then only read. Lookups take two accesses; updates replace the whole file.

              cairn cdb create words.cdb words.csv --key word
              cairn cdb query words.cdb cairn

            The file format is that of the programs 'cdb' and tinycdb. Scripts written for 'cdb' run unchanged: if options follow directly, as in \
            'cairn cdb -c -t - out.cdb < in', this command has the same options, output and exit codes as 'cdb'; see 'cairn cdb -h'.

            \(ExitStatus.help)
            """,
        subcommands: [Create.self, Dump.self, List.self, Query.self, Stats.self, Verify.self]
    )

    /// The commands that may follow `cdb`.
    static let commandNames: Set = ["create", "dump", "list", "query", "stats", "verify", "help"]
}

/// The file to read.
struct CDBArguments: ParsableArguments {
    @Argument(help: "The file.", completion: .file()) var path: String
    @Option(help: "The layout. (default: what the file looks like)") var dialect: CDBDialect?
    @Flag(help: "Read with system calls instead of mapping the file, for example from a failing disk.") var positioned = false

    func open() throws -> CDBReader {
        try CDBReader(path: path, access: positioned ? .positioned : .mapped, dialect: dialect ?? found ?? .standard)
    }

    /// The layout that the file looks like.
    private var found: CDBDialect? { if case .cdb(let found)? = try? PathKind.of(path) { found } else { nil } }

    /// Opens the file, and calls `body`. What is obviously something else is not called damaged.
    func reading(_ body: (CDBReader) throws -> Void) throws {
        do {
            try body(try open())
        } catch let error as CDBError where error.code == .corruption {
            try checkKind()
            throw error
        }
    }

    /// Throws if the file, which cannot be read, is obviously not a constant database, or not one of the layout that was given.
    func checkKind() throws {
        if let dialect, let found, found != dialect {
            let hint = "Leave out --dialect: the layout is detected."
            throw Failure(.database, "'\(path)' is not in the layout '\(dialect.rawValue)' but in '\(found.rawValue)'.", hint: hint)
        }
        let kind: String? =
            switch try? PathKind.of(path) {
            case .cdb, nil: nil
            case .file(let file): file.phrase
            case let kind?: kind.phrase
            }
        if let kind { throw Failure(.database, "'\(path)' is not a constant database but \(kind).") }
    }
}

extension CDB {
    struct Dump: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all records in the order they were written.",
            discussion: """
                records  '+klen,vlen:key->value' per record, then an empty line. 'create' reads
                         this format.
                map      Key, space, value.
                tsv      Key, tab, value, escaped as in 'cairn rocks scan'. There is no header:
                         'create' would take the first record for one, so use another format
                         for it.
                jsonl    JSON objects, as in 'cairn rocks export'.
                """
        )

        enum Format: String, ExpressibleByArgument, CaseIterable { case records, map, tsv, jsonl }

        @OptionGroup var file: CDBArguments
        @Option(help: "The format.") var format = Format.records

        func run() throws {
            try file.reading { reader in
                try printing { output in
                    let hex = try HexArguments.parse([])
                    var line: [UInt8] = []
                    try reader.forEach { key, value in
                        line.removeAll(keepingCapacity: true)
                        switch format {
                        case .records: CDBTextFormat.records.append(key: key, value: value, to: &line)
                        case .map: CDBTextFormat.map.append(key: key, value: value, to: &line)
                        case .tsv:
                            EscapedText.append([UInt8](copying: key), to: &line)
                            line.append(UInt8(ascii: "\t"))
                            EscapedText.append([UInt8](copying: value), to: &line)
                            line.append(UInt8(ascii: "\n"))
                        case .jsonl: hex.appendEntry(key: [UInt8](copying: key), value: [UInt8](copying: value), to: &line)
                        }
                        try output.write(line)
                    }
                    if format == .records { try output.writeLine() }
                }
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the keys in the order they were written.",
            discussion: "Anything unprintable is escaped as in 'cairn rocks scan'. A key with several values is printed several times."
        )

        @OptionGroup var file: CDBArguments
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object per line.") var json = false

        func run() throws {
            try file.reading { reader in
                try printing { output in
                    var line: [UInt8] = []
                    try reader.forEachKey { key in
                        let key = [UInt8](copying: key)
                        line.removeAll(keepingCapacity: true)
                        if json {
                            hex.appendEntry(key: key, value: nil, to: &line)
                        } else {
                            if hex.hex { line += Hex.digits(key) } else { EscapedText.append(key, to: &line) }
                            line.append(UInt8(ascii: "\n"))
                        }
                        try output.write(line)
                    }
                }
            }
        }
    }

    struct Query: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the values of a key.",
            discussion: """
                Values are printed unchanged. A newline follows each, unless there is only one and standard output is not a terminal. Exits with 1 \
                if the key does not exist.
                """
        )

        @OptionGroup var file: CDBArguments
        @Argument(help: "The key.") var key: ByteArgument
        @OptionGroup var hex: HexArguments
        @Option(parsing: .unconditional, help: "Print only the value with this number, counting from 1.") var number: Int?
        @Flag(help: "Print a JSON object per value.") var json = false

        func validate() throws {
            if let number, number < 1 { throw ValidationError("--number counts from 1.") }
        }

        func run() throws {
            let key = try hex.bytes(key)
            try file.reading { reader in
                let values = try number.map { try reader.get(key, at: $0 - 1).map { [$0] } ?? [] } ?? reader.values(for: key)
                guard !values.isEmpty else {
                    throw Failure(.no, "There is no \(number.map { "value \($0) of " } ?? "")key '\(self.key)' in '\(file.path)'.")
                }
                try printing { output in
                    for value in values {
                        if json {
                            var line: [UInt8] = []
                            hex.appendEntry(key: key, value: value, to: &line)
                            try output.write(line)
                        } else {
                            try output.write(value: value, hex: hex.hex, endsLine: values.count > 1)
                        }
                    }
                }
            }
        }
    }

    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the number and sizes of records, and how evenly keys are distributed.",
            discussion: """
                The distance of a key is the number of slots between the one that its hash selects and its actual one. At distance 0, a lookup \
                takes two accesses to the file.
                """
        )

        @OptionGroup var file: CDBArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            try file.reading { reader in
                let statistics = try reader.statistics()
                try printing { output in
                    guard json else { return try output.write(statistics.description) }
                    func sizes(_ sizes: CDBStatistics.Sizes) -> JSONValue {
                        .object([("min", .unsigned(sizes.minimum)), ("max", .unsigned(sizes.maximum)), ("total", .unsigned(sizes.total))])
                    }
                    try output.write(
                        .object([
                            ("path", .string(file.path)), ("bytes", .int(reader.byteCount.bytes)),
                            ("records", .unsigned(statistics.recordCount)), ("keys", sizes(statistics.keys)),
                            ("values", sizes(statistics.values)),
                            ("tables", .unsigned(statistics.tableCount)), ("slots", .unsigned(statistics.tables.total)),
                            ("collisions", .int(statistics.collisionCount)),
                            ("distances", .array(statistics.distances.map { .unsigned($0) })),
                        ])
                    )
                }
            }
        }
    }
}
