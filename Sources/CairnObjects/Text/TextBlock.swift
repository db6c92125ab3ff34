import CairnCore

/// Says that an object's text contains a gram, and where.
struct TextPosting: Equatable, Sendable {
    /// The row, counted from the first of a block or shard.
    var row: UInt32
    /// The number of scalars before the gram, if known.
    var place: UInt8

    /// The gram stands in several places, farther back, or at an unknown place.
    static let somewhere: UInt8 = 255

    /// - Parameter count: The number of scalars before a gram that stands nowhere else.
    static func place(_ count: Int) -> UInt8 { UInt8(truncatingIfNeeded: min(count, Int(somewhere))) }
}

/// The objects that have a gram, and where in their texts: those of 8,192 consecutive rows, in one engine value of at most a kilobyte.
/// Sixteen blocks form a shard, in which the blocks of a gram are neighbours.
///
/// ```
/// fewer than 1024 bytes    each row less the one before it, less 1, as a varint; the first: the row itself. Rows count from the block's first.
///                          Behind each, a byte for the place
/// 1024 bytes               a bit for each row, the lowest first: where the other form would not be smaller
/// ```
enum TextBlock {
    static let rowBits: UInt64 = 13
    static let rowCount = 1 << rowBits
    static let shardBits: UInt64 = 17
    static let blocksInShard = 1 << (shardBits - rowBits)
    static let bitmapSize = rowCount / 8

    static func shard(of row: UInt64) -> UInt64 { row >> shardBits }

    /// The row's position in its shard.
    @inline(__always)
    static func place(of row: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: row & (1 << shardBits - 1)) }

    /// - Parameter postings: Sorted, one for each row, from 0.
    static func encode(_ postings: [TextPosting], into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        var next: UInt32 = 0
        for posting in postings {
            let distance = posting.row - next
            next = posting.row + 1
            if distance < 0x80 {
                bytes.append(UInt8(distance))
            } else {
                bytes.append(UInt8(truncatingIfNeeded: distance | 0x80))
                bytes.append(UInt8(truncatingIfNeeded: distance >> 7))
            }
            bytes.append(posting.place)
        }
        guard bytes.count >= bitmapSize else { return }
        bytes = [UInt8](repeating: 0, count: bitmapSize)
        for posting in postings { bytes[Int(posting.row >> 3)] |= 1 << UInt8(posting.row & 7) }
    }

    /// Calls `body` with a block's postings, in order; returns whether the block is valid.
    @inline(__always)
    static func decode(_ bytes: RawSpan, _ body: (TextPosting) -> Void) -> Bool {
        let count = bytes.byteCount
        func byte(_ offset: Int) -> UInt8 { unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
        if count == bitmapSize {
            for offset in 0..<count {
                var rest = byte(offset)
                while rest != 0 {
                    body(TextPosting(row: UInt32(offset << 3 | rest.trailingZeroBitCount), place: TextPosting.somewhere))
                    rest &= rest - 1
                }
            }
            return true
        }
        var row: UInt32 = 0
        var position = 0
        while position + 1 < count {
            var distance = UInt32(byte(position))
            position += 1
            if distance >= 0x80 {
                guard position + 1 < count, byte(position) < 0x40 else { return false }
                distance = distance & 0x7F | UInt32(byte(position)) << 7
                position += 1
            }
            row += distance
            guard row < rowCount else { return false }
            body(TextPosting(row: row, place: byte(position)))
            position += 1
            row += 1
        }
        return position == count && count > 0 && count < bitmapSize
    }
}
