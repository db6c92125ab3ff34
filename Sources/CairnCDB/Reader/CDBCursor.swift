/// A position among the records of a file, in the order in which they were written.
///
/// ```swift
/// var cursor = reader.makeCursor()
/// while let entry = try cursor.next() { print(try entry.key(as: String.self), entry.value.byteCount) }
/// ```
///
/// A cursor belongs to one thread at a time and cannot be copied. It keeps its reader alive.
public struct CDBCursor: ~Copyable {
    private let reader: CDBReader
    private var window: CDBWindow
    private var position: UInt64

    init(_ reader: CDBReader) {
        self.reader = reader
        window = CDBWindow(reader, end: reader.dataEnd)
        position = reader.dialect.headerSize
    }

    /// Moves to the next record; the first call moves to the first record.
    ///
    /// - Returns: The record, lent until the cursor moves or is destroyed; `nil` after the last record.
    /// - Throws: ``CDBError/Code/corruption`` if a record is damaged or, after the last record, if the header is; the result is never `nil`
    ///   in place of existing data. Since the record after the damage cannot be found, further calls throw the same error.
    ///   ``CDBError/Code/ioError`` for a file that is not mapped.
    @_lifetime(&self)
    public mutating func next() throws(CDBError) -> CDBEntry? {
        guard position < reader.dataEnd else {
            try reader.checkHeader()
            return nil
        }
        let record = try window.record(at: position)
        let pair = reader.dialect.pairSize
        let bytes = try unsafe window.bytes(pair + record.keyCount + record.valueCount, at: record.position)
        try reader.checkIsWhole()
        position = record.end
        let keyEnd = Int(truncatingIfNeeded: pair + record.keyCount)
        let key = unsafe RawSpan(_unsafeBytes: bytes[Int(truncatingIfNeeded: pair)..<keyEnd])
        let value = unsafe RawSpan(_unsafeBytes: bytes[keyEnd...])
        return unsafe _overrideLifetime(CDBEntry(key: key, value: value, position: record.position), mutating: &self)
    }
}

extension CDBReader {
    /// Creates a cursor positioned before the first record.
    public func makeCursor() -> CDBCursor { CDBCursor(self) }
}
