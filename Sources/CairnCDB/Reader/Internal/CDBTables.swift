/// The 256 entries of a header: the position of each hash table and its number of slots. Tables outside the file are marked.
@safe final class CDBTables: Sendable {
    struct Table: Sendable {
        /// `UInt64.max` for a table outside the file; its count is then 0.
        var position: UInt64
        var count: UInt64
        var isDamaged: Bool { position == .max }
    }

    private let entries: [Table]
    /// The end of the records: the start of the first table with slots, or, if no table has any, what the first entry says.
    let dataEnd: UInt64
    /// The first of the tables outside the file.
    let firstDamaged: Int?
    /// The total number of slots in all tables.
    let slotCount: UInt64

    init(header: RawSpan, size: UInt64, dialect: CDBDialect) {
        var entries: [Table] = []
        entries.reserveCapacity(256)
        var end: UInt64?
        var damaged: Int?
        var slots: UInt64 = 0
        unsafe header.withUnsafeBytes { header in
            for number in 0..<256 {
                let (position, count) = unsafe dialect.pair(header, at: number * Int(dialect.pairSize))
                if count == 0 {
                    entries.append(Table(position: position == .max ? 0 : position, count: 0))
                } else if position >= dialect.headerSize, position <= size, count <= (size - position) / dialect.pairSize {
                    entries.append(Table(position: position, count: count))
                    end = min(end ?? .max, position)
                    slots += count
                } else {
                    entries.append(Table(position: .max, count: 0))
                    damaged = damaged ?? number
                }
            }
        }
        let first = entries[0].position
        if entries[0].count == 0, end == nil, first > size { damaged = damaged ?? 0 }
        dataEnd = end ?? (first >= dialect.headerSize && first <= size ? first : damaged == nil ? dialect.headerSize : size)
        self.entries = entries
        firstDamaged = damaged
        slotCount = slots
    }

    /// Returns the table for a hash.
    @inline(__always)
    func table(of hash: UInt64) -> Table { unsafe entries.withUnsafeBufferPointer { unsafe $0[Int(hash & 0xFF)] } }

    /// The table with that number, below 256.
    subscript(number: Int) -> Table { entries[number] }
}

extension CDBDialect {
    /// Returns two consecutive numbers. The caller has checked that they are within `bytes`.
    @inline(__always)
    func pair(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (UInt64, UInt64) {
        let start = unsafe bytes.baseAddress.unsafelyUnwrapped + offset
        return if isWide {
            unsafe (loadWord(start, as: UInt64.self), loadWord(start + 8, as: UInt64.self))
        } else {
            unsafe (loadWord(start, as: UInt32.self), loadWord(start + 4, as: UInt32.self))
        }
    }
}

/// Bytes at a fixed address.
@safe final class OwnedBytes: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let count: Int

    init(copying bytes: RawSpan) {
        count = bytes.byteCount
        unsafe start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: start, count: count).copyMemory(from: bytes)
        }
    }

    init(count: Int) {
        self.count = count
        unsafe start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
    }

    deinit { unsafe start.deallocate() }

    func withBytes<Value>(_ body: (RawSpan) -> Value) -> Value {
        unsafe body(RawSpan(_unsafeStart: start, byteCount: count))
    }
}
