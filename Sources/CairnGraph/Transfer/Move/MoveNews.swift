import CairnCore

/// What is saved in the source of a move while it is copied.
struct MoveNews: Sendable {
    private let source: any StorageEngine
    private var task: Task<Collected, Never>

    /// What changed up to a version.
    struct Collected: Sendable {
        var version: EngineVersion
        var keys: Set<[UInt8]> = []
        var ranges: [KeyRange] = []
        var isEverything = false
        var error: EngineError?

        /// More keys than this are not remembered.
        static let mostKeys = 1_000_000

        mutating func note(_ change: EngineChange) {
            version = change.version
            if change.isEverything || keys.count > Self.mostKeys { isEverything = true }
            guard !isEverything else {
                (keys, ranges) = ([], [])
                return
            }
            ranges += change.deletedRanges
            for index in 0..<change.keys.count { keys.insert([UInt8](copying: change.keys[index])) }
        }
    }

    /// Begins to collect.
    init(_ source: any StorageEngine, after version: EngineVersion) {
        self.source = source
        task = Self.collect(source, after: version)
    }

    private static func collect(_ source: any StorageEngine, after version: EngineVersion) -> Task<Collected, Never> {
        Task.detached {
            var collected = Collected(version: version)
            do throws(EngineError) {
                var changes = try await Self.changes(of: source, after: version)
                while let change = try await changes.next() { collected.note(change) }
            } catch {
                // `take(upTo:)` continues where this has ended.
                if error.code != .cancelled { collected.error = error }
            }
            return collected
        }
    }

    /// Returns everything that a view sees and the one before did not, and begins again after it: changes that are newer than the view are returned too, and
    /// once more by the next call.
    mutating func take(upTo view: StoreView) async throws(ObjectStoreError) -> Collected {
        task.cancel()
        var collected = await task.value
        if let error = collected.error { throw ObjectStoreError(error) }
        do throws(EngineError) {
            var changes = try await Self.changes(of: source, after: collected.version)
            while collected.version < view.version {
                guard let change = try await changes.next() else {
                    throw EngineError(.cancelled, "the move was cancelled, or the engine of the source was closed")
                }
                collected.note(change)
            }
        } catch {
            throw ObjectStoreError(error)
        }
        task = Self.collect(source, after: min(collected.version, view.version))
        return collected
    }

    private static func changes(
        of source: any StorageEngine,
        after version: EngineVersion
    ) async throws(EngineError) -> EngineChanges.AsyncIterator {
        try await offPool { () throws(EngineError) in try source.changes(after: version).makeAsyncIterator() }.get()
    }

    func end() { task.cancel() }
}
