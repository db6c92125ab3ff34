import CairnCore
import Synchronization

extension ObjectStore {
    /// Runs `body` with a new context, and saves its changes, as if nobody else had used the store in the meantime (serializable isolation). If `body`
    /// throws, nothing is saved.
    ///
    /// ```swift
    /// try store.write { context in
    ///     try context.first(Song.self, where: \.title == "Walking on Sunshine")?.seconds += 1
    /// }
    /// ```
    ///
    /// The context sees the store as it was when `body` began. If others have meanwhile saved changes to anything that `body` has read (objects, the
    /// results of queries, or the absence of objects), nothing is saved, and `body` runs again with a new context. Objects are read 32 at a time, so
    /// changes to their neighbours count too. The same happens if the engine discards that state before `body` ends, which only engines with a
    /// `maximumViewAge` do. A `body` that changes nothing runs once. What `body` saves by itself stays saved, so `body` does not run again
    /// after that.
    ///
    /// - Parameters:
    ///   - attempts: How often `body` may run before `conflict` is thrown; numbers below 1 count as 1.
    ///   - body: Must only work on the context, because it may run several times.
    /// - Throws: Any error that `body` throws; same as ``ObjectContext/save()``, for the last attempt.
    public func write<Value>(attempts: Int = 100, _ body: (ObjectContext) throws -> Value) throws -> Value {
        try attempt(attempts, body) { () throws(ObjectStoreError) in
            if !isReadOnly { engine.prepareForCommits() }
            return try makePinnedContext(isSerializable: true)
        }
    }

    /// Runs `body` with a new context, and saves its changes. Only the changed objects are compared with what others have saved since. If `body` throws,
    /// nothing is saved.
    ///
    /// Queries in `body` see what others save in the meantime, and what `body` has read but not changed may have changed by the time it is saved. Use this
    /// for changes that do not depend on other objects, where running `body` again costs too much, and for ``ConflictPolicy/merge``.
    ///
    /// - Parameters:
    ///   - conflictPolicy: What to do when saving if others have saved the same object since it was read here.
    ///   - attempts: How often `body` may run, each time with a new context, before `conflict` is thrown; numbers below 1 count as 1.
    ///   - body: Must only work on the context, because it may run several times.
    /// - Throws: Any error that `body` throws; same as ``ObjectContext/save()``, for the last attempt.
    public func write<Value>(
        conflictPolicy: ConflictPolicy,
        attempts: Int = 1,
        _ body: (ObjectContext) throws -> Value
    ) throws -> Value {
        try attempt(attempts, body) { () throws(ObjectStoreError) in
            try makeContext(ObjectContextOptions(isObserved: false, conflictPolicy: conflictPolicy))
        }
    }

    private func attempt<Value>(
        _ attempts: Int,
        _ body: (ObjectContext) throws -> Value,
        with makeContext: () throws(ObjectStoreError) -> ObjectContext
    ) throws -> Value {
        var left = max(1, attempts)
        while true {
            left -= 1
            let context = try makeContext()
            defer { context.close() }
            do {
                let value = try body(context)
                try context.throwUnread()
                context.endsWithSave = true
                context.isRepeatedAfterConflict = left > 0 && !context.hasSaved && !context.hasUnknownSave
                try context.save()
                return value
            } catch let error as ObjectStoreError {
                // What `body` saved by itself would be done twice, and so might a save with an unknown outcome.
                guard left > 0, !context.hasSaved, !context.hasUnknownSave else { throw error }
                // An expired state is too old for all that `body` does; other errors that it throws are its own.
                guard error.code == .expired || error.code == .conflict && context.endsWithSave else { throw error }
                counts.retries.wrappingAdd(1, ordering: .relaxed)
            }
        }
    }

    /// Same as ``write(attempts:_:)``, on a separate thread.
    ///
    /// Cancelling the task does not stop `body`. On an engine over a network, what it reads then throws ``ObjectStoreError/Code/cancelled`` unless the server answers
    /// at once, and so does its save, which writes nothing then; a save that was sent is waited for.
    ///
    /// - Throws: Same as ``write(attempts:_:)``; ``ObjectStoreError/Code/cancelled``.
    public func writeInBackground<Value: Sendable>(
        attempts: Int = 100,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await CairnCore.offPool { () throws(any Error) in try self.write(attempts: attempts, body) }.get()
    }

    /// Same as ``write(conflictPolicy:attempts:_:)``, on a separate thread.
    ///
    /// Cancelling the task does not stop `body`. On an engine over a network, what it reads then throws ``ObjectStoreError/Code/cancelled`` unless the server answers
    /// at once, and so does its save, which writes nothing then; a save that was sent is waited for.
    ///
    /// - Throws: Same as ``write(conflictPolicy:attempts:_:)``; ``ObjectStoreError/Code/cancelled``.
    public func writeInBackground<Value: Sendable>(
        conflictPolicy: ConflictPolicy,
        attempts: Int = 1,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await CairnCore.offPool { () throws(any Error) in
            try self.write(conflictPolicy: conflictPolicy, attempts: attempts, body)
        }.get()
    }
}
