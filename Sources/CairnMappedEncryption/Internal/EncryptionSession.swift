import CairnMapped
package import Crypto
import Foundation
import Synchronization

/// The keys of one store.
///
/// A sealed record is a nonce of 24 bytes, the encrypted content, and a tag of 16 bytes. The nonce's first half is random for each session that
/// writes, and says by which key the record is sealed: HMAC-SHA256 of the half with the record key. The second half, random for each record, is
/// the nonce under that key. 96 random bits under one key for all would be safe for some 2^32 records of a store's life; this is for 2^32 records
/// under each of as many keys as are needed, also where a forked child goes on with its parent's.
package final class EncryptionSession: MappedCipherSession {
    static let prefixSize = 12
    static let nonceSize = 24
    static let tagSize = 16
    /// How many records are sealed by one key.
    package static let mostUses: UInt64 = 1 << 32

    package let hashKey: UInt128
    /// Tells a wrong key.
    let keyCheck: [UInt8]
    private let algorithm: MappedEncryption.Algorithm
    private let recordKey: SymmetricKey
    private let mostUses: UInt64
    private let first: RecordKey
    private let known = KnownKeys()

    package init(_ algorithm: MappedEncryption.Algorithm, master: SymmetricKey, binding: [UInt8], mostUses: UInt64 = mostUses) {
        func derive(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: master,
                salt: binding,
                info: Data("cairn mapped store: \(purpose)".utf8),
                outputByteCount: count
            )
        }
        self.algorithm = algorithm
        self.mostUses = mostUses
        recordKey = derive("record key", 32)
        hashKey = unsafe derive("hash key", 16).withUnsafeBytes { unsafe UInt128(littleEndian: $0.loadUnaligned(as: UInt128.self)) }
        keyCheck = unsafe derive("key check", EncryptionHeader.keyCheckSize).withUnsafeBytes { unsafe Array($0) }
        first = RecordKey(prefix: RecordKey.randomPrefix(), of: recordKey)
    }

    package func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] {
        var key = first
        while key.uses.add(1, ordering: .relaxed).newValue > mostUses {
            key = key.next.load() ?? key.next.storeIfNil(RecordKey(prefix: RecordKey.randomPrefix(), of: recordKey))
        }
        return try unsafe plain.withUnsafeBytes { plain in
            try unsafe context.withUnsafeBytes { context in
                try unsafe Self.seal(plain, context: context, key, algorithm, nonce: nil)
            }
        }
    }

    /// Seals with a nonce of one's own, or a random one.
    static func seal(
        _ plain: UnsafeRawBufferPointer,
        context: UnsafeRawBufferPointer,
        _ key: RecordKey,
        _ algorithm: MappedEncryption.Algorithm,
        nonce: [UInt8]?
    ) throws -> [UInt8] {
        let combined: Data? =
            switch algorithm {
            case .aesGCM:
                unsafe try AES.GCM.seal(
                    plain,
                    using: key.key,
                    nonce: nonce.map { try AES.GCM.Nonce(data: $0) } ?? AES.GCM.Nonce(),
                    authenticating: context
                ).combined
            case .chaChaPoly:
                unsafe try ChaChaPoly.seal(
                    plain,
                    using: key.key,
                    nonce: nonce.map { try ChaChaPoly.Nonce(data: $0) } ?? ChaChaPoly.Nonce(),
                    authenticating: context
                ).combined
            }
        guard let combined else { throw CryptoKitError.incorrectParameterSize }
        return key.prefix + combined
    }

    package func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] {
        guard sealed.byteCount >= Self.nonceSize + Self.tagSize else { throw CryptoKitError.incorrectParameterSize }
        return try unsafe sealed.withUnsafeBytes { sealed in
            try unsafe context.withUnsafeBytes { context in
                let prefix = unsafe sealed[..<Self.prefixSize]
                let key = if unsafe first.prefix.elementsEqual(prefix) { first } else { unsafe known.key(Array(prefix), of: recordKey) }
                let box = unsafe sealed[Self.prefixSize...]
                let plain =
                    switch algorithm {
                    case .aesGCM: unsafe try AES.GCM.open(.init(combined: box), using: key.key, authenticating: context)
                    case .chaChaPoly: unsafe try ChaChaPoly.open(.init(combined: box), using: key.key, authenticating: context)
                    }
                return Array(plain)
            }
        }
    }
}

/// A key for the records of one session.
final class RecordKey: Sendable {
    let prefix: [UInt8]
    let key: SymmetricKey
    let uses = Atomic<UInt64>(0)
    /// What follows once this one was used as often as it may.
    let next = AtomicLazyReference<RecordKey>()

    init(prefix: [UInt8], of recordKey: SymmetricKey) {
        self.prefix = prefix
        let code = HMAC<SHA256>.authenticationCode(for: prefix, using: recordKey)
        key = SymmetricKey(data: code)
    }

    static func randomPrefix() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<EncryptionSession.prefixSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

/// Keys of other sessions, as they are met: the first for each place stays. Readers wait for nobody.
final class KnownKeys: Sendable {
    private final class Place: Sendable {
        let key = AtomicLazyReference<RecordKey>()
    }

    private let places = (0..<256).map { _ in Place() }

    func key(_ prefix: [UInt8], of recordKey: SymmetricKey) -> RecordKey {
        let place = places[Int(prefix[0])]
        if let key = place.key.load(), key.prefix == prefix { return key }
        let key = RecordKey(prefix: prefix, of: recordKey)
        _ = place.key.storeIfNil(key)
        return key
    }
}
