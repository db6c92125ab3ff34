import CairnCore
import CairnObjects
import Synchronization

/// An engine in memory whose commits fail from one on, as if its program had been killed, or that forgets a value.
final class FailingEngine: StorageEngine {
    let limits: EngineLimits
    private let engine = MemoryEngine()
    private let state = Mutex(State())

    private struct State {
        var commitsLeft = Int.max
        var error: EngineError?
        /// The number of the commit that forgets a value.
        var forgetful = 0
        var commits = 0
    }

    init(_ limits: EngineLimits = EngineLimits()) { self.limits = limits }

    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { engine.latestVersion }

    func fail(after commits: Int, _ error: EngineError = EngineError(.ioError, "the engine has failed")) {
        state.withLock { ($0.commitsLeft, $0.error) = (commits, error) }
    }
    func forgetValue(ofCommit number: Int) { state.withLock { $0.forgetful = number } }

    func makeView() throws(EngineError) -> any EngineView { try engine.makeView() }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        let (failure, forgets) = state.withLock { state in
            state.commitsLeft -= 1
            state.commits += 1
            return (state.commitsLeft < 0 ? state.error : nil, state.commits == state.forgetful)
        }
        if let failure { throw failure }
        try limits.check(commit)
        let version = try engine.commit(commit, durability: durability)
        guard forgets, let key = try engine.makeView().entries(KeyRange(prefix: [0x01])).last?.key else { return version }
        var loss = EngineCommit()
        loss.delete(key)
        return try engine.commit(loss)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try engine.changes(after: version) }
    func close() throws(EngineError) { try engine.close() }
}
