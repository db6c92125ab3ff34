import CairnMapped

/// What is kept, unencrypted, in the header of a store, besides the key check: enough to derive its keys again.
///
/// ```
/// version u8 = 1 | algorithm u8 | source of the key u8: 0 itself, 1 scrypt | log N u8 | r u32 | p u32 | salt 32 | key check 32
/// ```
///
/// Numbers are little-endian; N, r and p are 0 for a key. `docs/formats/mapped-encryption.md` says more.
struct EncryptionHeader {
    static let version: UInt8 = 1
    static let saltSize = 32
    static let keyCheckSize = 32
    private static let size = 12 + saltSize + keyCheckSize

    var algorithm: MappedEncryption.Algorithm
    /// `nil` for a store with a key that is no passphrase.
    var cost: ScryptCost?
    var salt: [UInt8]

    init(algorithm: MappedEncryption.Algorithm, cost: ScryptCost?, salt: [UInt8]) {
        self.algorithm = algorithm
        self.cost = cost
        self.salt = salt
    }

    init(decoding bytes: [UInt8]) throws(MappedStoreError) {
        guard bytes.first == Self.version else {
            throw MappedStoreError(
                .unsupportedVersion,
                "the store's encryption is of version \(bytes.first ?? 0), or another cipher's; this release reads \(Self.version)"
            )
        }
        guard bytes.count == Self.size, let algorithm = MappedEncryption.Algorithm(rawValue: bytes[1]) else { throw Self.malformed }
        self.algorithm = algorithm
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) } }
        let (logRounds, blockSize, parallelism) = (Int(bytes[3]), number(4), number(8))
        switch bytes[2] {
        case 0:
            guard logRounds == 0, blockSize == 0, parallelism == 0 else { throw Self.malformed }
        case 1:
            guard let cost = ScryptCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism) else {
                throw MappedStoreError(
                    .corruption,
                    "the store asks for N of 2^\(logRounds), r of \(blockSize), p of \(parallelism) of scrypt, which is too much"
                )
            }
            self.cost = cost
        default: throw Self.malformed
        }
        salt = Array(bytes[12..<12 + Self.saltSize])
    }

    private static var malformed: MappedStoreError {
        MappedStoreError(.corruption, "what the store says of its encryption makes no sense; restore it from a backup")
    }

    /// The bytes before the key check.
    func encoded() -> [UInt8] {
        var bytes = [Self.version, algorithm.rawValue, cost == nil ? 0 : 1, UInt8(cost?.logRounds ?? 0)]
        for number in [cost?.blockSize ?? 0, cost?.parallelism ?? 0] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return bytes + salt
    }

    /// Whether two headers are the same; takes as long wherever they differ.
    static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
