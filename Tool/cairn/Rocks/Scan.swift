import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Scan: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print entries in key order.",
            discussion: """
                Prints a line per entry: key, tab, value. Backslash, tab, newline and carriage return are written as \\\\, \\t, \\n and \\r, and \
                anything unprintable as \\xNN, so that an entry is always a single line.

                With --reverse, the scan goes from the largest key to the smallest, and --from is the upper bound.
                """
        )

        @OptionGroup var store: StoreArguments
        @OptionGroup var range: RangeArguments
        @Option(parsing: .unconditional, help: "Print at most this many entries.") var limit: Int?
        @Flag(help: "Scan from the last key to the first.") var reverse = false
        @Flag(help: "Print only keys; do not read values.") var keysOnly = false
        @OptionGroup var entry: EntryArguments
        @Flag(help: "Print a JSON object per line. Bytes that are not UTF-8 become hexadecimal digits in 'key_hex' and 'value_hex'.")
        var json =
            false

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
        }

        func run() throws {
            let form = entry.form(of: store.columnFamily, entry.keys.remembered(in: store.database.path))
            let range = try range.range(form, isReversed: reverse)
            try store.reading { family in
                try printing { output in
                    var cursor = try family.makeCursor(range, options: .scan)
                    let limit = limit ?? .max
                    var left = limit
                    var line: [UInt8] = []
                    while left > 0 {
                        line.removeAll(keepingCapacity: true)
                        if keysOnly {
                            guard let key = try cursor.nextKey() else { break }
                            try append(key: [UInt8](copying: key), value: nil, form, to: &line)
                        } else {
                            guard let entry = try cursor.next() else { break }
                            try append(key: [UInt8](copying: entry.key), value: [UInt8](copying: entry.value), form, to: &line)
                        }
                        try output.write(line)
                        left -= 1
                    }
                    if left == limit, limit > 0 { try self.range.explainNothing(in: family, form, isReversed: reverse) }
                }
            }
        }

        private func append(key: [UInt8], value: [UInt8]?, _ form: EntryForm, to line: inout [UInt8]) throws {
            if json { try form.appendEntry(key: key, value: value, to: &line) } else { try form.append(key: key, value: value, to: &line) }
        }
    }
}
