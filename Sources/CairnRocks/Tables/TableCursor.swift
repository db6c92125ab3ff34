import CairnCore

/// A position in a range of a table, seen as it was when the cursor was made.
///
/// ```swift
/// var cursor = try songs.makeCursor()
/// while let (artist, song) = try cursor.next() { print(artist, song.title) }
/// ```
///
/// As ``Cursor``, with decoded entries; an entry that cannot be decoded throws ``RocksError/Code/codec``, and the next move leads past it.
public struct TableCursor<Key, Value>: ~Copyable {
    private var cursor: Cursor
    private let table: TableView<(), Key, Value>

    init(cursor: consuming Cursor, table: TableView<(), Key, Value>) {
        self.cursor = cursor
        self.table = table
    }

    /// Moves to the next entry of the range; from before the first, to the first. `nil` behind the last.
    public mutating func next() throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        return try table.decode(cursor.next())
    }

    /// Moves to the entry before; from behind the last, to the last.
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

    /// Moves to the entry with `key`, or else to the first behind it in the cursor's direction.
    public mutating func seek(to key: Key) throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        let bytes = try table.withKey(key) { [UInt8](copying: $0) }
        return try table.decode(cursor.seek(to: bytes))
    }

    /// Moves to the entry with `key`, or else to the last before it in the cursor's direction.
    public mutating func seek(toOrBefore key: Key) throws(RocksError) -> (key: Key, value: Value)? {
        let table = table
        let bytes = try table.withKey(key) { [UInt8](copying: $0) }
        return try table.decode(cursor.seek(toOrBefore: bytes))
    }

    /// Gives the cursor up, as ``Cursor/close()``.
    public mutating func close() { cursor.close() }
}
