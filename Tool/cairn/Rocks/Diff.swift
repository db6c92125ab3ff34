import ArgumentParser
import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the differences between two databases.",
            discussion: """
                Entries that only the first database has begin with '-', those that only the second has with '+'; a changed value is printed as \
                both. If only one database has a column family, it is named, but its entries are not printed. Exits with 1 if there is any \
                difference.
                """
        )

        @Argument(help: "The directory of the first database.", completion: .directory) var first: String
        @Argument(help: "The directory of the second database.", completion: .directory) var second: String
        @Option(
            name: [.customLong("column-family"), .customShort("c")],
            help: ArgumentHelp("The column family. (default: all)", valueName: "name")
        )
        var columnFamily: String?
        @Flag(help: "Compare only keys; do not read values.") var keysOnly = false
        @Flag(help: "Print nothing; only set the exit code.") var quiet = false
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object per difference. Bytes that are not UTF-8 become hexadecimal digits, in fields such as 'key_hex'.")
        var json = false

        func validate() throws {
            if quiet && json { throw ValidationError("--quiet cannot be combined with --json.") }
        }

        func run() throws {
            let first = try DatabaseOpener(path: first).open(.readOnly)
            let second = try DatabaseOpener(path: second).open(.readOnly)
            var isDifferent = false
            try printing { output in
                var report = DiffReport(output: quiet ? nil : output, isJSON: json, hex: hex)
                do { try compare(first, second, &report) } catch is DiffReport.Enough {}
                isDifferent = report.isDifferent
            }
            try first.close()
            try second.close()
            if isDifferent { throw ExitStatus.no }
        }

        private func compare(_ first: RocksDB, _ second: RocksDB, _ report: inout DiffReport) throws {
            if let columnFamily {
                return try compare(first.family(named: columnFamily), second.family(named: columnFamily), &report)
            }
            let names = (first.columnFamilyNames, second.columnFamilyNames)
            for name in Set(names.0 + names.1).sorted() {
                if !names.1.contains(name) {
                    try report.add(columnFamily: name, .first, path: first.path)
                } else if !names.0.contains(name) {
                    try report.add(columnFamily: name, .second, path: second.path)
                } else {
                    report.columnFamily = name == "default" ? nil : name
                    try compare(first.columnFamily(name), second.columnFamily(name), &report)
                }
            }
        }

        private func compare(_ first: ColumnFamily, _ second: ColumnFamily, _ report: inout DiffReport) throws {
            let orders = [first, second].map { $0.options.comparator ?? .bytewise }
            guard orders[0].name == orders[1].name else {
                throw Failure(
                    .database,
                    "Column family '\(first.name)' has different comparators: '\(orders[0].name)' and '\(orders[1].name)'.",
                    hint: "Only databases with the same order of keys can be compared."
                )
            }
            try first.reading { try second.reading { try walk(first, second, in: orders[0], &report) } }
        }

        /// Walks through both at the same time.
        private func walk(
            _ first: ColumnFamily,
            _ second: ColumnFamily,
            in order: KeyComparator,
            _ report: inout DiffReport
        ) throws {
            var one = try Walk(first, keysOnly: keysOnly)
            var other = try Walk(second, keysOnly: keysOnly)
            while one.key != nil || other.key != nil {
                var comparison = one.key == nil ? 1 : -1
                if let key = one.key, let otherKey = other.key { comparison = order.compare(key, otherKey) }
                if comparison == 0, let key = one.key {
                    if one.value != other.value { try report.add(key, one.value, other.value, .both) }
                    try one.advance()
                    try other.advance()
                } else if comparison < 0, let key = one.key {
                    try report.add(key, one.value, nil, .first)
                    try one.advance()
                } else if let key = other.key {
                    try report.add(key, nil, other.value, .second)
                    try other.advance()
                }
            }
        }
    }
}

/// A cursor with a copy of its current entry.
private struct Walk: ~Copyable {
    private var cursor: Cursor
    private let keysOnly: Bool
    private var entry: (key: [UInt8], value: [UInt8]?)?

    /// `nil` after the last entry.
    var key: [UInt8]? { entry?.key }
    /// `nil` if values are not read.
    var value: [UInt8]? { entry?.value }

    init(_ family: ColumnFamily, keysOnly: Bool) throws {
        var cursor = try family.makeCursor(.all, options: .scan)
        entry = try Self.next(&cursor, keysOnly)
        self.cursor = cursor
        self.keysOnly = keysOnly
    }

    mutating func advance() throws { entry = try Self.next(&cursor, keysOnly) }

    private static func next(_ cursor: inout Cursor, _ keysOnly: Bool) throws -> (key: [UInt8], value: [UInt8]?)? {
        if keysOnly {
            guard let key = try cursor.nextKey() else { return nil }
            return ([UInt8](copying: key), nil)
        }
        guard let entry = try cursor.next() else { return nil }
        return ([UInt8](copying: entry.key), [UInt8](copying: entry.value))
    }
}
