import CairnCore

extension ObjectStore {
    /// Runs `body` with a new context, and saves its changes. If `body` throws, nothing is saved.
    ///
    /// ```swift
    /// try store.write(attempts: 100) { context in
    ///     try context.first(Song.self, where: \.title == "Walking on Sunshine")?.seconds += 1
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - conflictPolicy: What to do when saving if another context has saved the same object since `body` began.
    ///   - attempts: How many times to try, each time with a new context, if saving throws `conflict`.
    ///   - body: Called once for each attempt. It should do nothing but work on the context.
    /// - Throws: Any error that `body` throws; same as ``ObjectContext/save()``, for the last attempt.
    public func write<Value>(
        conflictPolicy: ConflictPolicy = .fail,
        attempts: Int = 1,
        _ body: (ObjectContext) throws -> Value
    ) throws -> Value {
        var left = attempts
        while true {
            left -= 1
            let context = try makeContext(ObjectContextOptions(isObserved: false, conflictPolicy: conflictPolicy))
            defer { context.close() }
            let value = try body(context)
            do throws(ObjectStoreError) {
                try context.save()
                return value
            } catch {
                guard left > 0, error.code == .conflict else { throw error }
            }
        }
    }

    /// Same as ``write(conflictPolicy:attempts:_:)``, on a separate thread. Cancelling the task does not end it.
    ///
    /// - Throws: Same as ``write(conflictPolicy:attempts:_:)``.
    public func writeInBackground<Value: Sendable>(
        conflictPolicy: ConflictPolicy = .fail,
        attempts: Int = 1,
        _ body: @escaping @Sendable (ObjectContext) throws -> Value
    ) async throws -> Value {
        try await CairnCore.offPool { () throws(any Error) in
            try self.write(conflictPolicy: conflictPolicy, attempts: attempts, body)
        }.get()
    }
}
