import CRocks
public import CairnCore

/// A key and its value, lent by a cursor until it moves.
///
/// The compiler does not let an entry, its key or its value outlive the cursor's position.
@safe public struct Entry: ~Escapable {
    /// The key's bytes.
    public let key: RawSpan
    /// The value's bytes.
    public let value: RawSpan

    private let cursor: OpaquePointer

    @_lifetime(copy key, copy value)
    init(key: RawSpan, value: RawSpan, cursor: OpaquePointer) {
        self.key = key
        self.value = value
        unsafe self.cursor = cursor
    }

    /// The columns, if the value is an ``Entity``; otherwise a single column without a name.
    ///
    /// - Throws: ``RocksError/Code/notSupported`` for entries of a ``Transaction`` or of an ``IndexedWriteBatch`` layered over a store.
    /// - Complexity: O(columns); nothing is copied.
    public var columns: Columns {
        @_lifetime(copy self)
        get throws(RocksError) {
            var start: UnsafePointer<crk_column>?
            var count = 0
            try unsafe crk_cursor_columns(cursor, &start, &count).check("reading the columns of an entry")
            return unsafe _overrideLifetime(Columns(start: start, count: count), copying: self)
        }
    }

    /// Returns a copy of the key as `String`, `Data`, `[UInt8]` or other `ByteResult`.
    ///
    /// - Throws: ``RocksError/Code/codec`` if it cannot be converted.
    public func key<Key: ByteResult>(as type: Key.Type) throws(RocksError) -> Key {
        do { return try Key(copying: key) } catch { throw RocksError.codec("reading a key as \(type)", error) }
    }

    /// Returns a copy of the value as `String`, `Data`, `[UInt8]` or other `ByteResult`.
    ///
    /// - Throws: ``RocksError/Code/codec`` if it cannot be converted.
    public func value<Value: ByteResult>(as type: Value.Type) throws(RocksError) -> Value {
        do { return try Value(copying: value) } catch { throw RocksError.codec("reading a value as \(type)", error) }
    }
}
