import CairnCore
import CairnObjects
import Synchronization

/// An engine in memory that behaves as if it were on a server: its calls should not be made in tasks, whose threads they would block, and a task that was
/// cancelled commits nothing.
final class WatchedEngine: StorageEngine {
    private let engine: MemoryEngine
    private let state = Mutex(State())

    private struct State {
        var calls = 0
        var callsInTasks = 0
        var readsInTasks = 0
        var reported = EngineVersion(rawValue: 0)
        var commits = 0
        var hook: (commit: Int, body: @Sendable (EngineVersion) -> Void)?
    }

    init(_ engine: MemoryEngine = MemoryEngine()) { self.engine = engine }

    var isRemote: Bool { true }
    var isShared: Bool { true }
    var limits: EngineLimits {
        var limits = engine.limits
        limits.maximumViewAge = .seconds(600)
        return limits
    }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { engine.latestVersion }

    /// How many views, commits and sequences of changes were asked for since the last reset.
    var calls: Int { state.withLock { $0.calls } }
    var callsInTasks: Int { state.withLock { $0.callsInTasks } }
    /// How often views were read in tasks.
    var readsInTasks: Int { state.withLock { $0.readsInTasks } }
    /// The latest version that a follower has learned of.
    var reported: EngineVersion { state.withLock { $0.reported } }

    func reset() { state.withLock { $0 = State() } }

    /// Calls `body` with the version of a commit, before the commit returns; the first since the last reset is number 1.
    func afterCommit(_ number: Int, _ body: @escaping @Sendable (EngineVersion) -> Void) {
        state.withLock { $0.hook = (number, body) }
    }

    private static var isInTask: Bool { unsafe withUnsafeCurrentTask { unsafe $0 != nil } }

    private func noteCall() {
        state.withLock { state in
            state.calls += 1
            if Self.isInTask { state.callsInTasks += 1 }
        }
    }

    fileprivate func noteRead() { state.withLock { if Self.isInTask { $0.readsInTasks += 1 } } }

    func makeView() throws(EngineError) -> any EngineView {
        let view = WatchedView(try engine.makeView(), self)
        // Now that there is a view.
        noteCall()
        return view
    }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        noteCall()
        guard !TaskCancellation.isCancelled else { throw EngineError(.cancelled, "the task was cancelled") }
        let version = try engine.commit(commit, durability: durability)
        let hook = state.withLock { state in
            state.commits += 1
            return state.hook?.commit == state.commits ? state.hook.take() : nil
        }
        hook?.body(version)
        return version
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        noteCall()
        return try engine.changes(after: version).reporting { [weak self] change in
            self?.state.withLock { $0.reported = change.version }
            return change
        }
    }

    func close() throws(EngineError) { try engine.close() }
}

private final class WatchedView: EngineView {
    private let view: any EngineView
    private let engine: WatchedEngine

    init(_ view: any EngineView, _ engine: WatchedEngine) {
        self.view = view
        self.engine = engine
    }

    var version: EngineVersion { view.version }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        engine.noteRead()
        return try view.lendValue(for: key, to: body)
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        engine.noteRead()
        try view.lendValues(for: keys, to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        engine.noteRead()
        try view.lendEntries(in: range, reverse: reverse, to: body)
    }
}
