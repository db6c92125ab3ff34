public import CairnCore

/// A source of reads: a database, a column family, a snapshot.
///
/// Each reader implements the first three requirements in its own way. All other methods are built on them, so they are the same everywhere:
///
/// | method | result |
/// | --- | --- |
/// | ``get(_:options:)`` | an owned value |
/// | ``withValue(for:options:_:)`` | the value lent, without a copy |
/// | ``entity(for:options:)``, ``withEntity(for:options:_:)`` | named columns, owned or lent |
/// | ``contains(_:options:)`` | whether the key exists |
/// | `multiGet(_:options:)` | many values at once |
/// | ``makeCursor(_:options:)`` | a cursor over a range |
/// | `forEach(_:options:_:)` | each entry of a range, lent |
/// | ``entries(_:options:limit:)``, ``keys(_:options:limit:)`` | owned entries or keys of a range |
///
/// A missing key reads as `nil`; an empty value as an empty value.
public protocol RocksReader {
    /// Lends the value of `key` to `body`, or returns false without calling it if the key is missing.
    func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool

    /// Lends the values for all `keys` to `body`, one by one and in order, with `nil` for a missing key.
    func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError)

    /// Makes a cursor positioned before the first entry of `range` that sees the data as of now.
    ///
    /// - Throws: Any error RocksDB reports about the options. Errors reading entries are thrown by the cursor's moves.
    /// - Complexity: A few microseconds. The database's files stay in use until the cursor is destroyed.
    func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor

    /// Lends the columns of `key` to `body`, or returns false without calling it if the key is missing. The default implementation throws
    /// ``RocksError/Code/notSupported``.
    func lendEntity(for key: RawSpan, options: ReadOptions?, to body: (borrowing Columns) -> Void) throws(RocksError) -> Bool

    /// Returns false if the data in memory alone shows that the key is missing, true if it may exist.
    func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool
}
