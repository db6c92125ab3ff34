import CairnCore

extension ObjectStore {
    /// Same as ``read(_:)``, on a separate thread. The objects stay there; the result of `body` is sent back.
    ///
    /// - Throws: Same as ``read(_:)``.
    public func readInBackground<Value: Sendable>(_ body: @escaping @Sendable (ObjectContext) throws -> Value) async throws -> Value {
        try await CairnCore.offPool { () throws(any Error) in try self.read(body) }.get()
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
