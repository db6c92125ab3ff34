import ArgumentParser
import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnToolKit
import Crypto
import Foundation

/// The key of an encrypted store.
struct MappedKeyArguments: ParsableArguments {
    @Option(help: "A file with the key of an encrypted store: 32 bytes, or 64 hexadecimal digits.", completion: .file())
    var keyFile: String?
    @Option(help: "A file whose first line is the passphrase of an encrypted store; '-' is standard input.", completion: .file())
    var passphraseFile: String?

    func validate() throws {
        if keyFile != nil, passphraseFile != nil { throw ValidationError("--key-file and --passphrase-file exclude each other.") }
    }

    /// `nil` for a store that is not encrypted.
    func cipher() throws -> MappedEncryption? { try Self.cipher(keyFile: keyFile, passphraseFile: passphraseFile) }

    static func cipher(
        keyFile: String?,
        passphraseFile: String?,
        algorithm: MappedEncryption.Algorithm = .aesGCM
    ) throws -> MappedEncryption? {
        if let keyFile { return try MappedEncryption(key: SymmetricKey(data: KeyFile.key(keyFile)), algorithm: algorithm) }
        guard let passphraseFile else { return nil }
        return try MappedEncryption(passphrase: KeyFile.passphrase(passphraseFile), algorithm: algorithm)
    }
}

/// Which store.
struct MappedArguments: ParsableArguments {
    @Argument(help: "The store's file.", completion: .file()) var path: String
    @OptionGroup var key: MappedKeyArguments

    /// Opens it so that nothing is written to it.
    func openForReading() throws -> MappedStore {
        var options = MappedStoreOptions()
        options.readOnly = true
        return try open(options)
    }

    /// Opens it for writing; it must exist unless `create`.
    func openForWriting(create: Bool = false, durability: Durability = .buffered) throws -> MappedStore {
        var options = MappedStoreOptions()
        options.createIfMissing = create
        options.durability = durability
        return try open(options, hint: "Check the path; 'set' and 'import' make a store with --create.")
    }

    private func open(_ options: MappedStoreOptions, hint: String = "Check the path.") throws -> MappedStore {
        var options = options
        options.cipher = try key.cipher()
        do throws(MappedStoreError) {
            return try MappedStore(path: path, options: options)
        } catch {
            guard error.code == .notFound, options.readOnly || !options.createIfMissing else { throw error }
            throw Failure(.database, "There is no mapped store at '\(path)'.", hint: hint)
        }
    }
}

/// How commands write.
struct MappedWritingArguments: ParsableArguments {
    @Flag(help: "Make the store if it does not exist.") var create = false
    @OptionGroup var durability: MappedDurabilityArguments
}

/// How safe writes are.
struct MappedDurabilityArguments: ParsableArguments {
    @Flag(help: "Return only when the change would survive a power cut.") var sync = false

    var durability: Durability { sync ? .synced : .buffered }
}
