import CairnCore
public import CairnRocks
public import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// AES in counter mode, from swift-crypto.
///
/// The nonce of a file is the first counter block; the counter grows by one for each block of 16 bytes. Keys have 128, 192 or 256 bits.
public struct AESFileCipher: FileCipher {
    private let key: SymmetricKey

    /// Creates a cipher with this key.
    ///
    /// - Throws: `RocksError.Code.invalidArgument` if the key does not have 128, 192 or 256 bits.
    public init(key: SymmetricKey) throws(RocksError) {
        guard [128, 192, 256].contains(key.bitCount) else {
            throw RocksError(.invalidArgument, "an AES key cannot have \(key.bitCount) bits; use 128, 192 or 256")
        }
        self.key = key
    }

    public func apply(to bytes: inout MutableRawSpan, nonce: RawSpan, offset: UInt64) throws {
        let counter = try AES._CTR.Nonce(nonceBytes: Self.counter(nonce, block: offset / 16))
        let key = key
        try unsafe bytes.withUnsafeMutableBytes { bytes in
            let skipped = Int(offset % 16)
            if skipped == 0 {
                let result = try unsafe AES._CTR.encrypt(UnsafeRawBufferPointer(bytes), using: key, nonce: counter)
                unsafe bytes.copyBytes(from: result)
            } else {
                // From the start of the block.
                let padded = unsafe [UInt8](repeating: 0, count: skipped) + bytes
                let result = try AES._CTR.encrypt(padded, using: key, nonce: counter)
                unsafe bytes.copyBytes(from: result.dropFirst(skipped))
            }
        }
    }

    /// `nonce` plus `block`, as 128-bit big-endian numbers.
    private static func counter(_ nonce: RawSpan, block: UInt64) -> [UInt8] {
        var counter = [UInt8](copying: nonce)
        var carry = block
        for index in counter.indices.reversed() where carry > 0 {
            carry += UInt64(counter[index])
            counter[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        return counter
    }
}

extension Environment {
    /// Creates an environment for files on disk, encrypted with AES; `Environment.encrypted(by:)` with an ``AESFileCipher``.
    ///
    /// ```swift
    /// var options = DatabaseOptions(createIfMissing: true)
    /// options.environment = try .encrypted(key: SymmetricKey(data: secret))
    /// ```
    ///
    /// - Throws: `RocksError.Code.invalidArgument` for a key that does not have 128, 192 or 256 bits.
    public static func encrypted(key: SymmetricKey) throws(RocksError) -> Environment {
        try encrypted(by: AESFileCipher(key: key))
    }
}
