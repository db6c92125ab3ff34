import CairnCore

// Rows in the order of the file that the table was made from.
extension CDBTable {
    /// Calls `body` with each row. To stop early, throw.
    ///
    /// - Throws: ``CDBError``: `corruption`; `codec` if a row cannot be decoded; or what `body` throws.
    /// - Complexity: O(rows): decodes each.
    public func forEachRow(_ body: (Row) throws -> Void) throws {
        var rows = CDBTableRows(self)
        while let row = try rows.nextRow() { try body(row) }
    }
}

extension CDBTable: Sequence {
    /// The number of rows.
    public var underestimatedCount: Int { count }

    /// Returns an iterator over all rows, which ends the program if the file is damaged.
    public func makeIterator() -> CDBTableRows<Row> { CDBTableRows(self) }
}

/// The rows of a ``CDBTable``, one after the other. Use it from one thread at a time.
public struct CDBTableRows<Row: CDBTableRow>: IteratorProtocol {
    private let table: CDBTable<Row>
    private var window: CDBWindow
    private var position: UInt64
    private var number = 0

    init(_ table: CDBTable<Row>) {
        self.table = table
        window = CDBWindow(table.reader, end: table.reader.dataEnd)
        position = table.reader.dialect.headerSize
    }

    /// Returns the next row, or `nil` after the last. Ends the program if the file is damaged.
    public mutating func next() -> Row? {
        do { return try nextRow() } catch { fatalError("\(error.message); the program's resources are damaged") }
    }
}

extension CDBTableRows {
    mutating func nextRow() throws(CDBError) -> Row? {
        let reader = table.reader
        while position < reader.dataEnd {
            let record = try window.record(at: position)
            position = record.end
            // The header.
            guard record.keyCount > 0 else { continue }
            let text: String
            let bytes = try unsafe window.bytes(record.keyCount, at: record.keyPosition)
            do throws(CodecError) { text = try String(copying: unsafe RawSpan(_unsafeBytes: bytes)) } catch {
                throw CDBError.codec("could not read a key of \(reader.name)", error)
            }
            guard let key = Row.Key(text) else { throw reader.damage("a key is not of type \(Row.Key.self)", at: record.position) }
            let columns = try unsafe window.bytes(record.valueCount, at: record.valuePosition)
            let row = try table.row(key, unsafe RawSpan(_unsafeBytes: columns))
            try reader.checkIsWhole()
            return row
        }
        try reader.checkHeader()
        return nil
    }
}
