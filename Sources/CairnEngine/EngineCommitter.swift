import Synchronization

/// The commits of a ``StorageEngine``: the part of ``StorageEngine/commit(_:durability:)`` that is the same for every local engine.
///
/// A commit is checked against the engine's limits, put in order, compared with what others have committed since its reads, written by the engine, and
/// reported to followers. Commits are serialized: a lock is held from the comparison until the commit is reported.
///
/// ```swift
/// final class MyEngine: StorageEngine {
///     private let committer = EngineCommitter(limits: EngineLimits(), version: EngineVersion(rawValue: 0), state: ())
///
///     func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
///         try committer.commit(commit, isOwn: { ($0 as? MyView)?.engine === self }) { () throws(EngineError) in
///             try makeMyView()
///         } write: { writes, now, _ throws(EngineError) in
///             try write(writes, over: now)              // returns the version that it made
///         }
///     }
///
///     var latestVersion: EngineVersion { committer.latestVersion }
///     func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { committer.changes(after: version) }
///     func close() throws(EngineError) {
///         committer.withoutCommits { _ in release() }
///         committer.close()
///     }
/// }
/// ```
///
/// Can be used from any thread. `State` is data that commits keep for later ones, such as counters; the lock guards it.
public final class EngineCommitter<State: Sendable>: Sendable {
    /// The limits that commits are checked against.
    public let limits: EngineLimits
    private let log: EngineLog
    /// Held while a commit is compared, written and reported.
    private let committing: Mutex<State>
    private let latest: Atomic<UInt64>

    /// Makes the committer of an engine.
    ///
    /// - Parameters:
    ///   - limits: The engine's limits.
    ///   - version: The version of the data when the engine was opened. Commits up to it are unknown to followers.
    ///   - state: The state that the first commit finds.
    public init(limits: EngineLimits, version: EngineVersion, state: State) {
        self.limits = limits
        log = EngineLog(after: version)
        committing = Mutex(state)
        latest = Atomic(version.rawValue)
    }

    /// Performs a commit.
    ///
    /// The order matters: nothing is read or locked for a commit that exceeds the limits, nothing is written unless everything read is unchanged, and
    /// followers see a commit only once it is in place.
    ///
    /// - Parameters:
    ///   - commit: The writes and reads.
    ///   - isOwn: Whether a view belongs to the engine. Reads in such a view are compared only if a later commit may have written them.
    ///   - makeView: Makes a view of the current data, which the reads are compared with. Called with the lock held.
    ///   - write: Performs the writes and returns the version that they made. Called with the lock held, and only if there are writes. If it throws,
    ///     nothing may have been written; see ``EngineError/Code/ioError`` for the exception. If others may have committed since the view was made, it must
    ///     call ``noteUnknownCommits(upTo:)`` with the version before its own.
    /// - Returns: The new version; that of the current data if the commit writes nothing.
    /// - Throws: ``EngineError/Code/tooLarge`` and ``EngineError/Code/notSupported`` from the limits, ``EngineError/Code/conflict``; what `makeView` and
    ///   `write` throw.
    public func commit<View: EngineView>(
        _ commit: EngineCommit,
        isOwn: (any EngineView) -> Bool,
        on makeView: () throws(EngineError) -> View,
        write: (_ writes: EngineWrites, _ now: View, _ state: inout State) throws(EngineError) -> EngineVersion
    ) throws(EngineError) -> EngineVersion {
        try limits.check(commit)
        let writes = commit.ordered()
        return try committing.withLock { state throws(EngineError) in
            let now = try makeView()
            for reads in commit.reads { try check(reads, against: now, isOwn: isOwn(reads.view)) }
            guard !commit.isEmpty else { return now.version }
            let version = try write(writes, now, &state)
            // First: a follower that is woken by the log compares its view with it.
            latest.max(version.rawValue, ordering: .releasing)
            // A commit that deletes what is not there may change nothing.
            if version > now.version { log.append(writes, version: version) }
            return version
        }
    }

    /// Throws `conflict` if what was read has changed, or cannot be compared because its view has expired.
    private func check(_ reads: EngineReads, against now: any EngineView, isOwn: Bool) throws(EngineError) {
        do throws(EngineError) { try log.check(reads, against: now, isOwn: isOwn) } catch {
            guard error.code == .expired else { throw error }
            throw EngineError(
                .conflict,
                "the commit depends on a view that has expired; nothing was written: read again and retry",
                cause: error
            )
        }
    }

    /// The version of the latest commit; see ``StorageEngine/latestVersion``.
    public var latestVersion: EngineVersion { EngineVersion(rawValue: latest.load(ordering: .acquiring)) }

    /// Runs `body` while no commit is in progress.
    public func withoutCommits<Value: Sendable>(_ body: (inout State) throws(EngineError) -> Value) throws(EngineError) -> Value {
        try committing.withLock { state throws(EngineError) in try body(&state) }
    }

    /// Returns the commits after `version`, or from now on; see ``StorageEngine/changes(after:)``.
    public func changes(after version: EngineVersion?) -> EngineChanges { log.changes(after: version) }

    /// Reports commits up to `version` that were made elsewhere, and whose content is unknown.
    public func noteUnknownCommits(upTo version: EngineVersion) {
        latest.max(version.rawValue, ordering: .releasing)
        log.appendUnknown(upTo: version)
    }

    /// The version up to which commits were reported to followers.
    package var newestReported: EngineVersion { log.newest }

    /// Reports a commit that was made elsewhere, unless it was reported before. Earlier ones must have been reported.
    package func report(_ change: EngineChange) {
        latest.max(change.version.rawValue, ordering: .releasing)
        log.append(change)
    }

    /// Ends the sequences of changes, after they have returned the commits that are kept.
    public func close() { log.close() }
}
