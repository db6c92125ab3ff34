import CairnCore

extension ObjectStore {
    /// As ``read(_:)``, on a thread outside of those that tasks share. The objects stay there; what `body` returns is sent.
    ///
    /// - Throws: As ``read(_:)``.
    public func readInBackground<Value: Sendable>(_ body: @escaping @Sendable (ObjectContext) throws -> Value) async throws -> Value {
        try await CairnCore.offPool { () throws(any Error) in try self.read(body) }.get()
    }

    /// As ``write(conflictPolicy:attempts:_:)``, on a thread outside of those that tasks share. Cancelling the task does not end it.
    ///
    /// - Throws: As ``write(conflictPolicy:attempts:_:)``.
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
