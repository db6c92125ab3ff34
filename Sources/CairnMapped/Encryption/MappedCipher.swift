/// What encrypts a store: product `CairnMappedEncryption` has one from swift-crypto; others can be made.
///
/// Keys and values are encrypted, with a proof that nobody changed them. Where a record lies, how long it is, when it expires and a keyed
/// hash of its key are not.
public protocol MappedCipher: Sendable {
    /// Sets a new store up.
    ///
    /// - Returns: The cipher for its records, and at most 900 bytes to be kept, unencrypted, in the file's header: enough to make the same
    ///   cipher again, and to tell a wrong key.
    func create() throws -> (session: any MappedCipherSession, header: [UInt8])

    /// Sets up a store that was made with this cipher's ``create()``.
    ///
    /// - Throws: ``MappedStoreError/Code/wrongKey`` where the store was made with another key.
    func unlock(_ header: [UInt8]) throws -> any MappedCipherSession
}

/// Encrypts and decrypts the records of one store. Called by many threads at once.
public protocol MappedCipherSession: Sendable {
    /// A secret number, derived from the key: keys are hashed with it by SipHash-2-4, which tells nothing of them without it.
    var hashKey: UInt128 { get }

    /// Encrypts `plain`; `context` is not encrypted, but the same bytes must be given to ``open(_:context:)``.
    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8]

    /// Decrypts what ``seal(_:context:)`` made; throws where so much as a bit of it or of the context is another.
    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8]
}
