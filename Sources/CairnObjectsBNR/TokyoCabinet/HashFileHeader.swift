/// The first 256 bytes of a hash file. All numbers in the file are little-endian, except in Debian's build of Tokyo Cabinet, where they are big-endian. No flag
/// records that, but the numbers in the header are below 2^48 in only one of the two byte orders.
///
/// ```
/// 0    "ToKyO CaBiNeT\n", version, "\n"
/// 32   the kind of database: 0, a hash
/// 33   flags: 1, open; 2, an unrecoverable error occurred
/// 34   the alignment of records, as a power of 2; offsets are divided by it
/// 35   the number of entries in the free block pool, as a power of 2
/// 36   options: 1, offsets of 64 bits; 2, 4, 8: compressed
/// 40   the number of buckets (8)
/// 48   the number of records (8)
/// 56   the size of the file (8)
/// 64   the offset of the first record (8)
/// 256  the buckets, 4 bytes each: the offset of the root of its tree
/// ```
struct HashFileHeader: Hashable, Sendable {
    static let byteCount = 256
    static let magic = Array("ToKyO CaBiNeT\n".utf8)
    static let bucketSize = 4

    let isBigEndian: Bool
    let isOpen: Bool
    let hasFailed: Bool
    let alignmentPower: Int
    let bucketCount: UInt64
    let recordCount: UInt64
    let fileSize: UInt64
    let firstRecord: UInt64

    init(_ bytes: [UInt8]) throws(BNRError) {
        guard bytes.starts(with: Self.magic) else {
            throw BNRError(.foreignFile, "the file is not a Tokyo Cabinet database: it does not start with the bytes that identify one")
        }
        guard bytes.count >= Self.byteCount else {
            throw BNRError(
                .corruption,
                "the file ends after \(bytes.count) bytes, within its header of \(Self.byteCount) bytes: 0 records can be read"
            )
        }
        guard bytes[32] == 0 else {
            throw BNRError(
                .notSupported,
                "the file is a Tokyo Cabinet database of kind \(bytes[32]); only hash databases (0) can be read"
            )
        }
        guard bytes[36] == 0 else {
            let names = [(1, "64-bit offsets (large)"), (2, "deflate"), (4, "bzip2"), (8, "tcbs")]
            let options = names.filter { Int(bytes[36]) & $0.0 != 0 }.map(\.1)
            throw BNRError(
                .notSupported,
                "the file was made with the option \(options.isEmpty ? "\(bytes[36])" : options.joined(separator: ", ")), which BNRPersistence never uses and which is not supported"
            )
        }
        isOpen = bytes[33] & 1 != 0
        hasFailed = bytes[33] & 2 != 0
        alignmentPower = Int(bytes[34])
        let places = [40, 48, 56, 64]
        let orders = [false, true].map { isBig in places.count { bytes.number($0, 8, isBigEndian: isBig) < 1 << 48 } }
        isBigEndian = orders[1] > orders[0]
        bucketCount = bytes.number(places[0], 8, isBigEndian: isBigEndian)
        recordCount = bytes.number(places[1], 8, isBigEndian: isBigEndian)
        fileSize = bytes.number(places[2], 8, isBigEndian: isBigEndian)
        firstRecord = bytes.number(places[3], 8, isBigEndian: isBigEndian)
    }
}

extension [UInt8] {
    /// The number in `count` bytes, which must be in the array.
    func number(_ offset: Int, _ count: Int, isBigEndian: Bool) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<count { number = number << 8 | UInt64(self[isBigEndian ? offset + index : offset + count - 1 - index]) }
        return number
    }
}
