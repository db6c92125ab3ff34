import ArgumentParser
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the value of a key.",
            discussion: """
                The value is printed unchanged, or as text if it is a number; on a terminal and in the shell, a newline follows. Exits with 1 if the \
                key does not exist.
                """
        )

        @OptionGroup var store: StoreArguments
        @Argument(help: "The key.") var key: ByteArgument
        @OptionGroup var entry: EntryArguments
        @Flag(help: "Print key and value as a JSON object.") var json = false

        func run() throws {
            let form = entry.form(of: store.columnFamily, entry.keys.remembered(in: store.database.path))
            let key = try form.key(key)
            try store.reading { family in
                guard let value = try family.get(key) else {
                    throw Failure(.no, "There is no key '\(self.key)' in column family '\(family.name)' of '\(store.database.path)'.")
                }
                try printing { output in
                    if json {
                        var line: [UInt8] = []
                        try form.appendEntry(key: key, value: value, to: &line)
                        try output.write(line)
                    } else {
                        try output.write(value: form.text(of: value), hex: form.hex.hex)
                    }
                }
            }
        }
    }
}
