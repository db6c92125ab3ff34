import CairnCore

// What is decided when a database is opened and recovered. None of these change on a live database.
extension DatabaseOptions {
    /// Whether opening makes the database if the directory holds none; its parent must exist. Default: false.
    public var createIfMissing: Bool {
        get { self["create_if_missing"] }
        set { self["create_if_missing"] = newValue }
    }
    /// Whether opening makes column families that are named but do not exist. Default: false.
    public var createMissingColumnFamilies: Bool {
        get { self["create_missing_column_families"] }
        set { self["create_missing_column_families"] = newValue }
    }
    /// Whether opening fails if the database exists. Default: false.
    public var errorIfExists: Bool {
        get { self["error_if_exists"] }
        set { self["error_if_exists"] = newValue }
    }
    /// Whether damage found while opening or in background work stops the database instead of being passed over. Default: true.
    public var paranoidChecks: Bool {
        get { self["paranoid_checks"] }
        set { self["paranoid_checks"] = newValue }
    }
    /// What opening does about a damaged write-ahead log. Default: ``WALRecoveryMode/tolerateCorruptedTail``, unlike RocksDB.
    public var walRecoveryMode: WALRecoveryMode {
        get { self["wal_recovery_mode"] }
        set { self["wal_recovery_mode"] = newValue }
    }
}

/// What opening does about a damaged write-ahead log; RocksDB's `WALRecoveryMode`.
public struct WALRecoveryMode: OptionChoice {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An incomplete last record, as a killed process leaves it, is dropped; any other damage throws and nothing is touched. Cairn's default.
    public static let tolerateCorruptedTail = WALRecoveryMode(rawValue: "kTolerateCorruptedTailRecords")
    /// Any damage throws, an incomplete last record included.
    public static let absoluteConsistency = WALRecoveryMode(rawValue: "kAbsoluteConsistency")
    /// Opens with everything before the first damage and silently drops all behind it. RocksDB's default.
    public static let pointInTime = WALRecoveryMode(rawValue: "kPointInTimeRecovery")
    /// Opens with every record that can be read, in whatever state that leaves the data: to save what can be saved.
    public static let skipAnyCorrupted = WALRecoveryMode(rawValue: "kSkipAnyCorruptedRecords")
}
