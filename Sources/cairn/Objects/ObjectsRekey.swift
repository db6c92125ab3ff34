import ArgumentParser
import CairnObjects
import CairnObjectsEncryption
import CairnToolKit
import Crypto

/// The key of an encrypted store.
struct ObjectsKeyArguments: ParsableArguments {
    @Option(help: "A file with the key of an encrypted store: 32 bytes, or 64 hexadecimal digits.", completion: .file())
    var keyFile: String?
    @Option(help: "A file whose first line is the passphrase of an encrypted store; '-' is standard input.", completion: .file())
    var passphraseFile: String?

    func validate() throws {
        if keyFile != nil, passphraseFile != nil { throw ValidationError("--key-file and --passphrase-file exclude each other.") }
    }

    /// `nil` for a store that is not encrypted.
    func cipher() throws -> ObjectEncryption? { try Self.cipher(keyFile: keyFile, passphraseFile: passphraseFile) }

    static func cipher(keyFile: String?, passphraseFile: String?) throws -> ObjectEncryption? {
        if let keyFile { return try ObjectEncryption(key: SymmetricKey(data: KeyFile.key(keyFile))) }
        guard let passphraseFile else { return nil }
        return try ObjectEncryption(passphrase: KeyFile.passphrase(passphraseFile))
    }
}

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
        @Option(help: "A file with the new key: 32 bytes, or 64 hexadecimal digits.", completion: .file()) var newKeyFile: String?
        @Option(help: "A file whose first line is the new passphrase; '-' is standard input.", completion: .file())
        var newPassphraseFile: String?
        @Flag(help: "The store is to be encrypted no longer.") var plain = false
        @Flag(help: "Change only the key that opens the store.") var wrap = false

        func validate() throws {
            let ways = [newKeyFile != nil, newPassphraseFile != nil, plain].count(where: { $0 })
            guard ways == 1 else {
                throw ValidationError("One of --new-key-file, --new-passphrase-file and --plain says how the store is to be encrypted.")
            }
            if wrap, plain { throw ValidationError("--wrap and --plain exclude each other.") }
        }

        func run() throws {
            let new = try ObjectsKeyArguments.cipher(keyFile: newKeyFile, passphraseFile: newPassphraseFile)
            if wrap, let new {
                try store.writing { try $0.changeKey(to: new) }
                return try printing { try $0.writeLine("Changed the key.") }
            }
            let old = try store.key.cipher()
            let progress = Progress(total: nil)
            try ObjectStore.changeCipher(path: store.path, from: old, to: new) { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            try printing { try $0.writeLine(new == nil ? "Decrypted the store." : "Encrypted the store anew.") }
        }
    }
}
