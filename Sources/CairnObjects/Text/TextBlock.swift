import CairnCore

/// Which objects have a gram: those of 8,192 rows that follow one another, in one value of the engine of at most a kilobyte. Sixteen blocks are a
/// shard, in which those of one gram are neighbours.
///
/// ```
/// fewer than 1024 bytes    each row less the one before it, less 1, as a varint; the first: the row itself. Rows count from the block's first
/// 1024 bytes               a bit for each row, the lowest first: where the other form would not be smaller
/// ```
enum TextBlock {
    static let rowBits: UInt64 = 13
    static let rowCount = 1 << rowBits
    static let shardBits: UInt64 = 17
    static let blocksInShard = 1 << (shardBits - rowBits)
    static let bitmapSize = rowCount / 8

    static func shard(of row: UInt64) -> UInt64 { row >> shardBits }

    /// The row's place in its shard.
    @inline(__always)
    static func place(of row: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: row & (1 << shardBits - 1)) }

    /// - Parameter rows: Sorted, each once, from 0.
    static func encode(_ rows: some Collection<UInt32>, into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        var next: UInt32 = 0
        for row in rows {
            let distance = row - next
            next = row + 1
            if distance < 0x80 {
                bytes.append(UInt8(distance))
            } else {
                bytes.append(UInt8(truncatingIfNeeded: distance | 0x80))
                bytes.append(UInt8(truncatingIfNeeded: distance >> 7))
            }
        }
        guard bytes.count >= bitmapSize else { return }
        bytes = [UInt8](repeating: 0, count: bitmapSize)
        for row in rows { bytes[Int(row >> 3)] |= 1 << UInt8(row & 7) }
    }

    /// Calls `body` with each row, in order; returns whether that is a block.
    @inline(__always)
    static func decode(_ bytes: RawSpan, _ body: (UInt32) -> Void) -> Bool {
        let count = bytes.byteCount
        func byte(_ offset: Int) -> UInt8 { unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
        if count == bitmapSize {
            for offset in 0..<count {
                var rest = byte(offset)
                while rest != 0 {
                    body(UInt32(offset << 3 | rest.trailingZeroBitCount))
                    rest &= rest - 1
                }
            }
            return true
        }
        var row: UInt32 = 0
        var position = 0
        while position < count {
            var distance = UInt32(byte(position))
            position += 1
            if distance >= 0x80 {
                guard position < count, byte(position) < 0x40 else { return false }
                distance = distance & 0x7F | UInt32(byte(position)) << 7
                position += 1
            }
            row += distance
            guard row < rowCount else { return false }
            body(row)
            row += 1
        }
        return count > 0 && count < bitmapSize
    }
}

/// Rows of a shard.
struct TextRows {
    private var words = [UInt64](repeating: 0, count: 1 << (TextBlock.shardBits - 6))

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Adds the rows of a block; false if it is none.
    mutating func add(_ bytes: RawSpan, block: Int) -> Bool {
        guard block < TextBlock.blocksInShard else { return false }
        let first = block << Int(TextBlock.rowBits)
        return TextBlock.decode(bytes) { row in
            let place = first | Int(row)
            words[place >> 6] |= 1 << UInt64(place & 63)
        }
    }

    mutating func formUnion(_ other: TextRows) { for place in words.indices { words[place] |= other.words[place] } }
    mutating func formIntersection(_ other: TextRows) { for place in words.indices { words[place] &= other.words[place] } }

    /// Calls `body` with each row's place in the shard, in order, until it returns false; returns whether it never did.
    func forEach(_ body: (UInt64) -> Bool) -> Bool {
        for (place, word) in words.enumerated() where word != 0 {
            var rest = word
            while rest != 0 {
                guard body(UInt64(place << 6 | rest.trailingZeroBitCount)) else { return false }
                rest &= rest - 1
            }
        }
        return true
    }
}
