package import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How hard it is to try passphrases: the cost parameters of scrypt (RFC 7914), which each store keeps in its header.
public struct ScryptCost: Hashable, Sendable {
    /// The logarithm to base 2 of scrypt's N: one more takes twice the time and memory.
    public let logRounds: Int
    /// scrypt's r: memory is 128 bytes times N times r.
    public let blockSize: Int
    /// scrypt's p: how often that is done, one after another.
    public let parallelism: Int

    /// N of 2^17, r of 8, p of 1: 128 MiB of memory for a third of a second or so, each time that a store is opened.
    public static let standard = ScryptCost(17, 8, 1)
    /// The most that a store may ask for, so that a file made to harm cannot take all memory: N of 2^20 with r of 8 (1 GiB), or as much.
    public static let largest = ScryptCost(20, 8, 16)

    private init(_ logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Parameters of one's own; `nil` where they are none, protect too little, or ask for more than ``largest``: N from 2^14 to 2^20, r from 8 to 16, p
    /// from 1 to 16, and at most 1 GiB of memory. 2^14 is what scrypt's author recommended for logging in, in 2009: 16 MiB, for 50 ms or so.
    public init?(logRounds: Int, blockSize: Int = 8, parallelism: Int = 1) {
        guard logRounds >= 14, blockSize >= 8 else { return nil }
        self.init(stored: logRounds, blockSize: blockSize, parallelism: parallelism)
    }

    /// What a store may have been created with, and tests with many stores use: N from 2^1, r from 1.
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
