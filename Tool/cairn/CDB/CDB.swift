public import ArgumentParser
public import CairnCDB
import CairnToolKit

extension CDBDialect: ExpressibleByArgument {}

/// `cairn cdb`: everything about constant databases.
struct CDB: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cdb",
        abstract: "Make, read and check constant databases.",
        discussion: """
            A constant database is one file that is written once and then only read: look-ups take two accesses, and another file takes its place \
            as a whole.

              cairn cdb create words.cdb words.csv --key word
              cairn cdb query words.cdb cairn

            Files are those of the programs 'cdb' and tinycdb. Scripts written for 'cdb' run unchanged: where its options follow at once, as in \
            'cairn cdb -c -t - out.cdb < in', its command line is taken, with the same output and exit codes ('cairn cdb -h').

            \(ExitStatus.help)
            """,
        subcommands: [Create.self, Dump.self, List.self, Query.self, Stats.self, Verify.self]
    )

    /// What may stand behind `cdb`.
    static let commandNames: Set = ["create", "dump", "list", "query", "stats", "verify", "help"]
}

/// The file that a command reads.
struct CDBArguments: ParsableArguments {
    @Argument(help: "The file.", completion: .file()) var path: String
    @Option(help: "The layout.") var dialect = CDBDialect.standard
    @Flag(help: "Read with a system call each time instead of mapping the file: for files on failing disks.") var positioned = false

    func open() throws -> CDBReader { try CDBReader(path: path, access: positioned ? .positioned : .mapped, dialect: dialect) }
}

extension CDB {
    struct Dump: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all records, in the order in which they were written.",
            discussion: """
                records  '+klen,vlen:key->value' for each, then an empty line: what 'create'
                         reads.
                map      key, space, value.
                tsv      key, tab, value, with what is not printable escaped, as
                         'cairn rocks scan' prints them.
                jsonl    JSON objects, as 'cairn rocks export' prints them.
                """
        )

        enum Format: String, ExpressibleByArgument, CaseIterable { case records, map, tsv, jsonl }

        @OptionGroup var file: CDBArguments
        @Option(help: "The format.") var format = Format.records

        func run() throws {
            let reader = try file.open()
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

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the keys, in the order in which they were written.",
            discussion: "What is not printable is escaped, as 'cairn rocks scan' does it. A key with several values comes several times."
        )

        @OptionGroup var file: CDBArguments
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object per line.") var json = false

        func run() throws {
            let reader = try file.open()
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

    struct Query: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the values of a key.",
            discussion: """
                Values are printed as they are stored, a newline behind each unless there is only one and standard output is no terminal. A key that \
                is not there is exit code 1.
                """
        )

        @OptionGroup var file: CDBArguments
        @Argument(help: "The key.") var key: String
        @OptionGroup var hex: HexArguments
        @Option(help: "Print only the value of that number, counted from 1.") var number: Int?
        @Flag(help: "Print a JSON object per value.") var json = false

        func validate() throws {
            if let number, number < 1 { throw ValidationError("--number counts from 1.") }
        }

        func run() throws {
            let key = try hex.bytes(key)
            let reader = try file.open()
            let values = try number.map { try reader.get(key, at: $0 - 1).map { [$0] } ?? [] } ?? reader.values(for: key)
            guard !values.isEmpty else {
                throw Failure(.no, "There is no \(number.map { "value number \($0) of " } ?? "")key '\(self.key)' in '\(file.path)'.")
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

    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how many records there are, how large they are, and how well keys spread.",
            discussion: """
                A distance is how many slots behind the one that its hash asks for a key lies: at distance 0 a look-up takes two accesses to the \
                file.
                """
        )

        @OptionGroup var file: CDBArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let reader = try file.open()
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

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that records and hash tables belong together.",
            discussion: "Damage is exit code 1. The format has no checksums: damage inside of a value cannot be seen. Nothing is changed."
        )

        @OptionGroup var file: CDBArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            var damage: String?
            var records = 0
            let progress = Progress(total: nil)
            do {
                let reader = try file.open()
                try reader.verify { progress.show(step: "\(Int($0 * 100)) %") }
                records = try reader.count()
            } catch let error as CDBError where error.code == .corruption {
                damage = error.message
            }
            progress.finish()
            try printing { output in
                if json {
                    try output.write(
                        .object([
                            ("path", .string(file.path)), ("records", .int(Int64(records))),
                            ("damage", damage.map { .string($0) } ?? .null),
                        ])
                    )
                } else {
                    try output.writeLine(damage ?? "\(Numbers.counted(records, "record", "records")), no damage.")
                }
            }
            guard damage == nil else {
                throw Failure(.no, "'\(file.path)' is damaged.", hint: "'cairn cdb dump' prints the records before the damage.")
            }
        }
    }
}
