import Dispatch

extension ObjectStore {
    /// As ``read(_:)``, on a thread outside of those that tasks share. The objects stay there; what `body` returns is sent.
    public func readInBackground<Value: Sendable>(_ body: @escaping @Sendable (ObjectContext) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.read(body) }) }
        }
    }

    /// As ``write(_:)``, on a thread outside of those that tasks share.
    public func writeInBackground<Value: Sendable>(_ body: @escaping @Sendable (ObjectContext) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.write(body) }) }
        }
    }
}
