import CairnObjects
import Synchronization

/// An engine in memory that lets somebody else commit between what a save reads and its commit, or just after a view was made.
final class MeddlingEngine: StorageEngine {
    private let engine = MemoryEngine()
    private let meddling = Mutex<Meddling?>(nil)
    private let afterView = Mutex<Meddling?>(nil)

    private struct Meddling: @unchecked Sendable {
        // Sendable: called by the thread that set it.
        let body: () -> Void
    }

    var limits: EngineLimits { engine.limits }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { engine.latestVersion }

    func makeView() throws(EngineError) -> any EngineView {
        let view = try engine.makeView()
        afterView.withLock { $0.take() }?.body()
        return view
    }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        meddling.withLock { $0.take() }?.body()
        return try engine.commit(commit, durability: durability)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try engine.changes(after: version) }
    func close() throws(EngineError) { try engine.close() }

    /// Runs `other` after the next view was made, before its maker has it.
    func meddleAfterNextView(_ other: @escaping () -> Void) { afterView.withLock { $0 = Meddling(body: other) } }

    /// Runs `body`, and `other` before the first commit that `body` makes; returns whether it made one.
    func meddle(_ other: @escaping () -> Void, in body: () throws -> Void) rethrows -> Bool {
        meddling.withLock { $0 = Meddling(body: other) }
        defer { meddling.withLock { $0 = nil } }
        try body()
        return meddling.withLock { $0 == nil }
    }
}
