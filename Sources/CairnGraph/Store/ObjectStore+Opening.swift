import CairnCore

extension ObjectStore {
    /// For products with an engine: opens a store in the engine that `open` returns, and closes it if that fails.
    package convenience init(
        opening open: @autoclosure () throws(ObjectStoreError) -> any StorageEngine,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions,
        name: String
    ) throws(ObjectStoreError) {
        let engine = try open()
        do throws(ObjectStoreError) {
            try self.init(engine: engine, classes: classes, options: options, name: name)
        } catch {
            try? engine.close()
            throw error
        }
    }

    /// Same, with the classes of a catalog, which is checked first.
    package convenience init(
        opening open: @autoclosure () throws(ObjectStoreError) -> any StorageEngine,
        catalog: ObjectCatalog,
        options: ObjectStoreOptions,
        name: String
    ) throws(ObjectStoreError) {
        try catalog.check()
        let engine = try open()
        do throws(ObjectStoreError) {
            try self.init(engine: engine, catalog: catalog, options: options, name: name)
        } catch {
            try? engine.close()
            throw error
        }
    }
}
