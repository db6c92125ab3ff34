import CairnCore

extension ObjectStore {
    /// Makes a context to work in. It belongs to the caller.
    ///
    /// - Throws: ``ObjectStoreError/Code/closed``.
    public func makeContext(_ options: ObjectContextOptions = ObjectContextOptions()) throws(ObjectStoreError) -> ObjectContext {
        try contextBegins()
        if !isReadOnly { engine.prepareForCommits() }
        return ObjectContext(self, options)
    }

    /// Runs `body` with a context that sees the store as it is now, whatever is saved meanwhile. Changes are not saved.
    ///
    /// The context is closed when `body` returns. Return values, or identities (``StoredObject/objectID``), rather than objects: properties that were
    /// not read by then read as substitutes, without an error; see <doc:Contexts>.
    ///
    /// - Throws: Any error that `body` throws; ``ObjectStoreError/Code/closed``; ``ObjectStoreError/Code/expired`` or ``ObjectStoreError/Code/unavailable`` if the
    ///   engine could not read everything that `body` used.
    public func read<Value>(_ body: (ObjectContext) throws -> Value) throws -> Value {
        let context = try makePinnedContext(isSerializable: false)
        defer { context.close() }
        let value = try body(context)
        try context.throwUnread()
        return value
    }

    /// Makes a context that sees the store as it is now, and can save only if what it reads is noted.
    func makePinnedContext(isSerializable: Bool) throws(ObjectStoreError) -> ObjectContext {
        try contextBegins()
        do throws(ObjectStoreError) {
            let view = try StoreView(engine, notesReads: isSerializable)
            // Not noted: the save depends on the classes as they are then.
            try catalogCheck.check(StoreView(view.engineView), self)
            return ObjectContext(self, ObjectContextOptions(isObserved: false), pinned: view, isSerializable: isSerializable)
        } catch {
            contextEnded()
            throw error
        }
    }

    /// Same as ``read(_:)``, on a separate thread. The objects stay there; the result of `body` is sent back.
    ///
    /// Cancelling the task does not stop `body`, but on an engine over a network, what it reads then throws ``ObjectStoreError/Code/cancelled`` unless the server
    /// answers at once.
    ///
    /// - Throws: Same as ``read(_:)``; ``ObjectStoreError/Code/cancelled``.
    public func readInBackground<Value: Sendable>(_ body: @escaping @Sendable (ObjectContext) throws -> Value) async throws -> Value {
        try await CairnCore.offPool { () throws(any Error) in try self.read(body) }.get()
    }
}
