/// What encrypts a store: product `CairnObjectsEncryption` has one from swift-crypto; others can be made.
///
/// Values, and what names and indexes have in their keys, are encrypted or hashed with a key. How many there are, how long they are and which objects
/// lead to which is not: see `docs/threat-model-objects.md`.
public protocol ObjectCipher: Sendable {
    /// Sets a new store up, with keys that no other has.
    ///
    /// - Returns: The cipher for its values, and some bytes to be kept, unencrypted, in the store: enough to make the same cipher again, and to tell a
    ///   wrong key.
    func create() throws -> (session: any ObjectCipherSession, header: [UInt8])

    /// Sets up a store that was made with this cipher's ``create()`` or ``header(for:)``.
    ///
    /// - Throws: ``ObjectStoreError/Code/wrongKey`` where it was made with another key.
    func unlock(_ header: [UInt8]) throws -> any ObjectCipherSession

    /// What a store is to keep so that this cipher unlocks it from now on, with the keys that it has.
    ///
    /// - Parameter session: What a cipher of the same kind has unlocked.
    /// - Throws: ``ObjectStoreError/Code/notSupported`` for a session of another kind.
    func header(for session: any ObjectCipherSession) throws -> [UInt8]
}

/// Encrypts, decrypts and hashes for one store. Called by many threads at once.
public protocol ObjectCipherSession: Sendable {
    /// By how many bytes sealed values are longer.
    var overhead: Int { get }

    /// Encrypts `plain`; `context` is not encrypted, but the same bytes must be given to ``open(_:context:)``.
    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8]

    /// Decrypts what ``seal(_:context:)`` made; throws where so much as a bit of it or of the context is another.
    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8]

    /// A number that is the same for the same term, and tells nothing of it without the key.
    func hash(_ term: RawSpan) -> UInt128

    /// A new key for a group of objects (``ShreddableObject``), which the store keeps among its values.
    ///
    /// - Throws: ``ObjectStoreError/Code/notSupported`` for ciphers that have no keys but their own, as by default.
    func makeGroupKey() throws -> [UInt8]

    /// What encrypts with a key that ``makeGroupKey()`` made.
    func session(groupKey: [UInt8]) throws -> any ObjectCipherSession
}

extension ObjectCipherSession {
    public func makeGroupKey() throws -> [UInt8] { throw ObjectStoreError(.notSupported, "the cipher has no keys for groups of objects") }

    public func session(groupKey: [UInt8]) throws -> any ObjectCipherSession {
        throw ObjectStoreError(.notSupported, "the cipher has no keys for groups of objects")
    }
}
