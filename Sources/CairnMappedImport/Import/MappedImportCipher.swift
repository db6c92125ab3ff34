import CairnMapped

/// The key of an encrypted MMKV file, and an AES implementation, which this module does not have.
///
/// With swift-crypto's `CryptoExtras`:
///
/// ```swift
/// let cipher = MappedImportCipher(key: key) { block, key in
///     try AES.permute(&block, key: SymmetricKey(data: key))
/// }
/// ```
public struct MappedImportCipher: Sendable {
    /// Encrypts the 16 bytes of `block` in place with bare AES (no mode, no padding). The key has 16 or 32 bytes.
    public typealias EncryptBlock = @Sendable (_ block: inout [UInt8], _ key: [UInt8]) throws -> Void

    let key: [UInt8]
    let encryptBlock: EncryptBlock

    /// Creates a cipher with a key as given to MMKV: at most 16 bytes of it count (32 with MMKV's `aes256`); a shorter key is padded with zeros.
    public init(key: [UInt8], encryptBlock: @escaping EncryptBlock) {
        self.key = key
        self.encryptBlock = encryptBlock
    }
}

extension MappedImportCipher {
    /// The key truncated or padded to `count` bytes.
    func key(of count: Int) -> [UInt8] {
        let key = key.prefix(count)
        return key + [UInt8](repeating: 0, count: count - key.count)
    }

    /// Decrypts AES-CFB128 (NIST SP 800-38A, 6.3): each plaintext block is a ciphertext block XORed with the encryption of the previous one.
    func decrypted(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws(MappedStoreError) -> [UInt8] {
        var plain = bytes
        var start = 0
        var block = vector
        while start < bytes.count {
            do { try encryptBlock(&block, key) } catch {
                throw MappedStoreError(
                    .notSupported,
                    "the given cipher failed to encrypt a block with a key of \(key.count) bytes",
                    cause: error
                )
            }
            guard block.count == 16 else {
                throw MappedStoreError(.notSupported, "the given cipher returned \(block.count) bytes for a block of 16")
            }
            let end = min(start + 16, bytes.count)
            for index in start..<end { plain[index] ^= block[index - start] }
            block = Array(bytes[start..<end])
            start = end
        }
        return plain
    }
}
