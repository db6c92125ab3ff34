package import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cost parameters of scrypt (RFC 7914), which determine how expensive it is to guess passphrases. Each store keeps its own in its
/// header.
public struct ScryptCost: Hashable, Sendable {
    /// The base-2 logarithm of scrypt's N: each increment doubles the time and memory.
    public let logRounds: Int
    /// scrypt's r: the memory used is 128 bytes times N times r.
    public let blockSize: Int
    /// scrypt's p: how many times the computation is repeated, one after another.
    public let parallelism: Int

    /// N of 2^17, r of 8, p of 1: 128 MiB of memory for about a third of a second, each time a store is opened.
    public static let standard = ScryptCost(17, 8, 1)
    /// The highest cost that is accepted from a store's header, so that a malicious file cannot exhaust the memory: N of 2^20 with r of 8
    /// (1 GiB), or equivalent.
    public static let largest = ScryptCost(20, 8, 16)

    private init(_ logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Creates custom parameters; `nil` if they are invalid, protect too little, or exceed ``largest``. Allowed are N from 2^14 to 2^20, r
    /// from 8 to 16, p from 1 to 16, and at most 1 GiB of memory. 2^14 is what scrypt's author recommended for interactive logins in 2009:
    /// 16 MiB, for about 50 ms.
    public init?(logRounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
        guard logRounds >= 14, blockSize >= 8 else { return nil }
        self.init(stored: logRounds, blockSize: blockSize, parallelism: parallelism)
    }

    /// Creates parameters that a store may have been created with, and that tests with many stores use: N from 2^1, r from 1.
    package init?(stored logRounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
        guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...16).contains(parallelism),
            // RFC 7914, 2: N is less than 2^(128 r / 8).
            logRounds < 16 * blockSize, blockSize << logRounds <= 8 << 20
        else { return nil }
        self.init(logRounds, blockSize, parallelism)
    }

    /// The key of 256 bits.
    package func deriveKey(from passphrase: [UInt8], salt: [UInt8]) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: passphrase,
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << logRounds,
            blockSize: blockSize,
            parallelism: parallelism
        )
    }
}
