import ArgumentParser
import CairnForms
import CairnMapped
import CairnToolKit

extension Mapped {
    struct Get: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the value of a key.",
            discussion: """
                Text and bytes are printed unchanged, dates in ISO 8601, arrays as JSON; on a terminal and in the shell, a newline follows. Exits with \
                1 if the key does not exist or has expired.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The key.") var key: String
        @Flag(help: "Print the stored bytes as hexadecimal digits.") var hex = false
        @Flag(help: "Print key, type, value and expiry date as a JSON object.") var json = false

        func run() throws {
            let store = try store.openForReading()
            guard let value = try store.get(key, as: MappedVariant.self) else {
                let isClean = store.openReport.isClean
                throw Failure(
                    .no,
                    "There is no key '\(key)' in '\(store.path)'.",
                    hint: isClean ? nil : "The file is damaged; 'cairn mapped verify' shows what is missing."
                )
            }
            try printing { output in
                if json { return try output.write(MappedText.json(MappedEntry(key: key, value: value, expires: store.expiry(of: key)))) }
                let bytes = hex ? try value.withStoredBytes { bytes, _ in [UInt8](copying: bytes) } : MappedText.bytes(value)
                try output.write(value: bytes, hex: hex)
            }
        }
    }

    struct SetValue: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Store a value for a key.",
            discussion: """
                Without --type, 'true' and 'false' are stored as bool, whole numbers of up to 128 bits as int, other numbers as double if it can \
                hold them, and anything else as string. If no value is given, it is read from standard input, byte for byte, and stored as string, or as bytes if it is not UTF-8.

                Dates are written as 2026-03-01T12:30:00Z.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The key.") var key: String
        @Argument(help: "The value. (default: standard input)") var value: ByteArgument?
        @Option(help: "The type. (default: guessed)") var type: MappedTypeName?
        @Flag(help: "Store bytes, given as hexadecimal digits.") var hex = false
        @Option(parsing: .unconditional, help: "The time until the value expires: seconds, or 90s, 15m, 2h, 7d. (default: never)")
        var expiresAfter: String?
        @OptionGroup var writing: MappedWritingArguments

        func validate() throws {
            if let expiresAfter, MappedText.lifetime(expiresAfter) == nil {
                throw ValidationError(
                    "--expires-after \(expiresAfter.hasPrefix("-") ? "cannot be negative; it " : "")takes a number of seconds, or a number followed by s, m, h or d, such as 7d; at most 1,000 years."
                )
            }
            if hex, let type, type != .bytes { throw ValidationError("--hex is for bytes, not for \(type.rawValue).") }
        }

        func run() throws {
            let value = try variant()
            let store = try store.openForWriting(create: writing.create, durability: writing.durability.durability)
            try store.set(value, for: key, expiresAfter: expiresAfter.flatMap(MappedText.lifetime))
        }

        private func variant() throws -> MappedVariant {
            let bytes = try value?.bytes ?? ByteInput(path: "-", isText: false).readAll()
            if hex {
                guard let decoded = Hex.bytes(bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }) else {
                    throw Failure(
                        value == nil ? .file : .usage,
                        "The value does not consist of pairs of hexadecimal digits, which --hex requires."
                    )
                }
                return .bytes(decoded)
            }
            if let type {
                guard let value = type.value(bytes) else {
                    throw Failure(value == nil ? .file : .usage, "'\(EscapedText.string(bytes))' \(type.refusal).")
                }
                return value
            }
            guard let text = String(validating: bytes, as: UTF8.self) else { return .bytes(bytes) }
            return value == nil ? .string(text) : MappedTypeName.guess(text)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove keys, in one transaction.",
            discussion: """
                If keys do not exist or have expired, names them, removes the others, and exits with 1. After an error, nothing is removed. With \
                --prefix, it is not a failure if there are none.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The keys.") var keys: [String] = []
        @Option(help: "Instead of naming keys, remove all that begin with this.") var prefix: String?
        @OptionGroup var durability: MappedDurabilityArguments

        func validate() throws {
            guard keys.isEmpty == (prefix != nil) else { throw ValidationError("Give either keys or --prefix.") }
        }

        func run() throws {
            let opened = try store.openForWriting(durability: durability.durability)
            if let prefix {
                try opened.remove(withPrefix: prefix)
                return
            }
            let missing = try opened.transaction { changes in
                var missing: [String] = []
                var seen: Set<String> = []
                for key in keys where seen.insert(key).inserted {
                    if try changes.contains(key) { changes.remove(key) } else { missing.append(key) }
                }
                return missing
            }
            guard let first = missing.first else { return }
            let name = "'\(EscapedText.string(Array(first.utf8)))'"
            throw Failure(
                .no,
                missing.count == 1
                    ? "There is no key \(name) in '\(store.path)'."
                    : "\(missing.count) keys, such as \(name), do not exist in '\(store.path)'."
            )
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all keys with their types and values.",
            discussion: """
                Prints a line per value: key, tab, type, tab, value, and if it expires, another tab and the expiry date. Anything unprintable is \
                escaped. Values that were set longest ago come first; --sort orders them by key. Damaged values are omitted; exits with 1 if there \
                are any.
                """
        )

        @OptionGroup var store: MappedArguments
        @Option(help: "Only keys with this prefix.") var prefix = ""
        @Flag(help: "Print only the keys.") var keysOnly = false
        @Flag(help: "Sort by the bytes of the keys.") var sort = false
        @Flag(help: "Print a JSON object per line.") var json = false

        func run() throws {
            let store = try store.openForReading()
            var entries = try store.intactEntries().entries.filter { $0.key.utf8.starts(with: prefix.utf8) }
            if sort { entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
            try printing { output in
                for entry in entries {
                    if json {
                        try output.write(MappedText.json(entry, hasValue: !keysOnly))
                    } else {
                        try output.writeLine(keysOnly ? EscapedText.string(Array(entry.key.utf8)) : MappedText.line(entry))
                    }
                }
            }
            let verification = try store.verify()
            guard verification.isIntact, store.openReport.isClean else {
                throw Failure(
                    .no,
                    "'\(store.path)' is damaged; all other values were printed.",
                    hint: "'cairn mapped verify' shows the damage."
                )
            }
        }
    }
}
