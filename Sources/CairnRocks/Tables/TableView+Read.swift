public import CairnCore

extension TableView where Space: RocksReader {
    /// Returns the value for `key`, or `nil` if the key is missing. See ``RocksReader/get(_:options:)``.
    @inlinable
    public func get(_ key: Key, options: ReadOptions? = nil) throws(RocksError) -> Value? {
        var value: Result<Value, RocksError>?
        _ = try withKey(key) { (bytes) throws(RocksError) in
            try space.lendValue(for: bytes, options: options) { bytes in
                value = Result { () throws(RocksError) in try decodeValue(bytes, for: key) }
            }
        }
        return try value?.get()
    }

    /// Returns whether `key` exists.
    @inlinable
    public func contains(_ key: Key, options: ReadOptions? = nil) throws(RocksError) -> Bool {
        try withKey(key) { (bytes) throws(RocksError) in try space.lendValue(for: bytes, options: options) { _ in } }
    }

    /// Returns the values for all `keys`, in the order of the keys, with `nil` for each missing key. See `multiGet(_:options:)`.
    @inlinable
    public func multiGet(_ keys: [Key], options: ReadOptions? = nil) throws(RocksError) -> [Value?] {
        var list = KeyList()
        for key in keys { try withKey(key) { list.append($0) } }
        var values: [Value?] = []
        var failure: RocksError?
        try space.lendValues(for: list, options: options) { index, bytes in
            guard let bytes else { return values.append(nil) }
            do throws(RocksError) { values.append(try decodeValue(bytes, for: keys[index])) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
        return values
    }

    /// Calls `body` with each entry of `range`, in the order of the encoded keys. See `RocksReader.forEach(_:options:_:)`.
    public func forEach(
        _ range: TableRange<Key> = .all,
        options: ReadOptions? = nil,
        _ body: (_ key: Key, _ value: Value) throws -> Void
    ) throws {
        var cursor = try makeCursor(range, options: options)
        while let (key, value) = try cursor.next() { try body(key, value) }
    }

    /// Same as the form without `stop`, until `body` sets `stop` to true.
    public func forEach(
        _ range: TableRange<Key> = .all,
        options: ReadOptions? = nil,
        _ body: (_ key: Key, _ value: Value, _ stop: inout Bool) throws -> Void
    ) throws {
        var cursor = try makeCursor(range, options: options)
        var stop = false
        while !stop, let (key, value) = try cursor.next() { try body(key, value, &stop) }
    }

    /// Returns the entries of `range`, in the order of the encoded keys. Like ``RocksReader/entries(_:options:limit:)``, reads them before it
    /// returns.
    public func entries(
        _ range: TableRange<Key> = .all,
        options: ReadOptions? = nil,
        limit: Int? = nil
    ) throws(RocksError) -> [(key: Key, value: Value)] {
        var entries: [(key: Key, value: Value)] = []
        var cursor = try makeCursor(range, options: options)
        while entries.count < limit ?? .max, let entry = try cursor.next() { entries.append(entry) }
        return entries
    }

    /// Returns the keys of `range`, in the order of the encoded keys, without reading the values.
    public func keys(_ range: TableRange<Key> = .all, options: ReadOptions? = nil, limit: Int? = nil) throws(RocksError) -> [Key] {
        var keys: [Key] = []
        var cursor = try space.makeCursor(encoded(range), options: options)
        while keys.count < limit ?? .max, let key = try cursor.nextKey() { keys.append(try decodeKey(key)) }
        return keys
    }

    /// Returns the number of entries in `range`, counting them one by one.
    public func count(_ range: TableRange<Key> = .all, options: ReadOptions? = nil) throws(RocksError) -> Int {
        try space.count(encoded(range), options: options)
    }

    /// Makes a cursor positioned before the first entry of `range`. See ``RocksReader/makeCursor(_:options:)``.
    public func makeCursor(_ range: TableRange<Key> = .all, options: ReadOptions? = nil) throws(RocksError) -> TableCursor<Key, Value> {
        TableCursor(cursor: try space.makeCursor(encoded(range), options: options), table: moved(to: ()))
    }
}
