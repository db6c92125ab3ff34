import CRocks
import CairnCore
import Synchronization

extension RocksDB {
    /// The names of the open column families, sorted. Always includes `default`.
    public var columnFamilyNames: [String] { families.withLock { $0.keys.sorted() } }

    /// Returns the column family with the given name.
    ///
    /// - Throws: ``RocksError/Code/columnFamilyNotFound`` if the database has no column family with that name.
    public func columnFamily(_ name: String) throws(RocksError) -> ColumnFamily {
        guard let family = openFamily(name) else {
            throw RocksError(.columnFamilyNotFound, "'\(path)' has no column family '\(name)'; create it with createColumnFamily")
        }
        return family
    }

    /// Creates a new, empty column family. Once the call returns, the column family survives even a power cut.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if a column family with that name exists, ``RocksError/Code/invalidOption``,
    ///   ``RocksError/Code/readOnly``.
    @discardableResult
    public func createColumnFamily(_ name: String, options: ColumnFamilyOptions = ColumnFamilyOptions()) throws(RocksError) -> ColumnFamily
    {
        try changingFamilies.withLock { (_) throws(RocksError) in try create(name, options) }
    }

    /// Returns the column family with the given name, creating it if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The name of the column family.
    ///   - options: The options to create it with. If it is already open, they must match the options it was opened or created with (the settings and
    ///     the names of the comparator and merge operator), or be the default options, which match any.
    /// - Throws: ``RocksError/Code/invalidArgument`` if it was opened with other options; to choose them, list it in `tables` or `columnFamilies`
    ///   when opening the database. Otherwise same as ``createColumnFamily(_:options:)``.
    public func columnFamily(_ name: String, createdWith options: ColumnFamilyOptions) throws(RocksError) -> ColumnFamily {
        if let family = openFamily(name) { return try checked(family, options) }
        return try changingFamilies.withLock { (_) throws(RocksError) in
            // Another thread may have been first.
            if let family = openFamily(name) { return try checked(family, options) }
            return try create(name, options)
        }
    }

    /// Throws if a column family was opened with options other than those wanted.
    func checked(_ family: ColumnFamily, _ wanted: ColumnFamilyOptions) throws(RocksError) -> ColumnFamily {
        guard let difference = wanted.difference(from: family.options) else { return family }
        throw RocksError(
            .invalidArgument,
            "column family '\(family.name)' of '\(path)' is open with options other than those given (\(difference)); declare it "
                + "in `tables:` or `columnFamilies:` when opening the database"
        )
    }

    func openFamily(_ name: String) -> ColumnFamily? { families.withLock { $0[name] } }

    private func create(_ name: String, _ options: ColumnFamilyOptions) throws(RocksError) -> ColumnFamily {
        try checkColumnFamilyName(name)
        let optionsHandle = try ColumnFamilyOptionsHandle(options, sharedCache: sharedCache)
        var pointer: OpaquePointer?
        try unsafe crk_create_column_family(handle.pointer, name, optionsHandle.pointer, &pointer)
            .check("creating column family '\(name)' of '\(path)'")
        return unsafe register(pointer!, name: name, options: options)
    }

    /// Takes ownership of a column family that the shim has just created. The caller holds ``changingFamilies``.
    func register(_ pointer: OpaquePointer, name: String, options: ColumnFamilyOptions) -> ColumnFamily {
        let familyHandle = unsafe ColumnFamilyHandle(pointer: pointer, name: name, database: handle, options: options)
        let family = ColumnFamily(handle: familyHandle, like: defaultColumnFamily)
        families.withLock { $0[name] = family }
        return family
    }

    /// Removes a column family and all its data, immediately and permanently.
    ///
    /// ``ColumnFamily`` objects that refer to it throw ``RocksError/Code/columnFamilyDropped`` from then on. Existing cursors keep reading the data
    /// they see. Its files are deleted once nothing refers to it.
    ///
    /// - Throws: ``RocksError/Code/columnFamilyNotFound``; ``RocksError/Code/invalidArgument`` for `default`, which cannot be dropped;
    ///   ``RocksError/Code/busy`` while a transaction has written to the column family or locked keys in it; ``RocksError/Code/readOnly``.
    public func dropColumnFamily(_ name: String) throws(RocksError) {
        try changingFamilies.withLock { (_) throws(RocksError) in
            let family = try columnFamily(name)
            try unsafe crk_drop_column_family(family.handle.pointer).check(family.handle.attempt("dropping"))
            _ = families.withLock { $0.removeValue(forKey: name) }
            handle.tableTypes?.forget(name)
        }
    }
}
