import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How entries of an encrypted store are written: which keys are hashed, and which values are sealed, with which context.
struct SealedForm: Sendable {
    let session: any ObjectCipherSession
    private let identity: [UInt8]

    init(_ session: any ObjectCipherSession, _ identity: UUID) {
        self.session = session
        self.identity = unsafe withUnsafeBytes(of: identity.uuid) { unsafe Array($0) }
    }

    private init(_ session: any ObjectCipherSession, _ identity: [UInt8]) {
        self.session = session
        self.identity = identity
    }

    /// The same form with another key.
    func with(_ session: any ObjectCipherSession) -> SealedForm { SealedForm(session, identity) }

    /// How an entry is stored.
    enum Kind {
        /// The identity of the store, and whether it was moved: the same with and without encryption.
        case identity
        /// Private to the encryption; hidden from others.
        case encryption
        /// The key is a hash, and the name is part of the sealed value.
        case name
        /// The key is unchanged. In indexes, empty values stay empty.
        case value(isEntry: Bool)

        init(_ key: RawSpan) {
            guard key.byteCount > 0 else {
                self = .value(isEntry: false)
                return
            }
            switch unsafe key.unsafeLoad(fromByteOffset: 0, as: UInt8.self) {
            case Keyspace.nameKind: self = .name
            case Keyspace.entryKind: self = .value(isEntry: true)
            case 0 where [Keyspace.header, Keyspace.move].contains([UInt8](copying: key)): self = .identity
            case 0 where [UInt8](copying: key) == Keyspace.encryption: self = .encryption
            default: self = .value(isEntry: false)
            }
        }
    }

    // MARK: Values

    func seal(_ value: RawSpan, at key: RawSpan) throws -> [UInt8] {
        try withContext(key) { context in try session.seal(value, context: context) }
    }

    func open(_ sealed: RawSpan, at key: RawSpan) throws -> [UInt8] {
        try withContext(key) { context in try session.open(sealed, context: context) }
    }

    /// Binds a value to its store and key, so that nobody can move it elsewhere.
    private func withContext(_ key: RawSpan, _ body: (RawSpan) throws -> [UInt8]) throws -> [UInt8] {
        let count = identity.count + key.byteCount
        return try unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            unsafe buffer.copyBytes(from: identity)
            unsafe key.withUnsafeBytes { key in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[identity.count...]).copyMemory(from: key)
            }
            return unsafe try body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffer)))
        }
    }

    // MARK: Names

    static let hashSize = 16

    /// The key that stores a name.
    func storedKey(ofName key: RawSpan) -> [UInt8] { [Keyspace.nameKind] + Keyspace.bigEndian(session.hash(key)) }

    /// Seals a name: the size of its key in four bytes, the key, the value.
    func sealName(_ key: RawSpan, _ value: RawSpan, at storedKey: [UInt8]) throws -> [UInt8] {
        var plain = Keyspace.bigEndian(UInt32(truncatingIfNeeded: key.byteCount))
        plain.reserveCapacity(4 + key.byteCount + value.byteCount)
        unsafe key.withUnsafeBytes { unsafe plain.append(contentsOf: $0) }
        unsafe value.withUnsafeBytes { unsafe plain.append(contentsOf: $0) }
        return unsafe try seal(plain.span.bytes, at: storedKey.span.bytes)
    }

    /// The key and value of a name.
    func openName(_ sealed: RawSpan, at storedKey: RawSpan) throws -> (key: [UInt8], value: [UInt8]) {
        let plain = try open(sealed, at: storedKey)
        guard plain.count >= 4 else { throw EngineError(.corruption, "the size of a name is missing") }
        let size = unsafe Int(Keyspace.number(plain.span.bytes, at: 0) as UInt32)
        guard size <= plain.count - 4 else { throw EngineError(.corruption, "a name is longer than its value") }
        return (Array(plain[4..<4 + size]), Array(plain[(4 + size)...]))
    }
}
