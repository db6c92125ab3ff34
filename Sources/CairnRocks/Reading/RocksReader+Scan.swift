public import CairnCore

extension RocksReader {
    /// Makes a cursor positioned before the first entry of `range`, by default all entries.
    public func makeCursor(_ range: ScanRange = .all) throws(RocksError) -> Cursor { try makeCursor(range, options: nil) }

    /// Calls `body` with each entry of `range`, in order. The key and value are lent until `body` returns.
    ///
    /// Sees the data as of the start of the call. The database cannot be closed during the call. To stop early, give `body` a third parameter,
    /// `stop`.
    ///
    /// - Throws: Same as ``Cursor/next()``, or what `body` throws, which ends the scan.
    /// - Complexity: O(entries); no allocation per entry.
    public func forEach(
        _ range: ScanRange = .all,
        options: ReadOptions? = nil,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
    ) throws {
        var cursor = try makeCursor(range, options: options)
        while let entry = try cursor.next() { try body(entry.key, entry.value) }
    }

    /// Same as the form without `stop`, until `body` sets `stop` to true.
    ///
    /// ```swift
    /// try db.forEach { key, value, stop in
    ///     stop = value.byteCount > 1_000_000
    /// }
    /// ```
    public func forEach(
        _ range: ScanRange = .all,
        options: ReadOptions? = nil,
        _ body: (_ key: RawSpan, _ value: RawSpan, _ stop: inout Bool) throws -> Void
    ) throws {
        var cursor = try makeCursor(range, options: options)
        var stop = false
        while !stop, let entry = try cursor.next() { try body(entry.key, entry.value, &stop) }
    }

    /// Calls `body` with each key of `range`, in order, without reading the values. The key is lent until `body` returns.
    public func forEachKey(_ range: ScanRange = .all, options: ReadOptions? = nil, _ body: (_ key: RawSpan) throws -> Void) throws {
        var cursor = try makeCursor(range, options: options)
        while let key = try cursor.nextKey() { try body(key) }
    }

    /// Same as the form without `stop`, until `body` sets `stop` to true.
    public func forEachKey(
        _ range: ScanRange = .all,
        options: ReadOptions? = nil,
        _ body: (_ key: RawSpan, _ stop: inout Bool) throws -> Void
    ) throws {
        var cursor = try makeCursor(range, options: options)
        var stop = false
        while !stop, let key = try cursor.nextKey() { try body(key, &stop) }
    }

    /// Returns copies of the entries of `range`, in order.
    ///
    /// ```swift
    /// for (key, value) in try db.entries(.prefix("user/"), limit: 100) { ... }
    /// ```
    ///
    /// All entries are read before the call returns, so an error partway throws rather than looking like the end of the range. For ranges too large
    /// to hold in memory, use ``makeCursor(_:options:)`` or `forEach(_:options:_:)`.
    ///
    /// Returns at most `limit` entries, or all if it is `nil`.
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

    /// Returns the entries from `start`, inclusive, to `end`, exclusive: ``entries(_:options:limit:)`` with `ScanRange.from(_:to:)`.
    public func entries(
        from start: some ByteSource & ~Escapable,
        to end: some ByteSource & ~Escapable
    ) throws(RocksError) -> [(key: [UInt8], value: [UInt8])] {
        try entries(.from(start, to: end))
    }

    /// Same as ``entries(_:options:limit:)``, with keys and values as `String`, `Data` or other `ByteResult`.
    ///
    /// - Throws: Also ``RocksError/Code/codec``, for the first key or value that cannot be converted.
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

    /// Returns copies of the keys of `range`, in order, without reading the values. Otherwise same as ``entries(_:options:limit:)``.
    public func keys(_ range: ScanRange = .all, options: ReadOptions? = nil, limit: Int? = nil) throws(RocksError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var cursor = try makeScan(range, options: options)
        while keys.count < limit ?? .max, let key = try cursor.nextKey() { keys.append([UInt8](copying: key)) }
        return keys
    }

    /// Same as ``keys(_:options:limit:)``, with keys as `String`, `Data` or other `ByteResult`.
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

    /// Returns the number of entries in `range`, counting them one by one; `rocksdb.estimate-num-keys` gives an estimate immediately.
    public func count(_ range: ScanRange = .all, options: ReadOptions? = nil) throws(RocksError) -> Int {
        var count = 0
        var cursor = try makeScan(range, options: options)
        while try cursor.nextKey() != nil { count += 1 }
        return count
    }

    /// Makes a cursor that lasts for one call.
    private func makeScan(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor {
        let cursor = try makeCursor(range, options: options)
        cursor.lastsForCall()
        return cursor
    }
}
