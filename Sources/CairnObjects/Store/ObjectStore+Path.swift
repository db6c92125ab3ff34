extension ObjectStore {
    /// Opens the store in a directory, creating it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - classes: The classes to work with, in any order. Other classes that the store contains are left alone.
    ///   - options: How to open it.
    /// - Throws: ``ObjectStoreError``: `locked` if it is already open, `foreignStore`, `unsupportedVersion`, `schemaMismatch` if a class does not match
    ///   what is stored, or has a property that needs a default, `keyNeeded`, `wrongKey`, `changeUnfinished`, `notFound`, `readOnly`, `corruption`, `noSpace`, `ioError`.
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
