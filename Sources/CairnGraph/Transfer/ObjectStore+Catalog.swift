extension ObjectStore {
    /// Opens a store in an engine, with the classes of a catalog instead of Swift classes: for tools.
    ///
    /// Classes that the store already has are not changed.
    ///
    /// - Throws: Same as ``init(engine:classes:options:name:)``; `schemaMismatch` for an invalid catalog.
    public convenience init(
        engine: any StorageEngine,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions = ObjectStoreOptions(),
        name: String? = nil
    ) throws(ObjectStoreError) {
        try catalog.check()
        try self.init(engine, [], adding: catalog.classes.map(\.entry), options, name, identity: nil)
    }
}

extension ObjectCatalog {
    /// Throws for a catalog that no store can have.
    package func check() throws(ObjectStoreError) { for stored in classes { try stored.check() } }
}

extension ObjectCatalog.Class {
    fileprivate func check() throws(ObjectStoreError) {
        func refuse(_ what: String) -> ObjectStoreError { ObjectStoreError(.schemaMismatch, "the class \(name) cannot be added: \(what)") }
        guard !name.isEmpty else { throw refuse("it has no name") }
        guard properties.count < Int(UInt16.max), indexes.count < Int(UInt16.max) else { throw refuse("it has too many properties") }
        for property in properties where property.relationship == nil && property.type == nil {
            throw refuse("its property \(property.name) has the type \"\(property.typeText)\", which does not exist")
        }
        let names = properties.filter { !$0.isGone }.map(\.name)
        guard Set(names).count == names.count else { throw refuse("two of its properties have the same name") }
        for index in indexes {
            guard !index.properties.isEmpty, Set(index.properties).isSubset(of: names) else {
                throw refuse("it has an index on a property that does not exist")
            }
        }
    }
}
