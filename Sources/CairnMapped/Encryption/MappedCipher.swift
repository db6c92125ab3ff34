/// Encrypts a store. Product `CairnMappedEncryption` provides a cipher based on swift-crypto; you can write others.
///
/// Keys and values are encrypted and authenticated. The position, length and expiry of a record and a keyed hash of its key are not encrypted.
public protocol MappedCipher: Sendable {
    /// Sets up a new store.
    ///
    /// - Returns: The session for its records, and at most 900 bytes to be stored, unencrypted, in the file's header: enough to create the same
    ///   session again, and to detect a wrong key.
    func create() throws -> (session: any MappedCipherSession, header: [UInt8])

    /// Sets up a store that was created with this cipher's ``create()``.
    ///
    /// - Throws: ``MappedStoreError/Code/wrongKey`` if the store was created with another key.
    func unlock(_ header: [UInt8]) throws -> any MappedCipherSession
}

/// Encrypts and decrypts the records of one store. Called by several threads at once.
public protocol MappedCipherSession: Sendable {
    /// A secret number derived from the key. Keys are hashed with it by SipHash-2-4, which reveals nothing about them without it.
    var hashKey: UInt128 { get }

    /// Encrypts `plain`. `context` is not encrypted, but ``open(_:context:)`` must be given the same bytes.
    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8]

    /// Decrypts what ``seal(_:context:)`` returned; throws if a single bit of it or of the context differs.
    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8]
}
