import CRocks
import CairnCore

extension RocksDB {
    /// Changes options of the open database: those that `options` sets, by typed property or by name.
    ///
    /// ```swift
    /// try db.change { $0.maxBackgroundJobs = 8 }
    /// ```
    ///
    /// - Throws: ``RocksError/Code/invalidOption``, with nothing changed, if one of them is unknown, cannot change on an open database, or does
    ///   not take the value. Each option's comment says whether it changes on a live database.
    public func change(_ set: (inout DatabaseOptions) -> Void) throws(RocksError) {
        var options = DatabaseOptions()
        options.settings = [:]
        set(&options)
        let status = unsafe try options.withShimSettings { unsafe crk_change_db_options(handle.pointer, $0, $1) }
        try status.checkOptions("changing options \(options.settings.keys.sorted()) of '\(path)'")
    }
}

extension RocksStore {
    /// As ``RocksDB/change(_:)``, for options of the column family.
    public func changeColumnFamily(_ set: (inout ColumnFamilyOptions) -> Void) throws(RocksError) {
        var options = ColumnFamilyOptions()
        set(&options)
        let family = columnFamily.handle
        let status = unsafe try options.withShimSettings { unsafe crk_change_cf_options(family.pointer, $0, $1) }
        try status.checkOptions(family.attempt("changing options \(options.settings.keys.sorted()) of"))
    }
}

extension crk_status {
    /// As `check`; what RocksDB does not find, support or like is an option.
    fileprivate func checkOptions(_ attempt: @autoclosure () -> String) throws(RocksError) {
        guard !isOK else { return }
        let refused = [CRK_NOT_FOUND, CRK_NOT_SUPPORTED, CRK_INVALID_ARGUMENT].map { UInt8($0.rawValue) }
        throw error(attempt(), code: refused.contains(code) ? .invalidOption : nil)
    }
}
