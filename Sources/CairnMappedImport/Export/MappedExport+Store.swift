public import CairnCDB
public import CairnCore
public import CairnMapped

extension MappedExport {
    /// Writes all values of a store as JSON to a file, as ``json(_:to:durability:mode:)`` does; ``MappedImport/json(path:)`` reads it.
    ///
    /// Damaged values are left out. The file gets the permissions of the store's file.
    ///
    /// - Returns: What was left out.
    /// - Throws: Same as ``json(_:to:durability:mode:)``, and as `MappedStore.count`.
    /// - Complexity: O(n log n); holds all values in memory.
    @discardableResult
    public static func json(
        _ store: MappedStore,
        to path: String,
        durability: Durability = .synced
    ) throws(MappedStoreError) -> MappedOmissions {
        let (entries, omissions) = try store.intactEntries()
        try json(entries, to: path, durability: durability, mode: store.fileMode())
        return omissions
    }

    /// Writes all values of a store as a constant database, as ``cdb(_:to:values:dialect:durability:mode:)`` does.
    ///
    /// Damaged values are left out. The file gets the permissions of the store's file.
    ///
    /// - Returns: What was left out.
    /// - Throws: Same as ``cdb(_:to:values:dialect:durability:mode:)``, and as `MappedStore.count`.
    /// - Complexity: O(n log n); holds all values in memory.
    @discardableResult
    public static func cdb(
        _ store: MappedStore,
        to path: String,
        values: CDBValues = .typed,
        dialect: CDBDialect = .standard,
        durability: Durability = .synced
    ) throws(MappedStoreError) -> MappedOmissions {
        let (entries, omissions) = try store.intactEntries()
        try cdb(entries, to: path, values: values, dialect: dialect, durability: durability, mode: store.fileMode())
        return omissions
    }
}
