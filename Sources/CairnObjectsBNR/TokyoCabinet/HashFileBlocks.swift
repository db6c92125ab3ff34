/// The contents of a hash file after the header: contiguous records and free blocks, and the trees that find records by key.
///
/// ```
/// record      0xC8, hash of the key, left (4), right (4), size of the padding (2),
///             size of the key (number), size of the value (number), key, value, padding
/// free block  0xB0, its size with these five bytes (4), anything
/// number      groups of 7 bits, the lowest first; each but the last as 255 minus the group
/// ```
///
/// Left and right point to records in the same bucket with larger and smaller hashes, or keys if the hashes are equal.
struct HashFileBlocks: Sendable {
    struct Block {
        var isRecord: Bool
        var hash: UInt8 = 0
        var left = 0
        var right = 0
        var key = 0..<0
        var value = 0..<0
        var end: Int
    }

    let bytes: [UInt8]
    let header: HashFileHeader

    init(_ bytes: [UInt8], _ header: HashFileHeader) {
        self.bytes = bytes
        self.header = header
    }

    /// The block at an offset, if it ends within the file; `nil` if no block can begin there. The key of a record matches its hash.
    func block(at offset: Int) -> Block? {
        guard let block = shape(at: offset), !block.isRecord || HashFileHash(bytes[block.key]).second == block.hash else { return nil }
        return block
    }

    /// The block at an offset, regardless of the hash of its key.
    func shape(at offset: Int) -> Block? {
        guard offset >= 0, offset < bytes.count else { return nil }
        if bytes[offset] == 0xB0 {
            guard bytes.count - offset >= 5 else { return nil }
            let size = Int(number(at: offset + 1, 4))
            guard size >= 5, size <= bytes.count - offset else { return nil }
            return Block(isRecord: false, end: offset + size)
        }
        guard bytes[offset] == 0xC8, bytes.count - offset >= 14 else { return nil }
        var position = offset + 12
        guard let keySize = number(&position), let valueSize = number(&position) else { return nil }
        let padding = Int(number(at: offset + 10, 2))
        // Each of the two has at most 35 bits.
        guard position + keySize + valueSize + padding <= bytes.count else { return nil }
        let key = position..<position + keySize
        return Block(
            isRecord: true,
            hash: bytes[offset + 1],
            left: place(number(at: offset + 2, 4)),
            right: place(number(at: offset + 6, 4)),
            key: key,
            value: key.upperBound..<key.upperBound + valueSize,
            end: key.upperBound + valueSize + padding
        )
    }

    /// The number in `count` bytes, which must be in the file.
    func number(at offset: Int, _ count: Int) -> UInt64 { bytes.number(offset, count, isBigEndian: header.isBigEndian) }

    /// Reads a number of at most five groups.
    private func number(_ position: inout Int) -> Int? {
        var value = 0
        for group in 0..<5 {
            guard position < bytes.count else { return nil }
            let byte = Int(bytes[position])
            position += 1
            guard byte >= 0x80 else { return value | byte << (7 * group) }
            value |= (0xFF - byte) << (7 * group)
        }
        return nil
    }

    /// The position in the file for an offset in a bucket or record; 0 for none; -1 if it is outside of any file.
    func place(_ offset: UInt64) -> Int {
        guard header.alignmentPower < 30 else { return offset == 0 ? 0 : -1 }
        return Int(offset) << header.alignmentPower
    }

    /// The positions of all records, if the blocks fill the file and their number matches the header.
    func walk() -> [Int]? {
        guard !header.hasFailed, header.fileSize <= UInt64(bytes.count), header.firstRecord <= header.fileSize,
            header.recordCount <= header.fileSize
        else { return nil }
        let end = Int(header.fileSize)
        var offsets: [Int] = []
        offsets.reserveCapacity(Int(header.recordCount))
        var position = Int(header.firstRecord)
        while position < end {
            guard let block = block(at: position) else { return nil }
            if block.isRecord { offsets.append(position) }
            position = block.end
        }
        return position == end && offsets.count == Int(header.recordCount) ? offsets : nil
    }
}

/// The hashes of a key: the first selects its bucket, the second orders the tree in it.
struct HashFileHash {
    let first: UInt64
    let second: UInt8

    init(_ key: some BidirectionalCollection<UInt8>) {
        first = key.reduce(19_780_211) { $0 &* 37 &+ UInt64($1) }
        second = key.reversed().reduce(UInt8(truncatingIfNeeded: 751)) { ($0 &* 31) ^ $1 }
    }
}
