extension ObjectStore {
    /// Opens a store in a directory, and makes it where there is none.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - classes: The classes to work with, in any order. The store may hold others, which are left alone.
    ///   - options: How it is opened.
    /// - Throws: ``ObjectStoreError``: `locked` where it is open already, `foreignStore`, `unsupportedVersion`, `schemaMismatch` where a class does
    ///   not go with what is stored, `keyNeeded`, `wrongKey`, `changeUnfinished`, `notFound`, `readOnly`, `corruption`, `noSpace`, `ioError`.
    public convenience init(
        path: String,
        classes: [any StoredObject.Type],
        options: ObjectStoreOptions = ObjectStoreOptions()
    ) throws(ObjectStoreError) {
        let engine = try Self.makeEngine(path, options)
        do throws(ObjectStoreError) {
            try self.init(engine: engine, classes: classes, options: options, name: path)
        } catch {
            try? engine.close()
            throw error
        }
    }
}
