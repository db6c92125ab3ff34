public import CairnCore

/// A key and one of its values, lent by a cursor until it moves.
///
/// The compiler does not let an entry, its key or its value outlive the position of the cursor.
public struct CDBEntry: ~Escapable {
    /// The key's bytes.
    public let key: RawSpan
    /// The value's bytes.
    public let value: RawSpan
    /// The position of the record in the file.
    let position: UInt64

    @_lifetime(copy key, copy value)
    init(key: RawSpan, value: RawSpan, position: UInt64) {
        self.key = key
        self.value = value
        self.position = position
    }

    /// Returns a copy of the key as `String`, `Data`, `[UInt8]` or another `ByteResult`.
    ///
    /// - Throws: ``CDBError/Code/codec`` if the bytes cannot be converted.
    public func key<Key: ByteResult>(as type: Key.Type) throws(CDBError) -> Key {
        do { return try Key(copying: key) } catch { throw CDBError.codec("could not read a key as \(type)", error) }
    }

    /// Returns a copy of the value as `String`, `Data`, `[UInt8]` or another `ByteResult`.
    ///
    /// - Throws: ``CDBError/Code/codec`` if the bytes cannot be converted.
    public func value<Value: ByteResult>(as type: Value.Type) throws(CDBError) -> Value {
        do { return try Value(copying: value) } catch { throw CDBError.codec("could not read a value as \(type)", error) }
    }
}
