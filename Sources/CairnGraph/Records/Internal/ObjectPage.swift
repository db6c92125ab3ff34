/// A page: the records of up to 32 consecutive rows in one value of the engine. 32 objects share the engine's cost per entry.
///
/// ```
/// byte 0      1, the format
/// 1..<5       a bit for each row that the page has, little-endian
/// 5…          for each of them, the size of its record, as a varint; 0: the record is large, and a separate value (Keyspace.large)
/// …           the records
/// ```
enum ObjectPage {
    static let rowBits: UInt64 = 5
    static let rowCount = 32
    static let format: UInt8 = 1
    /// Larger records are stored outside their page.
    static let largestRecord = 1024

    @inline(__always) static func page(of row: UInt64) -> UInt64 { row >> rowBits }
    @inline(__always) static func slot(of row: UInt64) -> Int { Int(row & UInt64(rowCount - 1)) }

    /// Calls `body` with the slot and record of each row; an empty record is stored outside the page.
    ///
    /// - Returns: Whether the page is intact.
    @inline(__always)
    static func forEach<Failure: Error>(
        _ page: RawSpan,
        _ body: (Int, RawSpan) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard var reader = Records(page) else { return false }
        while let row = reader.next() { try body(row.slot, row.record) }
        return reader.isWhole
    }

    /// The record of a slot, or `nil` if the page has none. Sets `isWhole` to `false` if the page is damaged.
    @_lifetime(copy page)
    static func record(_ slot: Int, of page: RawSpan, isWhole: inout Bool) -> RawSpan? {
        isWhole = false
        guard var reader = Records(page) else { return nil }
        isWhole = true
        guard reader.bits & 1 << UInt32(slot) != 0 else { return nil }
        while let row = reader.next() {
            if row.slot == slot { return row.record }
        }
        isWhole = false
        return nil
    }

    /// A row of a page and its record.
    struct Row: ~Escapable {
        let slot: Int
        let record: RawSpan

        @inline(__always)
        @_lifetime(copy record)
        init(_ slot: Int, _ record: RawSpan) {
            self.slot = slot
            self.record = record
        }
    }

    /// Iterates over the records of a page.
    struct Records: ~Escapable {
        let bits: UInt32
        private var rest: UInt32
        private let page: RawSpan
        private var size: Int
        private var offset: Int
        private(set) var isWhole = true

        @_lifetime(copy page)
        init?(_ page: RawSpan) {
            guard page.byteCount >= 5, page.byte(0) == ObjectPage.format else { return nil }
            bits = unsafe UInt32(littleEndian: page.unsafeLoadUnaligned(fromUncheckedByteOffset: 1, as: UInt32.self))
            rest = bits
            self.page = page
            size = 5
            // After the sizes.
            offset = 5
            var left = bits.nonzeroBitCount
            while left > 0 {
                guard offset < page.byteCount else { return nil }
                if page.byte(offset) < 0x80 { left -= 1 }
                offset += 1
            }
        }

        @inline(__always)
        @_lifetime(copy self)
        mutating func next() -> Row? {
            guard rest != 0 else { return nil }
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            var count = 0
            var shift = 0
            while true {
                let byte = page.byte(size)
                size &+= 1
                if shift < 56 { count |= Int(byte & 0x7f) << shift }
                shift &+= 7
                if byte < 0x80 { break }
            }
            guard count <= page.byteCount &- offset else {
                isWhole = false
                rest = 0
                return nil
            }
            let start = offset
            offset &+= count
            return unsafe Row(slot, page.extracting(unchecked: start..<offset))
        }

        /// Passes over the records that are left; returns whether the page is intact.
        mutating func skipAll() -> Bool {
            while next() != nil {}
            return isWhole
        }
    }
}
