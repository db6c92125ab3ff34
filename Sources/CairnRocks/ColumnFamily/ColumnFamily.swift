import CRocks
import CairnCore

/// One keyspace of a database, with an order, formats and options of its own; batches and snapshots span all of them.
///
/// ```swift
/// let songs = try db.createColumnFamily("songs")
/// try songs.put("Walking on Sunshine", for: "katrina")
/// ```
///
/// Safe from any thread. Keeps its database alive; it has nothing to close. After ``RocksDB/dropColumnFamily(_:)`` its verbs throw
/// ``RocksError/Code/columnFamilyDropped``.
public final class ColumnFamily: Sendable {
    let handle: ColumnFamilyHandle
    /// How reads behave that say nothing else.
    public let readOptions: ReadOptions
    /// How writes behave that say nothing else.
    public let writeOptions: WriteOptions
    let readHandle: ReadOptionsHandle
    /// ``writeOptions`` as the shim takes them.
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
    /// RocksDB's number for it, as in serialised batches; never used twice in a database.
    public var id: UInt32 { unsafe crk_column_family_id(handle.pointer) }
    /// The options it was opened or created with; ``RocksStore/currentColumnFamilyOptions()`` tells all that are in force.
    public var options: ColumnFamilyOptions { handle.options }

    /// The same column family with other defaults; `nil` keeps the present ones.
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
