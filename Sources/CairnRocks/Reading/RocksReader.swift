public import CairnCore

/// What can be read from: a database, a column family, a snapshot.
///
/// Only the first three requirements are particular to each; all verbs are built on them, so they are the same everywhere:
///
/// | verb | result |
/// | --- | --- |
/// | ``get(_:options:)`` | an owned value |
/// | ``withValue(for:options:_:)`` | the value lent, without a copy |
/// | ``entity(for:options:)``, ``withEntity(for:options:_:)`` | named columns, owned or lent |
/// | ``contains(_:options:)`` | whether the key is there |
/// | `multiGet(_:options:)` | many values at once |
/// | ``makeCursor(_:options:)`` | a cursor over a range |
/// | ``forEach(_:options:_:)`` | each entry of a range, lent |
/// | ``entries(_:options:limit:)``, ``keys(_:options:limit:)`` | owned entries or keys of a range |
///
/// A missing key is `nil`; an empty value is an empty value.
public protocol RocksReader {
    /// Lends the value of `key` to `body`, or returns false without calling it if the key is missing.
    func lendValue(for key: RawSpan, options: ReadOptions?, to body: (RawSpan) -> Void) throws(RocksError) -> Bool

    /// Lends the values of all `keys` to `body`, one by one and in order, `nil` for a missing key.
    func lendValues(for keys: KeyList, options: ReadOptions?, to body: (Int, RawSpan?) -> Void) throws(RocksError)

    /// Makes a cursor that stands before the first entry of `range` and sees the data as they are now.
    ///
    /// - Throws: Whatever RocksDB has against the options; reading the entries throws as it goes.
    /// - Complexity: A few microseconds; the database's files stay in use until the cursor is gone.
    func makeCursor(_ range: ScanRange, options: ReadOptions?) throws(RocksError) -> Cursor

    /// Lends the columns of `key` to `body`, or returns false without calling it if the key is missing. Throws
    /// ``RocksError/Code/notSupported`` unless the reader has a form of its own.
    func lendEntity(for key: RawSpan, options: ReadOptions?, to body: (borrowing Columns) -> Void) throws(RocksError) -> Bool

    /// False if the key is certainly missing, by what is in memory alone; true if it may be there.
    func keyMayExist(_ key: some ByteSource & ~Escapable, options: ReadOptions?) throws(RocksError) -> Bool
}
