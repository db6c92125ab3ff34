package import Crypto
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The algorithm that encrypts records.
package enum RecordAlgorithm: UInt8, Sendable {
    case aesGCM = 1
    case chaChaPoly = 2
}

/// Encrypts and decrypts the records of one store, for any number of threads.
///
/// A sealed record is a nonce of 24 bytes, the encrypted content, and a tag of 16 bytes. The first half of the nonce is random for each session that
/// writes, and determines the key that seals the record: HMAC-SHA256 of that half with the record key. The second half is random for each record, and
/// is the nonce under that key. With one key for all, 96 random bits would be safe for about 2^32 records in the life of a store. This way, they are
/// safe for 2^32 records under each key, with as many keys as needed, even if a forked child continues with its parent's key.
package final class RecordSealer: Sendable {
    package static let prefixSize = 12
    package static let nonceSize = 24
    package static let tagSize = 16
    /// The number of bytes that sealing adds to a record.
    package static let overhead = nonceSize + tagSize
    /// The maximum number of records sealed with one key.
    package static let mostUses: UInt64 = 1 << 32

    private let algorithm: RecordAlgorithm
    private let recordKey: SymmetricKey
    private let mostUses: UInt64
    private let first: RecordKey
    private let known = KnownKeys()

    package init(_ algorithm: RecordAlgorithm, recordKey: SymmetricKey, mostUses: UInt64 = mostUses) {
        self.algorithm = algorithm
        self.recordKey = recordKey
        self.mostUses = mostUses
        first = RecordKey(prefix: RecordKey.randomPrefix(), of: recordKey)
    }

    package func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] {
        var key = first
        while key.uses.add(1, ordering: .relaxed).newValue > mostUses {
            key = key.next.load() ?? key.next.storeIfNil(RecordKey(prefix: RecordKey.randomPrefix(), of: recordKey))
        }
        return try unsafe plain.withUnsafeBytes { plain in
            try unsafe context.withUnsafeBytes { context in try unsafe seal(plain, context, key) }
        }
    }

    private func seal(_ plain: UnsafeRawBufferPointer, _ context: UnsafeRawBufferPointer, _ key: RecordKey) throws -> [UInt8] {
        var sealed: [UInt8] = []
        sealed.reserveCapacity(plain.count + Self.overhead)
        sealed += key.prefix
        switch algorithm {
        case .aesGCM:
            let box = unsafe try AES.GCM.seal(plain, using: key.key, authenticating: context)
            sealed += box.nonce
            sealed += box.ciphertext
            sealed += box.tag
        case .chaChaPoly:
            let box = unsafe try ChaChaPoly.seal(plain, using: key.key, authenticating: context)
            sealed += box.nonce
            sealed += box.ciphertext
            sealed += box.tag
        }
        return sealed
    }

    package func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] {
        guard sealed.byteCount >= Self.overhead else { throw CryptoKitError.incorrectParameterSize }
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
    /// The key to use after this one has sealed the maximum number of records.
    let next = AtomicLazyReference<RecordKey>()

    init(prefix: [UInt8], of recordKey: SymmetricKey) {
        self.prefix = prefix
        let code = HMAC<SHA256>.authenticationCode(for: prefix, using: recordKey)
        key = SymmetricKey(data: code)
    }

    static func randomPrefix() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<RecordSealer.prefixSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

/// Keys of other sessions, kept when they are first used: the first key in each place stays. Readers never wait.
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
