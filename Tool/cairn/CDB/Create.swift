import ArgumentParser
import CairnCDB
import CairnCore
import CairnToolKit

extension CDB {
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create or replace a file with records from other files.",
            discussion: """
                records  '+klen,vlen:key->value' per record, then an empty line: what 'dump'
                         prints.
                map      Lines of key, white space, value. Empty lines and those that begin
                         with '#' are skipped.
                jsonl, csv, tsv, control
                         As in 'cairn rocks import'. --key names the field that contains the
                         key.

                The new file replaces the old one once it is complete and on the disk. If it fails, the old file is unchanged.
                """
        )

        enum Format: String, ExpressibleByArgument, CaseIterable { case records, map, jsonl, csv, tsv, control }

        enum Duplicates: String, ExpressibleByArgument, CaseIterable {
            case add, insert, replace, fail

            var mode: CDBWriter.PutMode {
                switch self {
                case .add: .add
                case .insert, .fail: .insert
                case .replace: .replace
                }
            }
        }

        @Argument(help: "The file to create.", completion: .file()) var path: String
        @Argument(help: "Files with records; '-' is standard input.", completion: .file()) var inputs = ["-"]
        @Option(help: "The format. (default: detected from each file's name, otherwise records)")
        var format: Format?
        @Option(help: "The field that contains the key, for jsonl, csv, tsv and control.") var key: String?
        @Option(help: "What to do if a key occurs again: add the record, skip it (insert), replace the old one, or fail.")
        var duplicates = Duplicates.add
        @Option(help: "The layout.") var dialect = CDBDialect.standard
        @Option(help: "The permissions of the new file, in octal. (default: those of the old one)") var mode: String?
        @Flag(help: "Print the result as a JSON object.") var json = false

        func validate() throws {
            if let mode, UInt32(mode, radix: 8).map({ $0 > 0o777 }) ?? true {
                throw ValidationError("--mode takes an octal number up to 777.")
            }
        }

        func run() throws {
            // Opened before anything is created.
            let inputs = try inputs.map { try ByteInput(path: $0, isText: false) }
            let sizes = inputs.map(\.size)
            let progress = Progress(total: sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) })
            defer { progress.finish() }
            let writer = try CDBWriter(path: path, dialect: dialect, mode: mode.flatMap { UInt32($0, radix: 8) })
            var done = 0
            for input in inputs {
                try read(input) { key, value in
                    let wasThere = try writer.put(value, for: key, duplicates.mode)
                    if wasThere && duplicates == .fail {
                        throw Failure(.file, "\(input.name): duplicate key '\(EscapedText.string(key))'; no file was written.")
                    }
                    progress.update(rows: writer.count, bytes: done + input.bytesRead)
                }
                done += input.bytesRead
            }
            progress.show(step: "writing the hash tables")
            let count = writer.count
            let size = writer.byteCount
            try writer.finish()
            progress.finish()
            try printing { output in
                if json {
                    try output.write(.object([("records", .int(Int64(count))), ("bytes", .int(size.bytes))]))
                } else {
                    let rate = Numbers.rate(count, in: progress.elapsed).map { ", \($0)" } ?? ""
                    let time = Numbers.duration(progress.elapsed)
                    try output.writeLine("Created '\(path)' with \(Numbers.counted(count, "record", "records")) in \(time)\(rate).")
                }
            }
        }

        private func format(of input: ByteInput) -> Format {
            if let format { return format }
            return RecordFormat.detect(name: input.name).flatMap { Format(rawValue: $0.rawValue) } ?? .records
        }

        private func read(_ input: ByteInput, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Void) throws {
            let format = format(of: input)
            switch format {
            case .records: try input.forEachRecord(.records) { try body($0.key, $0.value) }
            case .map: try input.forEachRecord(.map) { try body($0.key, $0.value) }
            case .jsonl, .csv, .tsv, .control:
                guard let recordFormat = RecordFormat(rawValue: format.rawValue) else { return }
                var reader = try recordFormat.reader(of: input, key: key)
                while let item = try reader.next() {
                    if case .record(let record) = item { try body(record.key, record.value) }
                }
            }
        }
    }
}

extension ByteInput {
    /// Calls `body` with each remaining record of the text.
    func forEachRecord(_ format: CDBTextFormat, _ body: (CDBTextRecord) throws -> Void) throws {
        var parser = CDBTextParser(format)
        do {
            while let part = try nextPart() {
                parser.append(part)
                while let record = try parser.next() { try body(record) }
            }
            parser.finish()
            while let record = try parser.next() { try body(record) }
        } catch let error as CDBError where error.code == .malformedText || error.code == .incompleteText {
            throw Failure(.file, "\(name): \(error.message).")
        }
    }
}
