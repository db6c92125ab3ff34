/// The first 256 bytes of a hash file. Numbers are little-endian, here and in all that follows; Debian's build of Tokyo Cabinet makes them big-endian, and tells
/// it nowhere: the numbers here do, which are below 2^48 in one order only.
///
/// ```
/// 0    "ToKyO CaBiNeT\n", version, "\n"
/// 32   the kind of database: 0, a hash
/// 33   flags: 1, open; 2, an error that the program could not mend
/// 34   records begin at multiples of 2 to this power, by which offsets are divided
/// 35   the free block pool has 2 to this power entries
/// 36   options: 1, offsets of 64 bits; 2, 4, 8: compressed
/// 40   the number of buckets (8)
/// 48   the number of records (8)
/// 56   the size of the file (8)
/// 64   where the first record is (8)
/// 256  the buckets, 4 bytes each: where the tree of each begins
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
            throw BNRError(.foreignFile, "the file is no database of Tokyo Cabinet: it does not begin as they do")
        }
        guard bytes.count >= Self.byteCount else {
            throw BNRError(
                .corruption,
                "the file ends after \(bytes.count) bytes, within its header of \(Self.byteCount): 0 records can be read"
            )
        }
        guard bytes[32] == 0 else {
            throw BNRError(
                .notSupported,
                "the file is a database of Tokyo Cabinet of the kind \(bytes[32]); only hash databases (0) can be read"
            )
        }
        guard bytes[36] == 0 else {
            let names = [(1, "64-bit offsets (large)"), (2, "deflate"), (4, "bzip2"), (8, "tcbs")]
            let options = names.filter { Int(bytes[36]) & $0.0 != 0 }.map(\.1)
            throw BNRError(
                .notSupported,
                "the file was made with the option \(options.isEmpty ? "\(bytes[36])" : options.joined(separator: ", ")), which BNRPersistence never uses and this cannot read"
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
    /// The number that `count` bytes are, which must be there.
    func number(_ offset: Int, _ count: Int, isBigEndian: Bool) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<count { number = number << 8 | UInt64(self[isBigEndian ? offset + index : offset + count - 1 - index]) }
        return number
    }
}
