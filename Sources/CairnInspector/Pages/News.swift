import CairnCore
import CairnGraph
import CairnMapped
import CairnRocks
import CairnToolKit

// What changes in a store while the page is open.

extension StorePages {
    /// Nothing, by default.
    func news() -> AsyncStream<JSONValue> { AsyncStream { _ in } }

    /// What `body` yields, until the reader of the stream has enough.
    fileprivate func stream(_ body: @escaping @Sendable (AsyncStream<JSONValue>.Continuation) async throws -> Void) -> AsyncStream<
        JSONValue
    > {
        let (stream, continuation) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(100))
        let task = Task(executorPreference: ServerThread.shared) {
            try? await body(continuation)
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

extension ObjectPages {
    /// The commits, with the identities of the first objects in them.
    func news() -> AsyncStream<JSONValue> {
        let commits = store.commits()
        return stream { continuation in
            for await commit in commits {
                func ids(_ ids: [ObjectID]) -> JSONValue { .array(ids.prefix(200).map { .string("\($0)") }) }
                continuation.yield(
                    .object([
                        ("inserted", ids(commit.inserted)), ("updated", ids(commit.updated)), ("deleted", ids(commit.deleted)),
                        ("inserted_count", Shown.count(commit.inserted.count)), ("updated_count", Shown.count(commit.updated.count)),
                        ("deleted_count", Shown.count(commit.deleted.count)), ("everything", .bool(commit.isEverything)),
                    ])
                )
            }
        }
    }
}

extension MappedPages {
    func news() -> AsyncStream<JSONValue> {
        guard let changes = try? store.changes() else { return AsyncStream { $0.finish() } }
        return stream { continuation in
            for try await change in changes {
                let keys: [JSONValue] = change.key.map { [KeyName($0).text] } ?? []
                continuation.yield(.object([("keys", .array(keys)), ("everything", .bool(change.key == nil))]))
            }
        }
    }
}

extension RocksPages {
    /// The sequence number, whenever it has changed: checked every second, since RocksDB does not report writes.
    func news() -> AsyncStream<JSONValue> {
        let database = database
        return stream { continuation in
            var last = try database.latestSequenceNumber()
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                let number = try database.latestSequenceNumber()
                if number != last { continuation.yield(.object([("sequence", .unsigned(number))])) }
                last = number
            }
        }
    }
}
