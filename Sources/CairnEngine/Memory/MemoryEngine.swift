public import CairnCore
import Synchronization

/// A ``StorageEngine`` in memory: for tests and temporary data.
///
/// Nothing survives the process, whatever the durability. Views and versions cost nothing; a commit costs O(log n) per write, plus copies of data
/// that views still see. An entry takes its bytes and about 100 more.
public final class MemoryEngine: StorageEngine {
    public var limits: EngineLimits { committer.limits }
    public let isReadOnly = false
    public var readsInParallel: Bool { true }
    public var latestVersion: EngineVersion { committer.latestVersion }

    private let state: Mutex<State>
    private let committer: EngineCommitter<Void>

    private struct State {
        var tree = MemoryTree()
        var version = EngineVersion(rawValue: 0)
        var views = 0
        var isClosed = false
    }

    /// Makes an empty engine. Use `limits` to simulate a more limited engine.
    public init(limits: EngineLimits = EngineLimits()) {
        let state = State()
        self.state = Mutex(state)
        committer = EngineCommitter(limits: limits, version: state.version, state: ())
    }

    deinit { committer.close() }

    public func makeView() throws(EngineError) -> any EngineView { try makeMemoryView() }

    @discardableResult
    public func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try committer.commit(commit, isOwn: { ($0 as? MemoryView)?.engine === self }) { () throws(EngineError) in
            try makeMemoryView()
        } write: { writes, now, _ in
            var tree = now.tree
            for range in writes.deletedRanges { tree.delete(range) }
            for index in 0..<writes.count {
                if let value = writes.value(at: index) {
                    tree.put(value, for: writes.key(at: index))
                } else {
                    tree.delete(writes.key(at: index))
                }
            }
            let version = EngineVersion(rawValue: now.version.rawValue + 1)
            state.withLock { state in
                state.tree = tree
                state.version = version
            }
            return version
        }
    }

    public func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        try checkOpen()
        return committer.changes(after: version)
    }

    /// Does nothing: memory is freed as soon as no view needs it.
    public func compact() throws(EngineError) { try checkOpen() }

    public func close() throws(EngineError) {
        // A commit in progress holds a view.
        let views = try committer.withoutCommits { _ in
            state.withLock { state in
                if state.views == 0 {
                    state.isClosed = true
                    state.tree = MemoryTree()
                }
                return state.views
            }
        }
        guard views == 0 else { throw OpenViews.areHeld(views, "the in-memory engine") }
        committer.close()
    }

    private func checkOpen() throws(EngineError) {
        guard !state.withLock({ $0.isClosed }) else { throw Self.closed }
    }

    private static let closed = EngineError(.closed, "the in-memory engine was closed")

    private func makeMemoryView() throws(EngineError) -> MemoryView {
        let (tree, version) = try state.withLock { state throws(EngineError) in
            guard !state.isClosed else { throw Self.closed }
            state.views += 1
            return (state.tree, state.version)
        }
        return MemoryView(engine: self, tree: tree, version: version)
    }

    fileprivate func letGo() { state.withLock { $0.views -= 1 } }
}

/// A version of a ``MemoryEngine``.
final class MemoryView: EngineView {
    let engine: MemoryEngine
    let tree: MemoryTree
    let version: EngineVersion

    init(engine: MemoryEngine, tree: MemoryTree, version: EngineVersion) {
        self.engine = engine
        self.tree = tree
        self.version = version
    }

    deinit { engine.letGo() }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool { tree.lendValue(for: key, to: body) }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count where !tree.lendValue(for: keys[index], to: { body(index, $0) }) { body(index, nil) }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        tree.lendEntries(in: range, reverse: reverse, to: body)
    }
}
