public import CairnCore

extension RocksReader {
    /// Makes a cursor that stands before the first entry of `range`; without one, of all entries.
    public func makeCursor(_ range: ScanRange = .all) throws(RocksError) -> Cursor { try makeCursor(range, options: nil) }

    /// Calls `body` with each entry of `range`, in order; key and value are lent until it returns.
    ///
    /// Sees the data as they are when it begins. The database cannot be closed meanwhile. To stop early, use a cursor, or throw.
    ///
    /// - Throws: As ``Cursor/next()``, or what `body` throws, which ends the scan.
    /// - Complexity: O(entries); no allocation per entry.
    public func forEach(
        _ range: ScanRange = .all,
        options: ReadOptions? = nil,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
    ) throws {
        var cursor = try makeCursor(range, options: options)
        while let entry = try cursor.next() { try body(entry.key, entry.value) }
    }

    /// Calls `body` with each key of `range`, in order, without reading the values; the key is lent until it returns.
    public func forEachKey(_ range: ScanRange = .all, options: ReadOptions? = nil, _ body: (_ key: RawSpan) throws -> Void) throws {
        var cursor = try makeCursor(range, options: options)
        while let key = try cursor.nextKey() { try body(key) }
    }

    /// The entries of `range`, in order, copied.
    ///
    /// ```swift
    /// for (key, value) in try db.entries(.prefix("user/"), limit: 100) { ... }
    /// ```
    ///
    /// They are read before the call returns, so that an error in the middle throws and never looks like the end. For ranges that should not
    /// be in memory whole, use ``makeCursor(_:options:)`` or ``forEach(_:options:_:)``.
    ///
    /// At most `limit` of them; `nil`: all.
    public func entries(
        _ range: ScanRange = .all,
        options: ReadOptions? = nil,
        limit: Int? = nil
    ) throws(RocksError) -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var cursor = try makeScan(range, options: options)
        while entries.count < limit ?? .max, let entry = try cursor.next() {
            entries.append(([UInt8](copying: entry.key), [UInt8](copying: entry.value)))
        }
        return entries
    }

    /// The entries from `start`, inclusive, to `end`, exclusive: ``entries(_:options:limit:)`` with ``ScanRange/from(_:to:)``.
    public func entries(
        from start: some ByteSource & ~Escapable,
        to end: some ByteSource & ~Escapable
    ) throws(RocksError) -> [(key: [UInt8], value: [UInt8])] {
        try entries(.from(start, to: end))
    }

    /// As ``entries(_:options:limit:)``, with keys and values as `String`, `Data` or other `ByteResult`.
    ///
    /// - Throws: ``RocksError/Code/codec`` too, for the first key or value that has no such form.
    public func entries<Key: ByteResult, Value: ByteResult>(
        _ range: ScanRange = .all,
        as types: (Key.Type, Value.Type),
        options: ReadOptions? = nil,
        limit: Int? = nil
    ) throws(RocksError) -> [(key: Key, value: Value)] {
        var entries: [(key: Key, value: Value)] = []
        var cursor = try makeScan(range, options: options)
        while entries.count < limit ?? .max, let entry = try cursor.next() {
            do {
                entries.append((try Key(copying: entry.key), try Value(copying: entry.value)))
            } catch {
                throw RocksError.codec("reading an entry as \(types)", error)
            }
        }
        return entries
    }

    /// The keys of `range`, in order, copied; values are not read. As ``entries(_:options:limit:)``.
    public func keys(_ range: ScanRange = .all, options: ReadOptions? = nil, limit: Int? = nil) throws(RocksError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var cursor = try makeScan(range, options: options)
        while keys.count < limit ?? .max, let key = try cursor.nextKey() { keys.append([UInt8](copying: key)) }
        return keys
    }

    /// As ``keys(_:options:limit:)``, with keys as `String`, `Data` or other `ByteResult`.
    public func keys<Key: ByteResult>(
        _ range: ScanRange = .all,
        as type: Key.Type,
        options: ReadOptions? = nil,
        limit: Int? = nil
    ) throws(RocksError) -> [Key] {
        var keys: [Key] = []
        var cursor = try makeScan(range, options: options)
        while keys.count < limit ?? .max, let key = try cursor.nextKey() {
            do { keys.append(try Key(copying: key)) } catch { throw RocksError.codec("reading a key as \(type)", error) }
        }
        return keys
    }

    /// How many entries `range` has, counted one by one; `rocksdb.estimate-num-keys` guesses at once.
    public func count(_ range: ScanRange = .all, options: ReadOptions? = nil) throws(RocksError) -> Int {
        var count = 0
        var cursor = try makeScan(range, options: options)
        while try cursor.nextKey() != nil { count += 1 }
        return count
    }

    /// A cursor that lasts for one call.
    private func makeScan(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        let cursor = try makeCursor(range, options: options)
        cursor.lastsForCall()
        return cursor
    }
}
