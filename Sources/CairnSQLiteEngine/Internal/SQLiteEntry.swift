import CairnCore

/// The bytes of an entry, as a row has them.
@safe struct SQLiteEntry: @unchecked Sendable {
    /// The checksum stored with it.
    let sum: Int64
    let value: UnsafeRawBufferPointer
    /// Empty if the query has no key.
    let key: UnsafeRawBufferPointer

    init(_ statement: SQLiteStatement) {
        sum = statement.number(0)
        unsafe value = statement.bytes(1)
        unsafe key = statement.query == .value ? UnsafeRawBufferPointer(start: nil, count: 0) : statement.bytes(2)
    }

    /// The checksum of an entry: of its key's length, its key, and its value.
    static func sum(key: RawSpan, value: RawSpan) -> Int64 {
        var sum = CRC32C(extending: UInt32(truncatingIfNeeded: key.byteCount))
        sum.update(key)
        sum.update(value)
        // A signed number takes four bytes.
        return Int64(Int32(bitPattern: sum.value))
    }
}
