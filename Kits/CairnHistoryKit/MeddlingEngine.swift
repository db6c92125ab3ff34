package import CairnEngine
import Synchronization

/// An engine in memory that lets somebody else commit between what a save reads and its commit, or just after a view was made.
package final class MeddlingEngine: StorageEngine {
    private let engine = MemoryEngine()
    private let meddling = Mutex<Meddling?>(nil)
    private let afterView = Mutex<Meddling?>(nil)

    private struct Meddling: @unchecked Sendable {
        // Sendable: called by the thread that set it.
        let body: () -> Void
    }

    package init() {}

    package var limits: EngineLimits { engine.limits }
    package var isReadOnly: Bool { false }
    package var latestVersion: EngineVersion { engine.latestVersion }

    package func makeView() throws(EngineError) -> any EngineView {
        let view = try engine.makeView()
        afterView.withLock { $0.take() }?.body()
        return view
    }

    package func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        meddling.withLock { $0.take() }?.body()
        return try engine.commit(commit, durability: durability)
    }

    package func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try engine.changes(after: version) }
    package func close() throws(EngineError) { try engine.close() }

    /// Runs `other` after the next view was made, before its maker has it.
    package func meddleAfterNextView(_ other: @escaping () -> Void) { afterView.withLock { $0 = Meddling(body: other) } }

    /// Runs `body`, and `other` before the first commit that `body` makes; returns whether it made one.
    package func meddle(_ other: @escaping () -> Void, in body: () throws -> Void) rethrows -> Bool {
        meddling.withLock { $0 = Meddling(body: other) }
        defer { meddling.withLock { $0 = nil } }
        try body()
        return meddling.withLock { $0 == nil }
    }
}
