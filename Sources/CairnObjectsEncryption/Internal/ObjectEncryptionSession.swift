import CairnCiphers
import CairnGraph
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of one store, all derived from its data key. How values are sealed: `RecordSealer`.
final class ObjectEncryptionSession: ObjectCipherSession {
    let dataKey: SymmetricKey
    private let sealer: RecordSealer
    private let hash: HMAC<SHA256>

    init(dataKey: SymmetricKey) {
        func derive(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: dataKey, info: Data("cairn object store: \(purpose)".utf8), outputByteCount: 32)
        }
        self.dataKey = dataKey
        sealer = RecordSealer(.aesGCM, recordKey: derive("record key"))
        hash = HMAC(key: derive("term key"))
    }

    var overhead: Int { RecordSealer.overhead }

    func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] { try sealer.seal(plain, context: context) }

    func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] { try sealer.open(sealed, context: context) }

    func makeGroupKey() throws -> [UInt8] { unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) } }

    func session(groupKey: [UInt8]) throws -> any ObjectCipherSession {
        guard groupKey.count == SymmetricKeySize.bits256.bitCount / 8 else {
            throw ObjectStoreError(.corruption, "the key of a group has \(groupKey.count) bytes")
        }
        return ObjectEncryptionSession(dataKey: SymmetricKey(data: groupKey))
    }

    /// The first 16 bytes of HMAC-SHA256.
    func hash(_ term: RawSpan) -> UInt128 {
        var hash = hash
        unsafe term.withUnsafeBytes { unsafe hash.update(data: $0) }
        return unsafe hash.finalize().withUnsafeBytes { unsafe UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    }
}
