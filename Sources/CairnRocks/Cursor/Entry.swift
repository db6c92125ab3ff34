public import CairnCore

/// A key and its value, lent by a cursor until it moves.
///
/// The compiler refuses to let an entry, its key or its value outlive the position of the cursor.
public struct Entry: ~Escapable {
    /// The key's bytes.
    public let key: RawSpan
    /// The value's bytes.
    public let value: RawSpan

    @_lifetime(copy key, copy value)
    init(key: RawSpan, value: RawSpan) {
        self.key = key
        self.value = value
    }

    /// A copy of the key as `String`, `Data`, `[UInt8]` or other `ByteResult`.
    ///
    /// - Throws: ``RocksError/Code/codec`` if it has no such form.
    public func key<Key: ByteResult>(as type: Key.Type) throws(RocksError) -> Key {
        do { return try Key(copying: key) } catch { throw RocksError.codec("reading a key as \(type)", error) }
    }

    /// A copy of the value as `String`, `Data`, `[UInt8]` or other `ByteResult`.
    ///
    /// - Throws: ``RocksError/Code/codec`` if it has no such form.
    public func value<Value: ByteResult>(as type: Value.Type) throws(RocksError) -> Value {
        do { return try Value(copying: value) } catch { throw RocksError.codec("reading a value as \(type)", error) }
    }
}
