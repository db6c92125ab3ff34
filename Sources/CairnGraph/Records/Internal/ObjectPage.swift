/// A page: the records of up to 32 consecutive rows in one value of the engine. 32 objects share the engine's cost per entry.
///
/// ```
/// byte 0      1, the format
/// 1..<5       a bit for each row that the page has, little-endian
/// 5…          for each of them, the size of its record, as a varint; 0: the record is large, and a value of its own (Keyspace.large)
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
        _ page: UnsafeRawBufferPointer,
        _ body: (Int, UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard var reader = unsafe Records(page) else { return false }
        while let (slot, record) = unsafe reader.next() { unsafe try body(slot, record) }
        return reader.isWhole
    }

    /// The record of a slot, or `nil` if the page has none. Sets `isWhole` to `false` if the page is damaged.
    static func record(_ slot: Int, of page: UnsafeRawBufferPointer, isWhole: inout Bool) -> UnsafeRawBufferPointer? {
        isWhole = false
        guard var reader = unsafe Records(page) else { return nil }
        isWhole = true
        guard reader.bits & 1 << UInt32(slot) != 0 else { return nil }
        while let (found, record) = unsafe reader.next() {
            if found == slot { return unsafe record }
        }
        isWhole = false
        return nil
    }

    /// Iterates over the records of a page.
    @safe
    struct Records {
        let bits: UInt32
        private var rest: UInt32
        private let page: UnsafeRawBufferPointer
        private var size: Int
        private var offset: Int
        private(set) var isWhole = true

        init?(_ page: UnsafeRawBufferPointer) {
            guard page.count >= 5, unsafe page[0] == ObjectPage.format else { return nil }
            bits = unsafe UInt32(littleEndian: page.loadUnaligned(fromByteOffset: 1, as: UInt32.self))
            rest = bits
            unsafe self.page = unsafe page
            size = 5
            // After the sizes.
            offset = 5
            var left = bits.nonzeroBitCount
            while left > 0 {
                guard offset < page.count else { return nil }
                if unsafe page[offset] < 0x80 { left -= 1 }
                offset += 1
            }
        }

        @inline(__always)
        mutating func next() -> (Int, UnsafeRawBufferPointer)? {
            guard rest != 0 else { return nil }
            let slot = rest.trailingZeroBitCount
            rest &= rest &- 1
            var count = 0
            var shift = 0
            while true {
                let byte = unsafe page[size]
                size &+= 1
                if shift < 56 { count |= Int(byte & 0x7f) << shift }
                shift &+= 7
                if byte < 0x80 { break }
            }
            guard unsafe count <= page.count &- offset else {
                isWhole = false
                rest = 0
                return nil
            }
            defer { offset &+= count }
            return unsafe (slot, UnsafeRawBufferPointer(rebasing: page[offset..<offset &+ count]))
        }
    }
}
