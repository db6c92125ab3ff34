import CairnCore

/// The bytes of an entry in its row.
@safe struct SQLiteEntry: @unchecked Sendable {
    /// The checksum stored with it.
    let sum: Int64
    /// Empty if it is elsewhere.
    let value: UnsafeRawBufferPointer
    /// Where in the table of large values the value is; `nil` if it is here.
    let largeID: Int64?
    /// Empty if the query has no key.
    let key: UnsafeRawBufferPointer

    init(_ statement: SQLiteStatement) {
        sum = statement.number(0)
        largeID = statement.isNumber(1) ? statement.number(1) : nil
        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        unsafe value = largeID == nil ? statement.bytes(1) : none
        unsafe key = statement.query == .value || statement.query == .large ? none : statement.bytes(2)
    }

    /// Whether an entry's value is kept in the table of large values: SQLite would read all of an entry that does not fit in a quarter of a page whenever it
    /// compares the key, in each search that passes it.
    static func isLarge(key: Int, value: Int) -> Bool { key + value > 2000 && value > 64 }

    /// The checksum of an entry: of its key's length, its key, and its value.
    static func sum(key: RawSpan, value: RawSpan) -> Int64 {
        var sum = CRC32C(extending: UInt32(truncatingIfNeeded: key.byteCount))
        sum.update(key)
        sum.update(value)
        // A signed number takes four bytes.
        return Int64(Int32(bitPattern: sum.value))
    }
}
