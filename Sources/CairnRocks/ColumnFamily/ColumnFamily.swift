import CRocks
import CairnCore

/// A keyspace of a database, with its own order, formats and options; batches and snapshots span all of them.
///
/// ```swift
/// let songs = try db.createColumnFamily("songs")
/// try songs.put("Walking on Sunshine", for: "katrina")
/// ```
///
/// Safe to use from any thread. A column family keeps its database alive and needs no closing. After ``RocksDB/dropColumnFamily(_:)`` its methods
/// throw ``RocksError/Code/columnFamilyDropped``.
public final class ColumnFamily: Sendable {
    let handle: ColumnFamilyHandle
    /// The default options for reads.
    public let readOptions: ReadOptions
    /// The default options for writes.
    public let writeOptions: WriteOptions
    let readHandle: ReadOptionsHandle
    /// ``writeOptions`` in the shim's form.
    let shimWriteOptions: crk_write_options

    init(handle: ColumnFamilyHandle, readOptions: ReadOptions, readHandle: ReadOptionsHandle, writeOptions: WriteOptions) {
        self.handle = handle
        self.readOptions = readOptions
        self.readHandle = readHandle
        self.writeOptions = writeOptions
        shimWriteOptions = writeOptions.shimOptions
    }

    convenience init(handle: ColumnFamilyHandle, like other: ColumnFamily) {
        self.init(handle: handle, readOptions: other.readOptions, readHandle: other.readHandle, writeOptions: other.writeOptions)
    }

    /// The name given when it was created.
    public var name: String { handle.name }
    /// RocksDB's number for the column family, as in serialised batches; never reused in a database.
    public var id: UInt32 { unsafe crk_column_family_id(handle.pointer) }
    /// The options it was opened or created with; ``RocksStore/currentColumnFamilyOptions()`` returns all that are in force.
    public var options: ColumnFamilyOptions { handle.options }

    /// Returns the same column family with other defaults; `nil` keeps the current ones.
    ///
    /// ```swift
    /// let bulk = songs.with(writeOptions: .unlogged)
    /// ```
    public func with(readOptions: ReadOptions? = nil, writeOptions: WriteOptions? = nil) -> ColumnFamily {
        ColumnFamily(
            handle: handle,
            readOptions: readOptions ?? self.readOptions,
            readHandle: readOptions.map { ReadOptionsHandle($0) } ?? readHandle,
            writeOptions: writeOptions ?? self.writeOptions
        )
    }
}

extension ColumnFamily: RocksStore {
    public var columnFamily: ColumnFamily { self }
}
