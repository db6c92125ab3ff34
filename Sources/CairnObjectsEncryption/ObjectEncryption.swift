import CairnCiphers
public import CairnGraph
public import Crypto
import Synchronization

/// Encrypts an `ObjectStore` with AES-256-GCM from swift-crypto.
///
/// ```swift
/// var options = ObjectStoreOptions()
/// options.cipher = try ObjectEncryption(passphrase: "correct horse battery staple")
/// let store = try ObjectStore(path: "Secrets.store", classes: [Note.self], options: options)
/// ```
///
/// Each store has random keys of its own, which it keeps encrypted with the key or passphrase given here. The same key or passphrase can be
/// used for any number of stores. `docs/threat-model-objects.md` describes what an attacker can still learn by reading the files, and do by
/// writing to them.
///
/// Keys and values are unencrypted in process memory while in use, and are not zeroed afterwards.
public final class ObjectEncryption: ObjectCipher {
    private let secret: KeySecret
    /// The derived keys by their settings: deriving one from a passphrase takes long.
    private let masterKeys = Mutex<[[UInt8]: SymmetricKey]>([:])
    private static let mostMasterKeys = 64

    /// A cipher with a key of 256 bits, such as `SymmetricKey(size: .bits256)`, to be kept where nobody else reads it.
    ///
    /// - Throws: `ObjectStoreError.Code.wrongKey` for a key of another size. Text that a human remembers is not a key: see
    ///   ``init(passphrase:cost:)``.
    public init(key: SymmetricKey) throws(ObjectStoreError) {
        do throws(KeySecret.Unusable) { secret = try KeySecret(key: key) } catch { throw ObjectStoreError(.wrongKey, error.message) }
    }

    /// A cipher with a key derived from a passphrase by scrypt (RFC 7914).
    ///
    /// Two texts are the same passphrase if their UTF-8 bytes are equal: the text is not normalized. Deriving takes the time and memory that
    /// `cost` says, once for each store.
    ///
    /// - Parameters:
    ///   - passphrase: What the user knows; not empty.
    ///   - cost: For stores that are made with this cipher; others keep their own. Default: `ScryptCost.standard`.
    /// - Throws: `ObjectStoreError.Code.wrongKey` for an empty passphrase.
    public init(passphrase: String, cost: ScryptCost = .standard) throws(ObjectStoreError) {
        do throws(KeySecret.Unusable) { secret = try KeySecret(passphrase: passphrase, cost: cost) } catch {
            throw ObjectStoreError(.wrongKey, error.message)
        }
    }

    public func create() throws -> (session: any ObjectCipherSession, header: [UInt8]) {
        let session = ObjectEncryptionSession(dataKey: SymmetricKey(size: .bits256))
        return (session, try header(for: session))
    }

    /// - Throws: `ObjectStoreError.Code.wrongKey`; `ObjectStoreError.Code.unsupportedVersion` for what a later release made;
    ///   `ObjectStoreError.Code.corruption` where the header makes no sense or asks for more than `ScryptCost.largest`.
    public func unlock(_ header: [UInt8]) throws -> any ObjectCipherSession {
        let settings = try settings(header)
        let wrapped = Array(header.dropFirst(KeySettings.size))
        guard let dataKey = WrappedKey.unwrap(wrapped, with: try masterKey(settings), settings.encoded()) else {
            throw ObjectStoreError(.wrongKey, "the store is encrypted with another key or passphrase")
        }
        return ObjectEncryptionSession(dataKey: dataKey)
    }

    public func header(for session: any ObjectCipherSession) throws -> [UInt8] {
        guard let session = session as? ObjectEncryptionSession else {
            throw ObjectStoreError(.notSupported, "the store is encrypted with another kind of cipher")
        }
        let settings = KeySettings(algorithm: .aesGCM, cost: secret.cost)
        return settings.encoded() + (try WrappedKey.wrap(session.dataKey, with: masterKey(settings), settings.encoded()))
    }

    private func settings(_ header: [UInt8]) throws(ObjectStoreError) -> KeySettings {
        do throws(KeySettings.Failure) {
            let settings = try KeySettings(decoding: header, following: WrappedKey.size)
            guard settings.algorithm == .aesGCM else { throw .malformed }
            return settings
        } catch {
            let isNewer = if case .unsupportedVersion = error { true } else { false }
            throw ObjectStoreError(isNewer ? .unsupportedVersion : .corruption, error.message)
        }
    }

    private func masterKey(_ settings: KeySettings) throws(ObjectStoreError) -> SymmetricKey {
        let bytes = settings.encoded()
        return try masterKeys.withLock { keys throws(ObjectStoreError) in
            if let key = keys[bytes] { return key }
            let key: SymmetricKey
            do { key = try secret.masterKey(settings) } catch {
                if let unusable = error as? KeySecret.Unusable { throw ObjectStoreError(.wrongKey, unusable.message) }
                throw ObjectStoreError(.ioError, KeySecret.derivationFailure, cause: error)
            }
            if keys.count >= Self.mostMasterKeys { keys = [:] }
            keys[bytes] = key
            return key
        }
    }
}
