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

    /// Moves to the next record; from before the first, to the first.
    ///
    /// - Returns: The record, lent until the cursor moves or goes; `nil` behind the last.
    /// - Throws: ``CDBError/Code/corruption`` where a record, or at the end of all the header, is damaged: never `nil` in place of what is
    ///   there. Behind damage the next record cannot be found, so the same error comes again. ``CDBError/Code/ioError`` for a file that is
    ///   not mapped.
    @_lifetime(&self)
    public mutating func next() throws(CDBError) -> CDBEntry? {
        guard position < reader.dataEnd else {
            try reader.checkHeader()
            return nil
        }
        let record = try window.record(at: position)
        let pair = reader.dialect.pairSize
        let bytes = try unsafe window.bytes(pair + record.keyCount + record.valueCount, at: record.position)
        position = record.end
        let keyEnd = Int(truncatingIfNeeded: pair + record.keyCount)
        let key = unsafe RawSpan(_unsafeBytes: bytes[Int(truncatingIfNeeded: pair)..<keyEnd])
        let value = unsafe RawSpan(_unsafeBytes: bytes[keyEnd...])
        return unsafe _overrideLifetime(CDBEntry(key: key, value: value, position: record.position), mutating: &self)
    }
}

extension CDBReader {
    /// Makes a cursor that stands before the first record.
    public func makeCursor() -> CDBCursor { CDBCursor(self) }
}
