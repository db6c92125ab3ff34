/// Encrypts a store. The product `CairnObjectsEncryption` provides a cipher based on swift-crypto; you can write others.
///
/// Values are encrypted, and so are names; index keys are hashed. The number and length of values, and which objects refer to which, are
/// not hidden: see `docs/threat-model-objects.md`.
public protocol ObjectCipher: Sendable {
    /// Sets up a new store, with its own keys.
    ///
    /// - Returns: The session for its values, and bytes to store unencrypted in the store: enough to make the same session again, and to
    ///   detect a wrong key.
    func create() throws -> (session: any ObjectCipherSession, header: [UInt8])

    /// Unlocks a store that was made with this cipher's ``create()`` or ``header(for:)``.
    ///
    /// - Throws: ``ObjectStoreError/Code/wrongKey`` if it was made with another key.
    func unlock(_ header: [UInt8]) throws -> any ObjectCipherSession

    /// Returns the bytes that a store must keep for this cipher to unlock it from now on; its keys stay the same.
    ///
    /// - Parameter session: A session that a cipher of the same kind has unlocked.
    /// - Throws: ``ObjectStoreError/Code/notSupported`` for a session of another kind.
    func header(for session: any ObjectCipherSession) throws -> [UInt8]
}

/// Encrypts, decrypts and hashes for one store. Called from many threads at once.
public protocol ObjectCipherSession: Sendable {
    /// The number of bytes that sealing adds to a value.
    var overhead: Int { get }

    /// Encrypts `plain`. `context` is not encrypted, but ``open(_:context:)`` must be given the same bytes.
    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8]

    /// Decrypts what ``seal(_:context:)`` made; throws if a single bit of it or of the context differs.
    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8]

    /// Returns a hash of a term: the same for the same term, and revealing nothing about it without the key.
    func hash(_ term: RawSpan) -> UInt128

    /// Makes a new key for a group of objects (``ShreddableObject``), which the store keeps among its values.
    ///
    /// - Throws: ``ObjectStoreError/Code/notSupported`` if the cipher supports no group keys; the default implementation always throws it.
    func makeGroupKey() throws -> [UInt8]

    /// Returns the session that encrypts with a key that ``makeGroupKey()`` made.
    func session(groupKey: [UInt8]) throws -> any ObjectCipherSession
}

extension ObjectCipherSession {
    public func makeGroupKey() throws -> [UInt8] {
        throw ObjectStoreError(.notSupported, "the cipher does not support keys for groups of objects")
    }

    public func session(groupKey: [UInt8]) throws -> any ObjectCipherSession {
        throw ObjectStoreError(.notSupported, "the cipher does not support keys for groups of objects")
    }
}
