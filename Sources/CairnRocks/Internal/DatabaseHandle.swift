import CRocks
import CairnCore

/// Owns the C++ database. Everything that depends on a database holds one, so it outlives them all.
@safe final class DatabaseHandle {
    let pointer: OpaquePointer
    let path: String
    /// The receiver of RocksDB's events, which can be set only when opening.
    let events: DatabaseEvents?
    let statistics: Statistics?
    /// `nil` if the database cannot be written, or is not in plain files on disk.
    let tableTypes: TableTypesRecord?
    /// Held while options, including a column family's, are read, changed and set.
    let changingOptions = OptionsLock()

    init(pointer: OpaquePointer, path: String, events: DatabaseEvents?, statistics: Statistics?, tableTypes: TableTypesRecord?) {
        unsafe self.pointer = pointer
        self.path = path
        self.events = events
        self.statistics = statistics
        self.tableTypes = tableTypes
    }

    var isClosed: Bool { unsafe crk_db_is_closed(pointer) }

    deinit { unsafe crk_db_free(pointer) }
}

// The shim's database may be called from any thread: it counts its calls and RocksDB's DB is thread-safe. The fields never change.
extension DatabaseHandle: @unchecked Sendable {}

/// Owns one C++ column family handle.
@safe final class ColumnFamilyHandle {
    let pointer: OpaquePointer
    let name: String
    let database: DatabaseHandle
    let options: ColumnFamilyOptions

    init(pointer: OpaquePointer, name: String, database: DatabaseHandle, options: ColumnFamilyOptions) {
        unsafe self.pointer = pointer
        self.name = name
        self.database = database
        self.options = options
    }

    deinit { unsafe crk_column_family_release(pointer) }

    /// "putting in column family 'songs' of '/data/music'", for error messages.
    func attempt(_ verb: String) -> String { "\(verb) column family '\(name)' of '\(database.path)'" }
}

// Same as for DatabaseHandle.
extension ColumnFamilyHandle: @unchecked Sendable {}

/// Owns one C++ snapshot.
@safe final class SnapshotHandle {
    let pointer: OpaquePointer
    let database: DatabaseHandle

    init(database: DatabaseHandle) throws(RocksError) {
        var pointer: OpaquePointer?
        try unsafe crk_snapshot_create(database.pointer, &pointer).check("making a snapshot of '\(database.path)'")
        unsafe self.pointer = pointer!
        self.database = database
    }

    deinit { unsafe crk_snapshot_free(pointer) }
}

// The shim locks a snapshot against its release; the fields never change.
extension SnapshotHandle: @unchecked Sendable {}

/// Owns one C++ ReadOptions, created once and shared by many reads.
@safe final class ReadOptionsHandle {
    let pointer: OpaquePointer
    /// C++ holds a pointer to it.
    private let snapshot: SnapshotHandle?

    init(_ options: ReadOptions, snapshot: SnapshotHandle? = nil, time: UInt64? = nil) {
        var settings = options.shimSettings
        if let time {
            unsafe pointer = crk_read_options_create_at(&settings, snapshot?.pointer, time)!
        } else {
            unsafe pointer = crk_read_options_create(&settings, snapshot?.pointer)!
        }
        self.snapshot = snapshot
    }

    deinit { unsafe crk_read_options_free(pointer) }
}

// Immutable after init.
extension ReadOptionsHandle: @unchecked Sendable {}
