import CairnCore
import CairnObjects
import Synchronization

/// An engine whose commits, and removals of former data, fail after some.
final class FailingEngine: StorageEngine {
    private let base: any StorageEngine
    private let state = Mutex((left: Int.max, hasBegun: false))

    init(_ base: any StorageEngine) { self.base = base }

    var commitsLeft: Int {
        get { state.withLock { $0.left } }
        set { state.withLock { $0.left = newValue } }
    }
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Small commits, so that there are many.
    var limits: EngineLimits {
        var limits = base.limits
        limits.maximumCommitOperations = 40
        return limits
    }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { base.latestVersion }
    func makeView() throws(EngineError) -> any EngineView { try base.makeView() }
    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try base.changes(after: version) }
    func close() throws(EngineError) { try base.close() }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try count()
        return try base.commit(commit, durability: durability)
    }

    func removeFormerData(in range: KeyRange) throws(EngineError) {
        try count()
        try base.removeFormerData(in: range)
    }

    private func count() throws(EngineError) {
        let isLeft = state.withLock { state in
            state.left -= 1
            if state.left >= 0 { state.hasBegun = true }
            return state.left >= 0
        }
        guard isLeft else { throw EngineError(.ioError, "the engine does not want to") }
    }
}
