import CRocks
import CairnCore
import Synchronization

extension RocksDB {
    /// The column families that are open, sorted by name; `default` is always among them.
    public var columnFamilyNames: [String] { families.withLock { $0.keys.sorted() } }

    /// The column family of that name.
    ///
    /// - Throws: ``RocksError/Code/columnFamilyNotFound`` if the database has none of that name.
    public func columnFamily(_ name: String) throws(RocksError) -> ColumnFamily {
        guard let family = openFamily(name) else {
            throw RocksError(.columnFamilyNotFound, "'\(path)' has no column family '\(name)'; make it with createColumnFamily")
        }
        return family
    }

    /// Makes a new, empty column family; it is there when the call returns, also after a power cut.
    ///
    /// - Throws: ``RocksError/Code/invalidArgument`` if one of that name exists, ``RocksError/Code/invalidOption``,
    ///   ``RocksError/Code/notSupported`` on a read-only database.
    @discardableResult
    public func createColumnFamily(_ name: String, options: ColumnFamilyOptions = ColumnFamilyOptions()) throws(RocksError) -> ColumnFamily
    {
        try changingFamilies.withLock { (_) throws(RocksError) in try create(name, options) }
    }

    /// The column family of that name, made if it does not exist yet.
    ///
    /// - Parameters:
    ///   - name: The column family.
    ///   - options: What it is made with. Where it is open already, they must be the ones it was opened or made with, as far as settings and
    ///     the names of comparator and merge operator go, or the default ones, which stand for any.
    /// - Throws: ``RocksError/Code/invalidArgument`` if it was opened with other options: name it with `options` in `columnFamilies` when
    ///   opening the database. Else as ``createColumnFamily(_:options:)``.
    public func columnFamily(_ name: String, createdWith options: ColumnFamilyOptions) throws(RocksError) -> ColumnFamily {
        if let family = openFamily(name) { return try checked(family, options) }
        return try changingFamilies.withLock { (_) throws(RocksError) in
            // Another thread may have been first.
            if let family = openFamily(name) { return try checked(family, options) }
            return try create(name, options)
        }
    }

    /// Refuses a column family that was opened with other options than those wanted.
    func checked(_ family: ColumnFamily, _ wanted: ColumnFamilyOptions) throws(RocksError) -> ColumnFamily {
        guard let difference = wanted.difference(from: family.options) else { return family }
        throw RocksError(
            .invalidArgument,
            "column family '\(family.name)' of '\(path)' is open with other options than those given (\(difference)); name it in "
                + "`columnFamilies:` when opening the database"
        )
    }

    private func openFamily(_ name: String) -> ColumnFamily? { families.withLock { $0[name] } }

    private func create(_ name: String, _ options: ColumnFamilyOptions) throws(RocksError) -> ColumnFamily {
        try checkColumnFamilyName(name)
        let optionsHandle = try ColumnFamilyOptionsHandle(options, sharedCache: sharedCache)
        var pointer: OpaquePointer?
        try unsafe crk_create_column_family(handle.pointer, name, optionsHandle.pointer, &pointer)
            .check("creating column family '\(name)' of '\(path)'")
        return unsafe register(pointer!, name: name, options: options)
    }

    /// Takes over a column family that the shim has just made. With ``changingFamilies`` locked.
    func register(_ pointer: OpaquePointer, name: String, options: ColumnFamilyOptions) -> ColumnFamily {
        let familyHandle = unsafe ColumnFamilyHandle(pointer: pointer, name: name, database: handle, options: options)
        let family = ColumnFamily(handle: familyHandle, like: defaultColumnFamily)
        families.withLock { $0[name] = family }
        return family
    }

    /// Removes a column family with all its data, at once and for good.
    ///
    /// ``ColumnFamily`` objects that refer to it throw ``RocksError/Code/columnFamilyDropped`` from then on; cursors made before go on reading
    /// what they see. Its files are deleted once nothing refers to it.
    ///
    /// - Throws: ``RocksError/Code/columnFamilyNotFound``; ``RocksError/Code/invalidArgument`` for `default`, which cannot be dropped;
    ///   ``RocksError/Code/notSupported`` on a read-only database.
    public func dropColumnFamily(_ name: String) throws(RocksError) {
        try changingFamilies.withLock { (_) throws(RocksError) in
            let family = try columnFamily(name)
            try unsafe crk_drop_column_family(family.handle.pointer).check(family.handle.attempt("dropping"))
            _ = families.withLock { $0.removeValue(forKey: name) }
        }
    }
}
