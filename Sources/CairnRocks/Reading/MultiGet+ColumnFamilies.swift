import CRocks
public import CairnCore

extension RocksDB {
    /// Returns the values for keys of several column families, in the order of the keys, with `nil` for each missing key. All are read as
    /// of the same moment.
    ///
    /// ```swift
    /// let values = try db.multiGet([(songs, "katrina"), (albums, "katrina"), (songs, "bowie")])
    /// ```
    ///
    /// - Throws: Same as ``RocksReader/get(_:options:)``, for the first key that fails; ``RocksError/Code/invalidArgument`` for a column family of
    ///   another database; ``RocksError/Code/columnFamilyDropped``; ``RocksError/Code/notSupported`` for one that keeps its history.
    public func multiGet<Key: ByteSource>(
        _ keys: [(columnFamily: ColumnFamily, key: Key)],
        options: ReadOptions? = nil
    ) throws(RocksError) -> [[UInt8]?] {
        try handle.multiGet(keys, options: defaultColumnFamily.prepared(options))
    }
}

extension Snapshot {
    /// Returns the values for keys of several column families as of the snapshot's moment. See the method of ``RocksDB``.
    public func multiGet<Key: ByteSource>(
        _ keys: [(columnFamily: ColumnFamily, key: Key)],
        options: ReadOptions? = nil
    ) throws(RocksError) -> [[UInt8]?] {
        try handle.database.multiGet(keys, options: prepared(options))
    }
}

extension DatabaseHandle {
    fileprivate func multiGet<Key: ByteSource>(
        _ keys: [(columnFamily: ColumnFamily, key: Key)],
        options: ReadOptionsHandle
    ) throws(RocksError) -> [[UInt8]?] {
        for (family, _) in keys where family.handle.database !== self {
            throw RocksError(.invalidArgument, family.handle.attempt("reading from") + ": it belongs to a database other than '\(path)'")
        }
        defer { extendLifetime(keys) }
        let families: [OpaquePointer?] = unsafe keys.map { unsafe $0.columnFamily.handle.pointer }
        var values: [[UInt8]?] = []
        unsafe try lendMany(KeyList(keys.lazy.map(\.key)), attempt: "reading \(keys.count) keys from '\(path)'") { _, bytes in
            if let bytes { values.append([UInt8](copying: bytes)) } else { values.append(nil) }
        } read: { keys, found, lent in
            unsafe crk_multi_get_families(pointer, families, options.pointer, keys.count, keys.baseAddress, found, &lent)
        }
        return values
    }
}
