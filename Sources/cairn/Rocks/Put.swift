import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Put: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Store a value for a key.",
            discussion: "Without a value on the command line, it is what standard input holds, byte for byte (digits with --hex)."
        )

        @OptionGroup var store: StoreArguments
        @Argument(help: "The key.") var key: String
        @Argument(help: "The value; standard input if left out.") var value: String?
        @OptionGroup var hex: HexArguments
        @OptionGroup var writing: WritingArguments

        func run() throws {
            let key = try hex.bytes(key)
            let value = try value.map(hex.bytes) ?? standardInput()
            try store.writing(create: writing.create) { try $0.put(value, for: key, options: writing.options) }
        }

        private func standardInput() throws -> [UInt8] {
            let bytes = try ByteInput(path: "-", isText: false).readAll()
            guard hex.hex else { return bytes }
            guard let decoded = Hex.bytes(bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }) else {
                throw Failure(.file, "Standard input is not made of pairs of hexadecimal digits, as --hex asks.")
            }
            return decoded
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove keys, all at once or none.",
            discussion: "A key that is not there is no error."
        )

        @OptionGroup var store: StoreArguments
        @Argument(help: "The keys.") var keys: [String]
        @OptionGroup var hex: HexArguments
        @OptionGroup var durability: DurabilityArguments

        func run() throws {
            let keys = try keys.map(hex.bytes)
            try store.writing(create: nil) { family in
                try family.write(options: durability.options) { batch in
                    for key in keys { batch.delete(key) }
                }
            }
        }
    }
}

/// How safe writes are.
struct DurabilityArguments: ParsableArguments {
    @Flag(help: "Return only when the data would survive a power cut.") var sync = false

    var options: WriteOptions { WriteOptions(durability: sync ? .synced : .buffered) }
}

/// How commands write that may make what is missing.
struct WritingArguments: ParsableArguments {
    @Flag(help: "Make the database and the column family if they do not exist.") var create = false
    @OptionGroup var durability: DurabilityArguments

    var options: WriteOptions { durability.options }
}
