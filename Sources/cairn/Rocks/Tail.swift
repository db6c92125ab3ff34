import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Tail: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the changes that the write-ahead log still has.",
            discussion: """
                Each change is a line: sequence number, operation, column family, key, value, with tabs between; bytes stand as 'scan' writes them. \
                The value of a deleteRange is where it ends.

                RocksDB deletes a log once its changes are in files, unless the database keeps it (wal_ttl_seconds, wal_size_limit_mb). \
                With --since, changes that are gone are an error. The database must not be open elsewhere; its log stays as it is, but for empty \
                records behind the last change.
                """
        )

        @OptionGroup var database: DatabaseArguments
        @Option(help: "Begin behind the change of this sequence number. (default: at the first that is there)") var since: UInt64?
        @Option(help: "Print at most so many changes.") var limit: Int?
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object per change; bytes that are not UTF-8 stand as digits under 'key_hex' and 'value_hex'.") var json =
            false

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        }

        func run() throws {
            let database = try database.openForWriting(create: false, keepsLog: true)
            try printing { output in
                do {
                    let reader = try database.makeChangeReader(since: since ?? 0, skippingGaps: since == nil)
                    try print(reader, to: output)
                } catch let error as RocksError where error.code == .logTruncated {
                    guard let failure = Failure(error) else { throw error }
                    throw Failure(failure.status, failure.message, hint: "Without --since the changes are printed that are still there.")
                }
            }
            try database.close()
        }

        private func print(_ reader: ChangeReader, to output: OutputWriter) throws {
            var left = limit ?? .max
            while left > 0, let batch = try reader.next() {
                var number = batch.sequenceNumber
                for operation in batch.operations where left > 0 {
                    let isNumbered = operation.kind != .logData
                    // A batch may begin before what was asked for.
                    if !isNumbered || number > since ?? 0 {
                        try output.write(line(operation, isNumbered ? number : nil))
                        left -= 1
                    }
                    if isNumbered { number += 1 }
                }
            }
        }

        private func line(_ operation: BatchOperation, _ number: UInt64?) -> [UInt8] {
            let family = operation.columnFamilyName ?? "#\(operation.columnFamilyID)"
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
