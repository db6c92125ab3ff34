import ArgumentParser
import CairnMapped
import CairnMappedEncryption
import CairnToolKit

extension Mapped {
    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy a consistent snapshot of all values to another store.",
            discussion: """
                Other programs can keep using the store. The copy is compact, and encrypted with the same key. An existing copy is replaced once \
                the new one is complete. Damaged values are omitted; exits with 1 if there are any.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The file to create.", completion: .file()) var copy: String
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let progress = Progress(total: nil)
            let source = try store.openForReading()
            let made = try source.backup(to: copy) { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            try printing { output in
                if json {
                    return try output.write(
                        .object([
                            ("values", .int(Int64(made.count))), ("damaged", .int(Int64(made.damagedCount))),
                            ("bytes", .int(made.size.bytes)),
                        ])
                    )
                }
                try output.writeLine("Wrote \(Numbers.counted(made.count, "value", "values")) to '\(copy)', \(made.size).")
            }
            guard made.damagedCount == 0 else {
                let count = Numbers.counted(made.damagedCount, "value", "values")
                throw Failure(
                    .no,
                    "'\(store.path)' is damaged; \(count) could not be copied.",
                    hint: "'cairn mapped verify' shows the damage."
                )
            }
            guard source.openReport.isClean else {
                throw Failure(
                    .no,
                    "'\(store.path)' is damaged; all other values were copied.",
                    hint: "'cairn mapped verify' shows the damage."
                )
            }
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace all values of a store with those of a backup.",
            discussion: """
                The backup is verified first. Other programs see either all old values or all restored ones. The restored values are encrypted with \
                the key of the store.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The backup.", completion: .file()) var backup: String
        @Flag(help: "Create the store if it does not exist.") var create = false
        @Flag(help: "The backup is not encrypted, although the store is.") var plain = false

        func run() throws {
            let store = try store.openForWriting(create: create)
            let progress = Progress(total: nil)
            try store.restore(from: backup, cipher: plain ? nil : store.options.cipher) { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            let count = try store.count
            try printing { try $0.writeLine("Restored \(Numbers.counted(count, "value", "values")) from '\(backup)'.") }
        }
    }

    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the key of a store, or encrypt or decrypt it.",
            discussion: """
                Give the current key, if the store has one, with --key-file or --passphrase-file. Programs that have the store open need the new key \
                afterwards. If the command is killed, the store is encrypted entirely with the old key or entirely with the new one. Old data may \
                remain on the disk in free blocks.
                """
        )

        enum Algorithm: String, ExpressibleByArgument, CaseIterable {
            case aesGCM = "aes-gcm"
            case chaChaPoly = "chacha20-poly1305"

            var algorithm: MappedEncryption.Algorithm { self == .aesGCM ? .aesGCM : .chaChaPoly }
        }

        @OptionGroup var store: MappedArguments
        @OptionGroup var newKey: NewKeyArguments
        @Option(help: "The encryption algorithm.") var algorithm = Algorithm.aesGCM

        func run() throws {
            let store = try store.openForWriting()
            if newKey.plain, store.options.cipher == nil { throw Failure(.database, "'\(store.path)' is not encrypted.") }
            let cipher = try newKey.read().map { try MappedEncryption($0, algorithm: algorithm.algorithm) }
            let progress = Progress(total: nil)
            try store.rekey(to: cipher) { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            let count = Numbers.counted(try store.count, "value", "values")
            try printing { try $0.writeLine(cipher == nil ? "Decrypted \(count)." : "Encrypted \(count) with the new key.") }
        }
    }
}
