public import CairnCore

/// A commit of a ``StorageEngine``, as its followers see it.
public struct EngineChange: Sendable {
    /// The version that the commit made. Views of this version or a later one see it.
    public let version: EngineVersion
    /// Whether anything may have changed, be it in one commit or in several, up to ``version``; keys and ranges are not told then.
    public let isEverything: Bool
    /// The keys that were put or deleted; sorted, each once.
    public let keys: KeyList
    /// The ranges that were deleted, before the keys were written; sorted, not overlapping.
    public let deletedRanges: [KeyRange]

    /// A commit that wrote `keys`, sorted and each once, after it had deleted `deletedRanges`, sorted and not overlapping.
    public init(version: EngineVersion, keys: KeyList, deletedRanges: [KeyRange] = []) {
        self.version = version
        self.keys = keys
        self.deletedRanges = deletedRanges
        isEverything = false
    }

    /// Commits up to `version` of which no more is known.
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
/// Each iterator goes through all commits on its own. None of them keeps the engine open.
public struct EngineChanges: AsyncSequence, Sendable {
    public typealias Element = EngineChange
    public typealias Failure = EngineError

    private let start: EngineVersion
    private let following: @Sendable (EngineVersion) async throws(EngineError) -> EngineChange?

    /// For engines: the commits after `start`, each of which `following` returns when it is given the version before.
    ///
    /// `following` waits for the next commit; it returns `nil` once the engine is closed and there are no more, or the task cancelled.
    public init(
        after start: EngineVersion,
        following: @escaping @Sendable (EngineVersion) async throws(EngineError) -> EngineChange?
    ) {
        self.start = start
        self.following = following
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(version: start, following: following) }

    /// Waits for commits.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Up to where the iterator has come; a new sequence after it goes on there.
        public private(set) var version: EngineVersion
        let following: @Sendable (EngineVersion) async throws(EngineError) -> EngineChange?

        /// The next commit; `nil` once the engine is closed or the task cancelled.
        public mutating func next() async throws(EngineError) -> EngineChange? { try await next(isolation: nil) }

        /// As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(EngineError) -> EngineChange? {
            let change = try await following(version)
            if let change { version = change.version }
            return change
        }
    }
}
