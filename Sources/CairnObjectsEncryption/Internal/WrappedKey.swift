import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A data key as a store keeps it: sealed by AES-256-GCM with a key derived from the master key. The nonce, the encrypted key, the tag.
enum WrappedKey {
    static let size = 12 + 32 + 16

    /// - Parameter settings: What the master key was made with: bound to it.
    static func wrap(_ key: SymmetricKey, with master: SymmetricKey, _ settings: [UInt8]) throws -> [UInt8] {
        let box = unsafe try key.withUnsafeBytes { key in
            unsafe try AES.GCM.seal(key, using: wrappingKey(master, settings), authenticating: settings)
        }
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// `nil` if the master key or the settings are different.
    static func unwrap(_ bytes: [UInt8], with master: SymmetricKey, _ settings: [UInt8]) -> SymmetricKey? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let key = try? AES.GCM.open(box, using: wrappingKey(master, settings), authenticating: settings)
        else { return nil }
        return SymmetricKey(data: key)
    }

    private static func wrappingKey(_ master: SymmetricKey, _ settings: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master,
            salt: settings,
            info: Data("cairn object store: wrapping key".utf8),
            outputByteCount: 32
        )
    }
}
