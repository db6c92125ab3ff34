import ArgumentParser
import CairnCore
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
            abstract: "Print the changes that the write-ahead log still has, and with --follow those to come.",
            discussion: """
                Each change is a line: sequence number, operation, column family, key, value, with tabs between; bytes stand as 'scan' writes them. \
                The value of a deleteRange is where it ends.

                The files of the log are read as they are; a program that has the database open is not disturbed. Changes appear once that program \
                has handed them to the system. RocksDB deletes a file of the log once its changes are in sorted files, unless the database keeps \
                it (wal_ttl_seconds, wal_size_limit_mb). With --since, changes that are gone are an error; without, they are passed over. Changes \
                made without the log are never there; a compressed log (wal_compression), and one with transactions of two phases, cannot be read.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Option(help: "Begin behind the change of this sequence number. (default: at the first that is there)") var since: UInt64?
        @Option(help: "Print at most so many changes.") var limit: Int?
        @Flag(name: .shortAndLong, help: "Go on with the changes that are made, until interrupted or up to --limit.") var follow = false
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object per change; bytes that are not UTF-8 stand as digits under 'key_hex' and 'value_hex'.") var json =
            false

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        }

        func run() throws {
            var names = ColumnFamilyNames(database: database)
            let latest = try names.read()
            if let since, since > latest {
                throw Failure(.database, "The last change of '\(database.path)' is number \(latest).")
            }
            let log = try database.logDirectory()
            try printing { output in
                do {
                    let reader = try LogReader(path: database.path, since: since ?? 0, skippingGaps: since == nil, walDirectory: log)
                    try print(reader, upTo: latest, &names, to: output)
                } catch let error as RocksError where error.code == .logTruncated {
                    guard let failure = Failure(error) else { throw error }
                    throw Failure(failure.status, failure.message, hint: "Without --since the changes are printed that are still there.")
                }
            }
        }

        /// - Parameter latest: The change up to which the log must go, if it is whole.
        private func print(_ reader: LogReader, upTo latest: UInt64, _ names: inout ColumnFamilyNames, to output: OutputWriter) throws {
            var left = limit ?? .max
            while left > 0 {
                guard let batch = try reader.next() else {
                    let last = reader.lastSequenceNumber
                    if since != nil, last < latest {
                        throw RocksError(.logTruncated, "the changes from number \(last + 1) to \(latest) are not in the log")
                    }
                    guard follow else { return }
                    try output.flush()
                    // RocksDB tells other processes nothing: looking now and then is all there is.
                    usleep(200_000)
                    continue
                }
                var number = batch.sequenceNumber
                for operation in batch.operations where left > 0 {
                    let isNumbered = operation.kind != .logData
                    // A batch may begin before what was asked for.
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

/// The names of the column families that the log calls by numbers.
private struct ColumnFamilyNames {
    let database: DatabaseArguments
    private var names: [UInt32: String] = [:]

    init(database: DatabaseArguments) { self.database = database }

    /// Reads the names as they are now; returns the number of the last change.
    mutating func read() throws -> UInt64 {
        let database = try database.openForReading()
        for name in database.columnFamilyNames { names[try database.columnFamily(name).id] = name }
        let latest = try database.latestSequenceNumber()
        try database.close()
        return latest
    }

    /// One that is new is looked up; one that was dropped has only its number.
    subscript(id: UInt32) -> String {
        mutating get {
            if names[id] == nil { _ = try? read() }
            let name = names[id] ?? "#\(id)"
            names[id] = name
            return name
        }
    }
}
