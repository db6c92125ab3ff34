import CRocks
public import CairnCore

/// Options of a whole database; RocksDB's `DBOptions`.
///
/// ```swift
/// var options = DatabaseOptions(createIfMissing: true)
/// options.memoryBudget = .mebibytes(256)
/// options.maxBackgroundJobs = 4
/// ```
///
/// ``NamedOptions`` tells how to set an option by name.
public struct DatabaseOptions: NamedOptions {
    public var settings: [String: String] = [:]

    /// One limit for block caches and memtables together: half for each, index and filter blocks counted in.
    ///
    /// Blocks in use can exceed it for moments. `nil` leaves RocksDB's defaults: a small cache per column family, and memtables of 64 MiB
    /// each without a common limit. Default: nil. Cannot change on a live database.
    public var memoryBudget: ByteCount?

    /// Where the database counts what it does. May be shared by several databases. Default: nil, nothing is counted.
    public var statistics: Statistics?

    /// RocksDB's defaults, but for ``walRecoveryMode`` and `enforce_single_del_contracts`, which is false: else a key that was deleted in two
    /// ways keeps the database from writing files, and from being opened again.
    public init(createIfMissing: Bool = false) {
        if createIfMissing { self.createIfMissing = true }
        walRecoveryMode = .tolerateCorruptedTail
        if Self.defaults["enforce_single_del_contracts"] != nil { self["enforce_single_del_contracts"] = false }
    }

    public static let defaults: [String: String] = {
        guard let options = unsafe crk_db_options_create() else { return [:] }
        defer { unsafe crk_db_options_free(options) }
        let (status, pairs) = unsafe PairCollector.collect { unsafe crk_db_options_list(options, $0, $1) }
        crk_status_free(status)
        return pairs
    }()

    /// For phones and small machines: one file open at a time for long, few threads, 16 MiB of memory in all.
    public static var small: DatabaseOptions {
        var options = DatabaseOptions()
        options.memoryBudget = .mebibytes(16)
        options.maxOpenFiles = 500
        options.maxBackgroundJobs = 1
        options.keepLogFileCount = 2
        return options
    }

    /// For a server that lives on this database: as many background jobs as given, files written out in steps of 1 MiB.
    public static func server(memoryBudget: ByteCount, backgroundJobs: Int = 4) -> DatabaseOptions {
        var options = DatabaseOptions()
        options.memoryBudget = memoryBudget
        options.maxBackgroundJobs = backgroundJobs
        options.bytesPerSync = .mebibytes(1)
        return options
    }
}
