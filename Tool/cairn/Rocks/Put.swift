import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Put: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Store a value for a key.",
            discussion: """
                If no value is given, it is read from standard input, byte for byte (as digits with --hex). A value of a typed table, such as a number, is \
                given as text.
                """
        )

        @OptionGroup var store: WritableStoreArguments
        @Argument(help: "The key.") var key: ByteArgument
        @Argument(help: "The value. (default: standard input)") var value: ByteArgument?
        @OptionGroup var entry: EntryArguments
        @OptionGroup var writing: WritingArguments

        func run() throws {
            let form = entry.form(of: store.columnFamily, entry.keys.remembered(in: store.database.path))
            let key = try form.key(key)
            let value =
                if let value { try form.value(form.hex.bytes(value), from: "'\(value)'") } else {
                    try form.value(standardInput(), from: "Standard input")
                }
            try store.writing(create: writing.create) { try $0.put(value, for: key, options: writing.options) }
        }

        private func standardInput() throws -> [UInt8] {
            let bytes = try ByteInput(path: "-", isText: false).readAll()
            guard entry.keys.hex.hex else { return bytes }
            guard let decoded = Hex.bytes(bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }) else {
                throw Failure(.file, "Standard input does not consist of pairs of hexadecimal digits, which --hex requires.")
            }
            return decoded
        }
    }
}
