import ArgumentParser
import CairnObjectsEncryption
import CairnRocksGraph
import CairnToolKit

extension Objects {
    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change the key of a store, or encrypt or decrypt it.",
            discussion: """
                Give the current key, if the store has one, with --key-file or --passphrase-file. All data is encrypted again with new keys; no program \
                may have the store open. If the command is killed, run it again to finish; until then, the store cannot be opened. Afterwards, indexes \
                are incomplete until programs with the classes rebuild them. Old data may remain on the disk, in backups and in copies.

                With --wrap, only the key that opens the store is changed, which is fast and keeps indexes. However, anyone who has the old key and a \
                copy of the old files can also read new data.
                """
        )

        @OptionGroup var store: ObjectsArguments
        @OptionGroup var newKey: NewKeyArguments
        @Flag(help: "Change only the key that opens the store.") var wrap = false

        func validate() throws {
            if wrap, newKey.plain { throw ValidationError("--wrap cannot be combined with --plain.") }
        }

        func run() throws {
            let new = try newKey.read().map { try ObjectEncryption($0) }
            if wrap, let new {
                try store.writing { try $0.changeKey(to: new) }
                return try printing { try $0.writeLine("Changed the key.") }
            }
            let old = try store.cipher()
            let (progress, location) = (Progress(total: nil), try store.location())
            try ObjectStore.rekey(
                opening: { () throws(EngineError) in try location.engine(createIfMissing: false) },
                from: old,
                to: new,
                name: store.path,
                progress: { progress.show(step: "\(Int($0 * 100)) %") }
            )
            progress.finish()
            try printing { try $0.writeLine(new == nil ? "Decrypted the store." : "Encrypted the store with the new key.") }
        }
    }
}
