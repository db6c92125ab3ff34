import ArgumentParser
import CairnObjectsEncryption
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Encrypt a store with another key, or no longer.",
            discussion: """
                --key-file or --passphrase-file give the key that the store has now, if it has one. Everything is encrypted anew with new keys, and no \
                program may have the store open. After a kill, the same command goes on where it was; the store cannot be opened until then. Indexes \
                are not complete afterwards: programs with the classes build them. What was there before may still be on the disk, in backups and \
                copies.

                With --wrap, only the key that opens the store changes: this is quick, and indexes stay. Whoever has the old key and a copy of the old \
                files can read new ones too.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @OptionGroup var newKey: NewKeyArguments
        @Flag(help: "Change only the key that opens the store.") var wrap = false

        func validate() throws {
            if wrap, newKey.plain { throw ValidationError("--wrap and --plain exclude each other.") }
        }

        func run() throws {
            let new = try newKey.read().map { try ObjectEncryption($0) }
            if wrap, let new {
                try store.writing { try $0.changeKey(to: new) }
                return try printing { try $0.writeLine("Changed the key.") }
            }
            let old = try store.cipher()
            let progress = Progress(total: nil)
            try ObjectStore.rekey(path: store.path, from: old, to: new) { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            try printing { try $0.writeLine(new == nil ? "Decrypted the store." : "Encrypted the store anew.") }
        }
    }
}
