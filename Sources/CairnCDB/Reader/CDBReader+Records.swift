public import CairnCore

// Records in the order in which they were written, including duplicates.
extension CDBReader {
    /// Calls `body` with each record; key and value are valid until it returns. To stop early, use a cursor, or throw.
    ///
    /// - Throws: Same as ``CDBCursor/next()``, or what `body` throws, which ends the iteration.
    /// - Complexity: O(size of the file), read from front to back; no allocation per record.
    @inlinable
    public func forEach(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
        guard let base = unsafe base else { return try forEachPositioned(body) }
        defer { withExtendedLifetime(self) {} }
        var position = dialect.headerSize
        while position < dataEnd {
            let record = try unsafe record(at: position, base)
            try checkIsWhole()
            try unsafe body(record.key(base).bytes, record.value(base).bytes)
            position = record.end
        }
        try checkHeader()
    }

    /// Calls `body` with the key of each record, valid until it returns. Values of mapped files are not touched.
    ///
    /// - Throws: Same as ``forEach(_:)``.
    @inlinable
    public func forEachKey(_ body: (_ key: RawSpan) throws -> Void) throws {
        try forEach { key, _ in try body(key) }
    }

    @usableFromInline
    func forEachPositioned(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
        var cursor = makeCursor()
        while let entry = try cursor.next() { try body(entry.key, entry.value) }
    }

    /// The number of records, including duplicates.
    ///
    /// - Throws: Same as ``CDBCursor/next()``.
    /// - Complexity: O(records): the format does not store a count.
    public var count: Int {
        get throws(CDBError) {
            var count = 0
            var window = CDBWindow(self, end: dataEnd)
            var position = dialect.headerSize
            while position < dataEnd {
                position = try window.record(at: position).end
                count += 1
            }
            try checkHeader()
            return count
        }
    }

    /// Returns copies of all records.
    ///
    /// All records are read before the call returns, so an error in the middle throws and never looks like the end.
    ///
    /// - Throws: Same as ``CDBCursor/next()``.
    public func entries() throws(CDBError) -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var cursor = makeCursor()
        while let entry = try cursor.next() { entries.append(([UInt8](copying: entry.key), [UInt8](copying: entry.value))) }
        return entries
    }

    /// Returns all records, with keys and values as `String`, `Data` or another `ByteResult`.
    ///
    /// - Throws: Same as ``entries()``; ``CDBError/Code/codec`` for the first key or value that cannot be converted.
    public func entries<Key: ByteResult, Value: ByteResult>(
        as types: (Key.Type, Value.Type)
    ) throws(CDBError) -> [(key: Key, value: Value)] {
        var entries: [(key: Key, value: Value)] = []
        var cursor = makeCursor()
        while let entry = try cursor.next() { entries.append((try entry.key(as: Key.self), try entry.value(as: Value.self))) }
        return entries
    }

    /// Returns a copy of the key of each record; a key with several values appears several times.
    ///
    /// - Throws: Same as ``entries()``.
    public func keys() throws(CDBError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var cursor = makeCursor()
        while let entry = try cursor.next() { keys.append([UInt8](copying: entry.key)) }
        return keys
    }

    /// Returns the key of each record as `String`, `Data` or another `ByteResult`.
    ///
    /// - Throws: Same as ``entries(as:)``.
    public func keys<Key: ByteResult>(as type: Key.Type) throws(CDBError) -> [Key] {
        var keys: [Key] = []
        var cursor = makeCursor()
        while let entry = try cursor.next() { keys.append(try entry.key(as: type)) }
        return keys
    }
}
