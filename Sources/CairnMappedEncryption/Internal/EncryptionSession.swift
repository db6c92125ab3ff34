import CairnCiphers
import CairnMapped
package import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The keys of one store. ``RecordSealer`` says how records are sealed.
package final class EncryptionSession: MappedCipherSession {
    static let keyCheckSize = 32
    package static let mostUses = RecordSealer.mostUses

    package let hashKey: UInt128
    /// Detects a wrong key.
    let keyCheck: [UInt8]
    private let sealer: RecordSealer

    package init(_ algorithm: MappedEncryption.Algorithm, master: SymmetricKey, binding: [UInt8], mostUses: UInt64 = mostUses) {
        func derive(_ purpose: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: master,
                salt: binding,
                info: Data("cairn mapped store: \(purpose)".utf8),
                outputByteCount: count
            )
        }
        sealer = RecordSealer(algorithm.recordAlgorithm, recordKey: derive("record key", 32), mostUses: mostUses)
        hashKey = unsafe derive("hash key", 16).withUnsafeBytes { unsafe UInt128(littleEndian: $0.loadUnaligned(as: UInt128.self)) }
        keyCheck = unsafe derive("key check", Self.keyCheckSize).withUnsafeBytes { unsafe Array($0) }
    }

    package func seal(_ plain: RawSpan, context: RawSpan) throws -> [UInt8] { try sealer.seal(plain, context: context) }

    package func open(_ sealed: RawSpan, context: RawSpan) throws -> [UInt8] { try sealer.open(sealed, context: context) }

    /// Whether a header ends with the check of these keys; takes the same time wherever it differs.
    func isRight(_ header: [UInt8]) -> Bool {
        let found = header.suffix(Self.keyCheckSize)
        return found.count == keyCheck.count && zip(found, keyCheck).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension MappedEncryption.Algorithm {
    var recordAlgorithm: RecordAlgorithm {
        switch self {
        case .aesGCM: .aesGCM
        case .chaChaPoly: .chaChaPoly
        }
    }
}
