import ArgumentParser
import CairnMapped
import CairnMappedEncryption
import CairnToolKit

extension Mapped {
    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy all values, as they are at one instant, to a store of its own.",
            discussion: """
                Programs that have the store open go on. The copy is compact, and encrypted with the same key. A copy that was there before is \
                replaced once the new one is whole. Damaged values are left out, and exit code 1.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The file to be made.", completion: .file()) var copy: String
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let progress = Progress(total: nil)
            let made = try store.openForReading().backup(to: copy) { progress.show(step: "\(Int($0 * 100)) %") }
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
                    "'\(store.path)' is damaged; \(count) had to be left out.",
                    hint: "'cairn mapped check' tells what is damaged."
                )
            }
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put the values of a backup in the place of all that a store holds.",
            discussion: """
                The backup is checked first. Programs that have the store open find what was there before, or what the backup has. What is restored \
                is encrypted as the store is.
                """
        )

        @OptionGroup var store: MappedArguments
        @Argument(help: "The backup.", completion: .file()) var backup: String
        @Flag(help: "Make the store if it does not exist.") var create = false
        @Flag(help: "The backup is not encrypted, though the store is.") var plain = false

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
            abstract: "Encrypt a store with another key, or no longer.",
            discussion: """
                --key-file or --passphrase-file give the key that the store has now, if it has one. Programs that have the store open need the new \
                key from then on. A kill at any instant leaves the store wholly under the old key or wholly under the new one. What was there before \
                may remain on the disk, in blocks that are free.
                """
        )

        enum Algorithm: String, ExpressibleByArgument, CaseIterable {
            case aesGCM = "aes-gcm"
            case chaChaPoly = "chacha20-poly1305"

            var algorithm: MappedEncryption.Algorithm { self == .aesGCM ? .aesGCM : .chaChaPoly }
        }

        @OptionGroup var store: MappedArguments
        @OptionGroup var newKey: NewKeyArguments
        @Option(help: "What it is encrypted with.") var algorithm = Algorithm.aesGCM

        func run() throws {
            let store = try store.openForWriting()
            let cipher = try newKey.read().map { try MappedEncryption($0, algorithm: algorithm.algorithm) }
            let progress = Progress(total: nil)
            try store.rekey(to: cipher) { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            let count = Numbers.counted(try store.count, "value", "values")
            try printing { try $0.writeLine(cipher == nil ? "Decrypted \(count)." : "Encrypted \(count) anew.") }
        }
    }
}
