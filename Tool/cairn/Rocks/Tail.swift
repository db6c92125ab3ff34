import ArgumentParser
import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Rocks {
    struct Tail: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the changes in the write-ahead log, and with --follow new ones as they are made.",
            discussion: """
                Prints a line per change: sequence number, operation, column family, key and value, separated by tabs and escaped as in 'scan'. \
                The value of a deleteRange is its end.

                The log files are read directly, which does not disturb a program that has the database open. Changes appear once the program has \
                passed them to the operating system. RocksDB deletes a log file once its changes are in sorted files, unless the database keeps it \
                (wal_ttl_seconds, wal_size_limit_mb). With --since, missing changes are an error; otherwise they are skipped. Changes made without \
                the log never appear. Compressed logs (wal_compression) and logs with two-phase transactions cannot be read.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Option(
            name: .customLong("since"),
            parsing: .unconditional,
            help: ArgumentHelp("Start after this sequence number. (default: with the first change in the log)", valueName: "since")
        )
        var start: Int?
        @Option(parsing: .unconditional, help: "Print at most this many changes.") var limit: Int?
        @Flag(name: .shortAndLong, help: "Wait for new changes, until interrupted or --limit is reached.") var follow = false
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object per change. Bytes that are not UTF-8 become hexadecimal digits in 'key_hex' and 'value_hex'.")
        var json =
            false

        func validate() throws {
            if let start, start < 0 { throw ValidationError("--since cannot be negative.") }
            if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        }

        /// A sequence number has 56 bits.
        private var since: UInt64? { start.map { UInt64($0) } }

        func run() throws {
            var names = ColumnFamilyNames(database: database)
            let latest = try names.read()
            if let since, since > latest {
                throw Failure(.database, "The latest sequence number of '\(database.path)' is \(latest).")
            }
            let log = try database.logDirectory()
            try printing { output in
                do {
                    let reader = try LogReader(path: database.path, since: since ?? 0, skippingGaps: since == nil, walDirectory: log)
                    try print(reader, upTo: latest, &names, to: output)
                } catch let error as RocksError where error.code == .logTruncated {
                    guard let failure = Failure(error) else { throw error }
                    let hint = "Without --since, the changes that are still in the log are printed."
                    throw Failure(failure.status, failure.message, hint: hint)
                }
            }
        }

        /// - Parameter latest: The sequence number that a complete log ends with.
        private func print(_ reader: LogReader, upTo latest: UInt64, _ names: inout ColumnFamilyNames, to output: OutputWriter) throws {
            var left = limit ?? .max
            while left > 0 {
                guard let batch = try reader.next() else {
                    let last = reader.lastSequenceNumber
                    if since != nil, last < latest {
                        throw RocksError(.logTruncated, "the changes with sequence numbers \(last + 1) to \(latest) are not in the log")
                    }
                    guard follow else { return }
                    try output.flush()
                    // RocksDB does not notify other processes, so the log has to be polled.
                    usleep(200_000)
                    continue
                }
                var number = batch.sequenceNumber
                for operation in batch.operations where left > 0 {
                    let isNumbered = operation.kind != .logData
                    // A batch may begin before `since`.
                    if !isNumbered || number > since ?? 0 {
                        try output.write(line(operation, isNumbered ? number : nil, names[operation.columnFamilyID]))
                        left -= 1
                    }
                    if isNumbered { number += 1 }
                }
            }
        }

        private func line(_ operation: BatchOperation, _ number: UInt64?, _ family: String) -> [UInt8] {
            guard json else {
                let fields = [
                    number.map { String($0) } ?? "", operation.kind.description, EscapedText.string(Array(family.utf8)),
                    hex.text(operation.key), hex.text(operation.value),
                ]
                var line = fields.joined(separator: "\t")
                while line.last == "\t" { line.removeLast() }
                return Array((line + "\n").utf8)
            }
            var fields: [(name: String, value: JSONValue)] = []
            if let number { fields.append(("sequence_number", .unsigned(number))) }
            fields.append(("operation", .string(operation.kind.description)))
            fields.append(("column_family", .string(family)))
            fields.append(hex.field("key", operation.key))
            fields.append(hex.field("value", operation.value))
            return JSONValue.object(fields).text + "\n".utf8
        }
    }
}

/// The names of the column families, which the log identifies by number.
private struct ColumnFamilyNames {
    let database: DatabaseArguments
    private var names: [UInt32: String] = [:]

    init(database: DatabaseArguments) { self.database = database }

    /// Reads the current names; returns the latest sequence number.
    mutating func read() throws -> UInt64 {
        let database = try database.openForReading()
        for name in database.columnFamilyNames { names[try database.columnFamily(name).id] = name }
        let latest = try database.latestSequenceNumber()
        try database.close()
        return latest
    }

    /// New ones are looked up; dropped ones have only their number.
    subscript(id: UInt32) -> String {
        mutating get {
            if names[id] == nil { _ = try? read() }
            let name = names[id] ?? "#\(id)"
            names[id] = name
            return name
        }
    }
}
