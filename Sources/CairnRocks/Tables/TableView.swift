public import CairnCore

/// A column family with typed keys and values.
///
/// ```swift
/// struct Song: Codable { var title: String, seconds: Int }
///
/// let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
/// try songs.put(Song(title: "Walking on Sunshine", seconds: 298), for: "katrina")
/// let song = try songs.get("katrina")
/// ```
///
/// The methods are those of ``RocksReader`` and ``RocksWriter``, with keys and values instead of bytes; ``TableView/space`` has the byte versions,
/// for the same data. In a batch or a snapshot, use `in` to select the table:
///
/// ```swift
/// try db.write { batch in try batch.in(songs).put(song, for: "katrina") }
/// let then = try snapshot.in(songs).get("katrina")
/// ```
public typealias Table<Key, Value> = TableView<ColumnFamily, Key, Value>

/// A typed view of a keyspace: a column family (``Table``), a snapshot or a batch.
///
/// Sharing it between threads is as safe as sharing what it views. Methods that encode or decode keys or values throw ``RocksError/Code/codec`` if
/// that fails; the `CodecError` is the cause, and the key is in the error's user data.
public struct TableView<Space, Key, Value> {
    /// The store, snapshot or batch that holds the bytes.
    public let space: Space
    /// How keys become bytes.
    public let keys: KeyCodec<Key>
    /// How values become bytes; the codec also receives the key.
    public let values: ValueCodec<Key, Value>
    /// For error messages.
    @usableFromInline let name: String

    init(space: Space, name: String, keys: KeyCodec<Key>, values: ValueCodec<Key, Value>) {
        self.space = space
        self.name = name
        self.keys = keys
        self.values = values
    }

    /// Returns the same table in another space.
    func moved<Other>(to space: Other) -> TableView<Other, Key, Value> {
        TableView<Other, Key, Value>(space: space, name: name, keys: keys, values: values)
    }

    @usableFromInline
    func failure(_ verb: String, _ cause: CodecError) -> RocksError {
        RocksError(.codec, "\(verb) of table '\(name)'", userData: cause.userData, cause: cause)
    }
}

extension TableView: Sendable where Space: Sendable {}

extension TableView {
    /// Calls `body` with the bytes of `key`.
    @inlinable
    func withKey<Result>(_ key: Key, _ body: (RawSpan) throws(RocksError) -> Result) throws(RocksError) -> Result {
        let outcome: Swift.Result<Result, RocksError>
        do throws(CodecError) {
            outcome = try keys.withBytes(of: key) { bytes in Swift.Result { () throws(RocksError) in try body(bytes) } }
        } catch {
            throw failure("encoding a key", error)
        }
        return try outcome.get()
    }

    /// Calls `body` with the bytes of `value`.
    @inlinable
    func withValue<Result>(_ value: Value, for key: Key, _ body: (RawSpan) throws(RocksError) -> Result) throws(RocksError) -> Result {
        let outcome: Swift.Result<Result, RocksError>
        do throws(CodecError) {
            outcome = try values.withBytes(of: value, for: key) { bytes in Swift.Result { () throws(RocksError) in try body(bytes) } }
        } catch {
            throw failure("encoding a value", error)
        }
        return try outcome.get()
    }

    @inlinable
    func decodeKey(_ bytes: RawSpan) throws(RocksError) -> Key {
        do throws(CodecError) { return try keys.decode(bytes) } catch { throw failure("decoding a key", error) }
    }

    @inlinable
    func decodeValue(_ bytes: RawSpan, for key: Key) throws(RocksError) -> Value {
        do throws(CodecError) { return try values.decode(bytes, for: key) } catch { throw failure("decoding a value", error) }
    }

    func decode(key: RawSpan?) throws(RocksError) -> Key? {
        guard let key else { return nil }
        return try decodeKey(key)
    }

    func decode(_ entry: Entry?) throws(RocksError) -> (key: Key, value: Value)? {
        guard let entry else { return nil }
        let key = try decodeKey(entry.key)
        return (key, try decodeValue(entry.value, for: key))
    }
}
