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
/// Keys, values and their types are encrypted, each record for itself, with a proof that nobody changed it. Each store has a random salt, and
/// keys of its own derived from it: the same key or passphrase may serve for any number of stores.
///
/// **What shows all the same** to those who read the file: how many values there are, about how long each is together with its key, when it
/// expires, when it was set relative to others, which records are of the same key (by a keyed hash), and until the next compaction what was
/// replaced or removed, encrypted. Nothing of a file that was plain before is in the new one, but its blocks may still be on the disk.
///
/// **What those can do who write to the file:** destroy values, bring back an old value of a key or a whole old file, and remove keys. They
/// cannot make a value, change one, or move it to another key or another store: such a value is an error, `MappedStoreError.Code.corruption`.
///
/// Keys and values are in plain in the memory of the process while they are used, and nothing wipes them out.
public final class MappedEncryption: MappedCipher {
    /// What records are encrypted with.
    public enum Algorithm: UInt8, Sendable, CaseIterable {
        /// AES with keys of 256 bits in Galois/counter mode: the fastest where the processor has instructions for it, as nearly all have.
        case aesGCM = 1
        /// ChaCha20-Poly1305: as strong, faster where the processor has none.
        case chaChaPoly = 2
    }

    /// What stores are encrypted with that are made with this cipher. Stores of the other algorithm can be opened all the same.
    public let algorithm: Algorithm
    private let secret: KeySecret
    /// What was derived for which header: a passphrase takes long.
    private let sessions = Mutex<[[UInt8]: EncryptionSession]>([:])
    private static let mostSessions = 64

    /// A cipher with a key of 256 bits, such as `SymmetricKey(size: .bits256)`, to be kept where nobody else reads it.
    ///
    /// - Throws: `MappedStoreError.Code.wrongKey` for a key of another size. Text that a human remembers is no key: see
    ///   ``init(passphrase:cost:algorithm:)``.
    public init(key: SymmetricKey, algorithm: Algorithm = .aesGCM) throws(MappedStoreError) {
        do throws(KeySecret.Unusable) { secret = try KeySecret(key: key) } catch { throw MappedStoreError(.wrongKey, error.message) }
        self.algorithm = algorithm
    }

    /// A cipher with a key derived from a passphrase by scrypt (RFC 7914).
    ///
    /// Texts are the same passphrase if they are the same bytes of UTF-8: the text is not normalized. Deriving takes the time and memory that
    /// `cost` says, once for each store.
    ///
    /// - Parameters:
    ///   - passphrase: What the user knows; not empty.
    ///   - cost: For stores that are made with this cipher; others keep their own. Default: `ScryptCost.standard`.
    ///   - algorithm: For stores that are made with this cipher. Default: AES-256-GCM.
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

    /// - Throws: `MappedStoreError.Code.wrongKey`; `MappedStoreError.Code.unsupportedVersion` for what a later release made;
    ///   `MappedStoreError.Code.corruption` where the header makes no sense or asks for more than `ScryptCost.largest`.
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

    /// The session for a store of these settings.
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
            throw MappedStoreError(.codec, KeySecret.derivationFailure, cause: error)
        }
    }
}
