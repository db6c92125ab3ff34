public import CairnCore

/// A commit of a ``StorageEngine``, as reported to its followers.
public struct EngineChange: Sendable {
    /// The version made by the commit. Views of this version or a later one see it.
    public let version: EngineVersion
    /// Whether anything may have changed, in one or several commits up to ``version``; keys and ranges are then unknown.
    public let isEverything: Bool
    /// The keys put or deleted; sorted, without duplicates.
    public let keys: KeyList
    /// The ranges deleted before the keys were written; sorted, not overlapping.
    public let deletedRanges: [KeyRange]

    /// Makes a change that deleted `deletedRanges`, sorted and not overlapping, and then wrote `keys`, sorted and without duplicates.
    public init(version: EngineVersion, keys: KeyList, deletedRanges: [KeyRange] = []) {
        self.version = version
        self.keys = keys
        self.deletedRanges = deletedRanges
        isEverything = false
    }

    /// Makes a change for commits up to `version` with unknown content.
    public init(everythingUpTo version: EngineVersion) {
        self.version = version
        keys = KeyList()
        deletedRanges = []
        isEverything = true
    }

    /// Whether `key` may have been written.
    ///
    /// - Complexity: O(log n).
    public func touches(_ key: some ByteSource & ~Escapable) -> Bool {
        if isEverything { return true }
        return key.withBytes { key in
            let index = keys.firstIndex(notBefore: key)
            if index < keys.count, keys[index].hasSameBytes(as: key) { return true }
            return deletedRanges.contains { $0.contains(key) }
        }
    }

    /// Whether a key of `range` may have been written.
    ///
    /// - Complexity: O(log n) in the keys, O(n) in the ranges.
    public func touches(_ range: KeyRange) -> Bool {
        if range.isEmpty { return false }
        if isEverything { return true }
        let index = unsafe keys.firstIndex(notBefore: range.lowerBound.span.bytes)
        if index < keys.count, range.contains(keys[index]) { return true }
        return deletedRanges.contains { $0.overlaps(range) }
    }
}

/// The commits of a ``StorageEngine``, as they happen; see ``StorageEngine/changes(after:)``.
///
/// Each iterator visits all commits independently. Iterators do not keep the engine open.
public struct EngineChanges: AsyncSequence, Sendable {
    public typealias Element = EngineChange
    public typealias Failure = EngineError

    private let start: EngineVersion
    private let following: @Sendable (EngineVersion) async throws(EngineError) -> EngineChange?

    /// For engines: makes a sequence of the commits after `start`. `following` returns the commit after the given version.
    ///
    /// `following` waits for the next commit, and returns `nil` once the engine is closed and there are no more, or the task is cancelled.
    public init(
        after start: EngineVersion,
        following: @escaping @Sendable (EngineVersion) async throws(EngineError) -> EngineChange?
    ) {
        self.start = start
        self.following = following
    }

    /// The same commits, each as `report` describes it, with the same version.
    package func reporting(_ report: @escaping @Sendable (EngineChange) -> EngineChange) -> EngineChanges {
        let following = following
        return EngineChanges(after: start) { version async throws(EngineError) in try await following(version).map(report) }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(version: start, following: following) }

    /// Waits for commits.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// The version that the iterator has reached; a new sequence after it continues from there.
        public private(set) var version: EngineVersion
        let following: @Sendable (EngineVersion) async throws(EngineError) -> EngineChange?

        /// Returns the next commit, or `nil` once the engine is closed or the task is cancelled.
        public mutating func next() async throws(EngineError) -> EngineChange? { try await next(isolation: nil) }

        /// Same as ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(EngineError) -> EngineChange? {
            let change = try await following(version)
            if let change { version = change.version }
            return change
        }
    }
}
