import CairnCore

// The fuzzers' package compiles the reader into this module.
#if !FUZZ_PACKAGE
import CairnObjectsBNR
#endif

/// Hash files of Tokyo Cabinet: any bytes are read as far as they go, or refused.
public struct HashFileFuzzTarget: FuzzTarget {
    public static let name = "hash-files"

    public init() {}

    /// The first byte chooses what the rest is: a file, blocks behind a header that matches them, or a file and its log, whose size is in
    /// the second byte.
    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        guard let choice = all.first else { return }
        let rest = Array(all.dropFirst())
        switch choice % 3 {
        case 0: try check(rest, log: nil)
        case 1: try check(Self.header(of: rest, isBigEndian: choice & 0x80 != 0) + rest, log: nil)
        default:
            let count = min(Int(rest.first ?? 0), max(0, rest.count - 1))
            try check(Array(rest.dropFirst(1 + count)), log: Array(rest.dropFirst().prefix(count)))
        }
    }

    private func check(_ bytes: [UInt8], log: [UInt8]?) throws(FuzzFinding) {
        let file: TokyoCabinetHashFile
        do { file = try TokyoCabinetHashFile(bytes: bytes, log: log) } catch { return }
        var values: [[UInt8]: Set<[UInt8]>] = [:]
        for record in file.records { values[Array(record.key), default: []].insert(Array(record.value)) }
        let isCounted = UInt64(file.records.count) == file.claimedCount
        try require(isCounted || !file.damage.isEmpty, "\(file.records.count) of \(file.claimedCount) records, and no damage")
        let content = file.records.reduce(0) { $0 + $1.key.count + $1.value.count }
        try require(content <= bytes.count, "\(content) bytes of records in a file of \(bytes.count)")
        // Trees may be damaged where records are not.
        for (key, found) in values {
            guard let value = try? file.value(for: key) else { continue }
            try require(!file.damage.isEmpty || found.contains(Array(value)), "a key is looked up that the records do not have")
        }
        for damage in file.damage { try require(damage.bytes.upperBound <= max(bytes.count, 0), "damage is behind the end") }
    }

    /// A header of one bucket, which leads to the first block, and no free block pool.
    private static func header(of blocks: [UInt8], isBigEndian: Bool) -> [UInt8] {
        func number(_ number: Int, _ count: Int) -> [UInt8] {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return isBigEndian ? little.reversed() : little
        }
        let start = 260
        var header = Array("ToKyO CaBiNeT\n1.0:905\n".utf8)
        header += [UInt8](repeating: 0, count: 40 - header.count)
        header += number(1, 8) + number(blocks.count / 32, 8) + number(start + blocks.count, 8) + number(start, 8)
        header += [UInt8](repeating: 0, count: 256 - header.count)
        return header + number(start, 4)
    }
}
