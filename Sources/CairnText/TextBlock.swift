import CairnCore

/// Says that an object's text contains a gram, and where.
package struct TextPosting: Equatable, Sendable {
    /// The row, counted from the first of a block.
    package var row: UInt32
    package var places: TextPlaces

    package init(row: UInt32, places: TextPlaces) {
        self.row = row
        self.places = places
    }
}

/// The objects that have a gram, and where in their texts: those of 8,192 consecutive rows, in one engine value. Sixteen blocks form a shard,
/// in which the blocks of a gram are neighbours.
///
/// ```
/// list      each row less the one before it, less 1, as a varint of one byte or two; the first: the row itself. Rows count from the block's
///           first. Behind each varint a byte: the place, or 255 if unknown. If the second byte of the varint has the bit 0x40, a byte with
///           the number of places and a byte for each of them follow instead.
///           A list of 1024 bytes has a zero behind it
/// bitmap    1024 bytes, a bit for each row, the lowest first; the places are unknown. Used where hardly any place is known, if it is smaller
/// ```
package enum TextBlock {
    package static let rowBits: UInt64 = 13
    package static let rowCount = 1 << rowBits
    package static let shardBits: UInt64 = 17
    package static let blocksInShard = 1 << (shardBits - rowBits)
    static let bitmapSize = rowCount / 8
    private static let severalBit: UInt8 = 0x40

    package static func shard(of row: UInt64) -> UInt64 { row >> shardBits }

    /// The row's position in its shard.
    @inline(__always)
    package static func place(of row: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: row & (1 << shardBits - 1)) }

    /// - Parameter postings: Sorted, one for each row, from 0.
    package static func encode(_ postings: [TextPosting], into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        var next: UInt32 = 0
        var knownCount = 0
        for posting in postings {
            let distance = posting.row - next
            next = posting.row + 1
            guard posting.places.isByte else {
                bytes.append(UInt8(truncatingIfNeeded: distance | 0x80))
                bytes.append(UInt8(truncatingIfNeeded: distance >> 7) | severalBit)
                let count = posting.places.count
                bytes.append(UInt8(truncatingIfNeeded: count))
                for index in 0..<count { bytes.append(posting.places[index]) }
                knownCount += 1
                continue
            }
            if distance < 0x80 {
                bytes.append(UInt8(distance))
            } else {
                bytes.append(UInt8(truncatingIfNeeded: distance | 0x80))
                bytes.append(UInt8(truncatingIfNeeded: distance >> 7))
            }
            bytes.append(posting.places.first)
            if posting.places.isKnown { knownCount += 1 }
        }
        guard bytes.count >= bitmapSize else { return }
        guard knownCount * 8 < postings.count else {
            if bytes.count == bitmapSize { bytes.append(0) }
            return
        }
        bytes = [UInt8](repeating: 0, count: bitmapSize)
        for posting in postings { bytes[Int(posting.row >> 3)] |= 1 << UInt8(posting.row & 7) }
    }

    /// Calls `body` with a block's postings, in order; returns whether the block is valid.
    @inline(__always)
    package static func decode(_ bytes: RawSpan, _ body: (TextPosting) -> Void) -> Bool {
        guard bytes.byteCount != bitmapSize else {
            decodeBitmap(bytes, body)
            return true
        }
        // A list of the size of a bitmap has one byte more.
        let isPadded = bytes.byteCount == bitmapSize + 1 && byte(bytes, bitmapSize) == 0
        let count = bytes.byteCount
        var row: UInt32 = 0
        var position = 0
        while position &+ 1 < count {
            var distance = UInt32(byte(bytes, position))
            position &+= 1
            if distance >= 0x80 {
                let second = byte(bytes, position)
                guard position &+ 1 < count, second < 0x80 else { return false }
                distance = distance & 0x7F | UInt32(second & ~severalBit) << 7
                position &+= 1
                if second & severalBit != 0 {
                    row &+= distance
                    guard row < rowCount, let places = several(bytes, &position) else { return false }
                    body(TextPosting(row: row, places: places))
                    row &+= 1
                    continue
                }
            }
            row &+= distance
            guard row < rowCount else { return false }
            body(TextPosting(row: row, places: TextPlaces(byte: byte(bytes, position))))
            position &+= 1
            row &+= 1
        }
        return count > 0 && (position == count || isPadded && position == bitmapSize)
    }

    @inline(__always)
    private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
        unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Several places, and their number before them; `nil` if they are not valid.
    @inline(never)
    private static func several(_ bytes: RawSpan, _ position: inout Int) -> TextPlaces? {
        let count = Int(byte(bytes, position))
        guard (2...TextPlaces.mostCount).contains(count), position + count < bytes.byteCount else { return nil }
        var places: TextPlaces?
        var least: UInt8 = 0
        for offset in 1...count {
            let place = byte(bytes, position + offset)
            guard place >= least, place != 255 else { return nil }
            places.append(place)
            least = place + 1
        }
        position += count + 1
        return places
    }

    @inline(__always)
    private static func decodeBitmap(_ bytes: RawSpan, _ body: (TextPosting) -> Void) {
        for offset in 0..<bitmapSize {
            var rest = byte(bytes, offset)
            while rest != 0 {
                body(TextPosting(row: UInt32(offset << 3 | rest.trailingZeroBitCount), places: .unknown))
                rest &= rest - 1
            }
        }
    }
}
