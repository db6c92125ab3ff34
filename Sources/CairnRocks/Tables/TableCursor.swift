import CairnCore

/// Moves through a range of a table as of the moment the cursor was made.
///
/// ```swift
/// var cursor = try songs.makeCursor()
/// while let (artist, song) = try cursor.next() { print(artist, song.title) }
/// ```
///
/// Like ``Cursor``, with decoded entries. An entry that cannot be decoded throws ``RocksError/Code/codec``; the next move continues past it.
public struct TableCursor<Key, Value>: ~Copyable {
    private var cursor: Cursor
    private let table: TableView<(), Key, Value>

    init(cursor: consuming Cursor, table: TableView<(), Key, Value>) {
        self.cursor = cursor
        self.table = table
    }

    /// Moves to the next entry of the range; from a position before the range, to its first entry. Returns `nil` past the last entry.
    public mutating func next() throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        return try table.decode(cursor.next())
    }

    /// Moves to the previous entry of the range; from a position past the range, to its last entry.
    public mutating func previous() throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        return try table.decode(cursor.previous())
    }

    /// Moves to the first entry of the range.
    public mutating func first() throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        return try table.decode(cursor.first())
    }

    /// Moves to the last entry of the range.
    public mutating func last() throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        return try table.decode(cursor.last())
    }

    /// Moves to the entry with `key`, or else to the first entry after it in the cursor's direction.
    public mutating func seek(to key: Key) throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        let bytes = try table.withKey(key) { [UInt8](copying: $0) }
        return try table.decode(cursor.seek(to: bytes))
    }

    /// Moves to the entry with `key`, or else to the last entry before it in the cursor's direction.
    public mutating func seek(toOrBefore key: Key) throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        let bytes = try table.withKey(key) { [UInt8](copying: $0) }
        return try table.decode(cursor.seek(toOrBefore: bytes))
    }

    /// Same as ``next()``, without reading the value.
    public mutating func nextKey() throws(RocksError) -> Key? {
        let table = table
        return try table.decode(key: cursor.nextKey())
    }

    /// Same as ``previous()``, without reading the value.
    public mutating func previousKey() throws(RocksError) -> Key? {
        let table = table
        return try table.decode(key: cursor.previousKey())
    }

    /// Same as ``first()``, without reading the value.
    public mutating func firstKey() throws(RocksError) -> Key? {
        let table = table
        return try table.decode(key: cursor.firstKey())
    }

    /// Same as ``last()``, without reading the value.
    public mutating func lastKey() throws(RocksError) -> Key? {
        let table = table
        return try table.decode(key: cursor.lastKey())
    }

    /// Same as ``seek(to:)``, without reading the value.
    public mutating func seekKey(to key: Key) throws(RocksError) -> Key? {
        let table = table
        let bytes = try table.withKey(key) { [UInt8](copying: $0) }
        return try table.decode(key: cursor.seekKey(to: bytes))
    }

    /// Same as ``seek(toOrBefore:)``, without reading the value.
    public mutating func seekKey(toOrBefore key: Key) throws(RocksError) -> Key? {
        let table = table
        let bytes = try table.withKey(key) { [UInt8](copying: $0) }
        return try table.decode(key: cursor.seekKey(toOrBefore: bytes))
    }

    /// Whether the cursor is at an entry. See ``Cursor/isValid``.
    public var isValid: Bool { cursor.isValid }

    /// The entry that the last move has reached, or `nil`. See ``Cursor/current``.
    public var current: (key: Key, value: Value)? {
        mutating get throws(RocksError) { try table.decode(cursor.current) }
    }

    /// Closes the cursor, like ``Cursor/close()``.
    public mutating func close() { cursor.close() }
}
