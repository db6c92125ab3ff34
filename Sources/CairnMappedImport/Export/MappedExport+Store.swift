public import CairnCDB
public import CairnCore
public import CairnMapped

extension MappedExport {
    /// Writes all values of a store as JSON to a file, as ``json(_:to:durability:)`` does; ``MappedImport/json(path:)`` reads it.
    ///
    /// Damaged values are left out; `MappedStore.verify(progress:)` lists them.
    ///
    /// - Throws: As there, and as `MappedStore.entries()`.
    /// - Complexity: O(n log n); holds all values in memory.
    public static func json(
        _ store: MappedStore,
        to path: String,
        durability: Durability = .synced
    ) throws(MappedStoreError) {
        try json(store.entries(), to: path, durability: durability)
    }

    /// Writes all values of a store as a constant database, as ``cdb(_:to:values:dialect:durability:)`` does.
    ///
    /// Damaged values are left out; `MappedStore.verify(progress:)` lists them.
    ///
    /// - Throws: As there, and as `MappedStore.entries()`.
    /// - Complexity: O(n log n); holds all values in memory.
    public static func cdb(
        _ store: MappedStore,
        to path: String,
        values: CDBValues = .typed,
        dialect: CDBDialect = .standard,
        durability: Durability = .synced
    ) throws(MappedStoreError) {
        try cdb(store.entries(), to: path, values: values, dialect: dialect, durability: durability)
    }
}
