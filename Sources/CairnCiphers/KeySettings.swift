/// How the keys of a store are derived from the user's secret; the store holds these settings unencrypted.
///
/// ```
/// version u8 = 1 | algorithm u8 | source of the key u8: 0 itself, 1 scrypt | log N u8 | r u32 | p u32 | salt 32
/// ```
///
/// Numbers are little-endian; N, r and p are 0 for a key. `docs/formats/mapped-encryption.md` and `docs/formats/object-encryption.md` say what
/// follows.
package struct KeySettings: Sendable {
    package static let version: UInt8 = 1
    package static let saltSize = 32
    package static let size = 12 + saltSize

    package var algorithm: RecordAlgorithm
    /// `nil` for a store with a key rather than a passphrase.
    package var cost: ScryptCost?
    package var salt: [UInt8]

    package init(algorithm: RecordAlgorithm, cost: ScryptCost?, salt: [UInt8]) {
        self.algorithm = algorithm
        self.cost = cost
        self.salt = salt
    }

    /// Settings with a random salt.
    package init(algorithm: RecordAlgorithm, cost: ScryptCost?) {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.init(algorithm: algorithm, cost: cost, salt: salt)
    }

    /// - Parameters:
    ///   - bytes: The settings as a store holds them, followed by other bytes of the store.
    ///   - following: The number of those other bytes.
    package init(decoding bytes: [UInt8], following: Int) throws(Failure) {
        guard bytes.first == Self.version else { throw .unsupportedVersion(bytes.first ?? 0) }
        guard bytes.count == Self.size + following, let algorithm = RecordAlgorithm(rawValue: bytes[1]) else { throw .malformed }
        self.algorithm = algorithm
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
        let (logRounds, blockSize, parallelism) = (Int(bytes[3]), number(4), number(8))
        switch bytes[2] {
        case 0:
            guard logRounds == 0, blockSize == 0, parallelism == 0 else { throw .malformed }
        case 1:
            guard let cost = ScryptCost(stored: logRounds, blockSize: blockSize, parallelism: parallelism) else {
                throw .excessive(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
            }
            self.cost = cost
        default: throw .malformed
        }
        salt = Array(bytes[12..<Self.size])
    }

    package func encoded() -> [UInt8] {
        var bytes = [Self.version, algorithm.rawValue, cost == nil ? 0 : 1, UInt8(cost?.logRounds ?? 0)]
        for number in [cost?.blockSize ?? 0, cost?.parallelism ?? 0] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return bytes + salt
    }

    /// Why bytes are not settings.
    package enum Failure: Error {
        case unsupportedVersion(UInt8)
        case malformed
        case excessive(logRounds: Int, blockSize: Int, parallelism: Int)

        /// As a sentence about a store.
        package var message: String {
            switch self {
            case .unsupportedVersion(let version):
                "the store's encryption has version \(version), or is another cipher's, but this release supports only version \(KeySettings.version)"
            case .malformed: "the store's encryption settings are invalid; restore it from a backup"
            case .excessive(let logRounds, let blockSize, let parallelism):
                "the store asks for scrypt with N = 2^\(logRounds), r = \(blockSize) and p = \(parallelism), which exceeds the limits"
            }
        }
    }
}
