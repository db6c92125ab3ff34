/// Writes hash files of Tokyo Cabinet: blocks one behind the other, and the trees that lead to the records.
struct HashFileWriter {
    enum Block {
        /// Padding beyond what alignment needs is a multiple of it.
        case record(key: [UInt8], value: [UInt8], morePadding: Int = 0)
        /// What is left of a record that was deleted.
        case free(size: Int, remains: [UInt8] = [])
    }

    var bucketCount = 7
    var alignmentPower = 4
    var poolPower = 4
    var isBigEndian = false
    var blocks: [Block] = []

    init(_ blocks: [Block] = []) { self.blocks = blocks }

    private var alignment: Int { 1 << alignmentPower }

    /// The file, and where each block begins.
    func file() -> (bytes: [UInt8], offsets: [Int]) {
        let first = aligned(256 + 4 * bucketCount + 64 + 4 << poolPower)
        var bytes = [UInt8](repeating: 0, count: first)
        var offsets: [Int] = []
        var roots = [Int](repeating: 0, count: bucketCount)
        for block in blocks {
            offsets.append(bytes.count)
            switch block {
            case .record(let key, let value, let morePadding):
                let (index, hash) = Self.hashes(key)
                insert(bytes.count, key, hash, &roots[Int(index % UInt64(bucketCount))], in: &bytes)
                let head: [UInt8] = [0xC8, hash] + [UInt8](repeating: 0, count: 10) + Self.number(key.count) + Self.number(value.count)
                let end = bytes.count + head.count + key.count + value.count
                let padding = aligned(end) - end + morePadding
                let start = bytes.count
                bytes += head + key + value + [UInt8](repeating: 0, count: padding)
                set(UInt64(padding), 2, at: start + 10, in: &bytes)
            case .free(let size, let remains):
                let start = bytes.count
                bytes += [0xB0, 0, 0, 0, 0] + (remains + [UInt8](repeating: 0, count: size)).prefix(size - 5)
                set(UInt64(size), 4, at: start + 1, in: &bytes)
            }
        }
        bytes.replaceSubrange(0..<23, with: Array("ToKyO CaBiNeT\n1.0:905\n".utf8) + [0])
        bytes[34] = UInt8(alignmentPower)
        bytes[35] = UInt8(poolPower)
        set(UInt64(bucketCount), 8, at: 40, in: &bytes)
        set(UInt64(blocks.count { if case .record = $0 { true } else { false } }), 8, at: 48, in: &bytes)
        set(UInt64(bytes.count), 8, at: 56, in: &bytes)
        set(UInt64(first), 8, at: 64, in: &bytes)
        for (index, root) in roots.enumerated() { set(UInt64(root >> alignmentPower), 4, at: 256 + 4 * index, in: &bytes) }
        return (bytes, offsets)
    }

    private func aligned(_ size: Int) -> Int { (size + alignment - 1) / alignment * alignment }

    func set(_ number: UInt64, _ count: Int, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<count {
            bytes[offset + (isBigEndian ? count - 1 - index : index)] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))
        }
    }

    private func get(_ offset: Int, _ bytes: [UInt8]) -> Int {
        let digits = bytes[offset..<offset + 4]
        return (isBigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Leads to a record from its bucket: left to larger hashes and keys, right to smaller ones.
    private func insert(_ offset: Int, _ key: [UInt8], _ hash: UInt8, _ root: inout Int, in bytes: inout [UInt8]) {
        guard root != 0 else { return root = offset }
        var place = root
        while true {
            var position = place + 12
            let size = Self.number(&position, bytes)
            _ = Self.number(&position, bytes)
            let other = Array(bytes[position..<position + size])
            let isLarger =
                (Int(hash), key.count) == (Int(bytes[place + 1]), size)
                ? other.lexicographicallyPrecedes(key) : (Int(hash), key.count) > (Int(bytes[place + 1]), size)
            let field = place + (isLarger ? 2 : 6)
            let next = get(field, bytes) << alignmentPower
            guard next != 0 else { return set(UInt64(offset >> alignmentPower), 4, at: field, in: &bytes) }
            place = next
        }
    }

    static func hashes(_ key: [UInt8]) -> (UInt64, UInt8) {
        var (index, hash) = (UInt64(19_780_211), UInt32(751))
        for byte in key { index = index &* 37 &+ UInt64(byte) }
        for byte in key.reversed() { hash = (hash &* 31) ^ UInt32(byte) }
        return (index, UInt8(truncatingIfNeeded: hash))
    }

    /// A number in groups of seven bits, the lowest first.
    static func number(_ number: Int) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [0xFF - UInt8(number & 0x7F)] + Self.number(number >> 7)
    }

    private static func number(_ position: inout Int, _ bytes: [UInt8]) -> Int {
        defer { position += 1 }
        guard bytes[position] >= 0x80 else { return Int(bytes[position]) }
        let low = 0xFF - Int(bytes[position])
        position += 1
        defer { position -= 1 }
        return low | Self.number(&position, bytes) << 7
    }
}
