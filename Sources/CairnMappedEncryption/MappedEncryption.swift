import CairnCiphers
public import CairnMapped
public import Crypto
import Synchronization

/// Encrypts a `MappedStore` with AES-256-GCM or ChaCha20-Poly1305, from swift-crypto.
///
/// ```swift
/// var options = MappedStoreOptions()
/// options.cipher = try MappedEncryption(passphrase: "correct horse battery staple")
/// let store = try MappedStore(path: "secrets.map", options: options)
/// ```
///
/// Keys, values and their types are encrypted and authenticated, each record separately. Each store has a random salt, and its own keys derived from
/// it, so the same key or passphrase may be used for any number of stores.
///
/// **An attacker who can read the file** sees how many values there are, about how long each is together with its key, when it expires, when it was set
/// relative to others, which records have the same key (by a keyed hash), and until the next compaction the replaced or removed records, encrypted. If
/// a store was unencrypted before, its new file contains nothing of the old one, but the old blocks may still be on the disk.
///
/// **An attacker who can write to the file** can destroy values, restore an old value of a key or an old version of the whole file, and remove
/// keys. The attacker cannot create a value, change one, or move it to another key or another store: such a value is an error,
/// `MappedStoreError.Code.corruption`.
///
/// Keys and values are unencrypted in process memory while in use, and are not zeroed afterwards.
public final class MappedEncryption: MappedCipher {
    /// The algorithm that encrypts records.
    public enum Algorithm: UInt8, Sendable, CaseIterable {
        /// AES with 256-bit keys in Galois/counter mode: the fastest if the processor has instructions for it, as nearly all do.
        case aesGCM = 1
        /// ChaCha20-Poly1305: equally strong, and faster if the processor has no such instructions.
        case chaChaPoly = 2
    }

    /// The algorithm for stores created with this cipher. Stores that use the other algorithm can be opened too.
    public let algorithm: Algorithm
    private let secret: KeySecret
    /// The derived sessions by header: deriving one from a passphrase is slow.
    private let sessions = Mutex<[[UInt8]: EncryptionSession]>([:])
    private static let mostSessions = 64

    /// Creates a cipher with a 256-bit key, such as `SymmetricKey(size: .bits256)`, which must be kept where no one else can read it.
    ///
    /// - Throws: `MappedStoreError.Code.wrongKey` for a key of another size. Text that a human remembers is not a key: see
    ///   ``init(passphrase:cost:algorithm:)``.
    public init(key: SymmetricKey, algorithm: Algorithm = .aesGCM) throws(MappedStoreError) {
        do throws(KeySecret.Unusable) { secret = try KeySecret(key: key) } catch { throw MappedStoreError(.wrongKey, error.message) }
        self.algorithm = algorithm
    }

    /// Creates a cipher with a key derived from a passphrase by scrypt (RFC 7914).
    ///
    /// Passphrases are equal if their UTF-8 bytes are equal: the text is not normalized. Deriving the key takes the time and memory that `cost`
    /// specifies, once for each store.
    ///
    /// - Parameters:
    ///   - passphrase: The user's passphrase; not empty.
    ///   - cost: For stores created with this cipher; others keep their own. Default: `ScryptCost.standard`.
    ///   - algorithm: For stores created with this cipher. Default: AES-256-GCM.
    /// - Throws: `MappedStoreError.Code.wrongKey` for an empty passphrase.
    public init(
        passphrase: String,
        cost: ScryptCost = .standard,
        algorithm: Algorithm = .aesGCM
    ) throws(MappedStoreError) {
        do throws(KeySecret.Unusable) { secret = try KeySecret(passphrase: passphrase, cost: cost) } catch {
            throw MappedStoreError(.wrongKey, error.message)
        }
        self.algorithm = algorithm
    }

    public func create() throws -> (session: any MappedCipherSession, header: [UInt8]) {
        let settings = KeySettings(algorithm: algorithm.recordAlgorithm, cost: secret.cost)
        let session = try session(settings)
        return (session, settings.encoded() + session.keyCheck)
    }

    /// - Throws: `MappedStoreError.Code.wrongKey`; `MappedStoreError.Code.unsupportedVersion` for a store of a later release;
    ///   `MappedStoreError.Code.corruption` if the header is invalid or asks for more than `ScryptCost.largest`.
    public func unlock(_ header: [UInt8]) throws -> any MappedCipherSession {
        let session = try session(settings(header))
        guard session.isRight(header) else {
            throw MappedStoreError(.wrongKey, "the store is encrypted with another key or passphrase")
        }
        return session
    }

    private func settings(_ header: [UInt8]) throws(MappedStoreError) -> KeySettings {
        do throws(KeySettings.Failure) {
            return try KeySettings(decoding: header, following: EncryptionSession.keyCheckSize)
        } catch {
            let isNewer = if case .unsupportedVersion = error { true } else { false }
            throw MappedStoreError(isNewer ? .unsupportedVersion : .corruption, error.message)
        }
    }

    /// Returns the session for a store with these settings.
    private func session(_ settings: KeySettings) throws(MappedStoreError) -> EncryptionSession {
        try sessions.withLock { sessions throws(MappedStoreError) in
            let bytes = settings.encoded()
            if let session = sessions[bytes] { return session }
            let session = EncryptionSession(
                settings.algorithm == .aesGCM ? .aesGCM : .chaChaPoly,
                master: try masterKey(settings),
                binding: bytes
            )
            if sessions.count >= Self.mostSessions { sessions = [:] }
            sessions[bytes] = session
            return session
        }
    }

    private func masterKey(_ settings: KeySettings) throws(MappedStoreError) -> SymmetricKey {
        do { return try secret.masterKey(settings) } catch {
            if let unusable = error as? KeySecret.Unusable { throw MappedStoreError(.wrongKey, unusable.message) }
            throw MappedStoreError(.ioError, KeySecret.derivationFailure, cause: error)
        }
    }
}
