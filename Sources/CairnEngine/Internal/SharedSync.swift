import Dispatch
import Synchronization

/// Threads that wait for the disk at once: one of them syncs for all (group commit).
///
/// A sync confirms what was committed before it began. Threads that it confirms continue; the others wait for the next, which begins at once. Threads that commit
/// again and again would then take turns, half of them in each sync. Therefore a sync that follows another waits until as many threads have committed as took part
/// in the last one or were too late for it, but for no more than a quarter of the time that the last one took.
package final class SharedSync: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// The version up to which everything is on disk.
        var synced = EngineVersion(rawValue: 0)
        /// Whether a thread syncs, or waits for others before it does.
        var isSyncing = false
        var waiting: [Waiting] = []
        /// How many threads are expected to take part in the next sync, and until when.
        var expected = 1
        var patience = ContinuousClock.now
        /// Wakes the thread that waits for others.
        var gathering: DispatchSemaphore?
    }

    private struct Waiting {
        let version: EngineVersion
        let woken = DispatchSemaphore(value: 0)
    }

    package init() {}

    /// How many threads wait for another's sync.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Notes that everything up to `version` is on disk.
    package func note(_ version: EngineVersion) { state.withLock { $0.synced = max($0.synced, version) } }

    /// Returns once everything up to `version` is on disk.
    ///
    /// - Parameters:
    ///   - latest: The latest version. Called before `sync`.
    ///   - sync: Waits for the disk. If it throws, the threads that waited for it try themselves.
    package func wait(
        for version: EngineVersion,
        latest: () -> EngineVersion,
        sync: () throws(EngineError) -> Void
    ) throws(EngineError) {
        while let waiting = join(version) {
            guard let waiting else { return try lead(latest, sync) }
            waiting.woken.wait()
        }
    }

    /// `nil`: everything up to `version` is on disk. `.some(nil)`: the caller syncs. Otherwise it waits until it is woken.
    private func join(_ version: EngineVersion) -> Waiting?? {
        state.withLock { state -> Waiting?? in
            guard state.synced < version else { return nil }
            guard state.isSyncing else {
                state.isSyncing = true
                return .some(nil)
            }
            let waiting = Waiting(version: version)
            state.waiting.append(waiting)
            if state.waiting.count + 1 >= state.expected { state.gathering?.signal() }
            return waiting
        }
    }

    private func lead(_ latest: () -> EngineVersion, _ sync: () throws(EngineError) -> Void) throws(EngineError) {
        gather()
        let version = latest()
        let start = ContinuousClock.now
        let result = Result { () throws(EngineError) in try sync() }
        let end = ContinuousClock.now
        let woken = state.withLock { state in
            state.isSyncing = false
            state.expected = state.waiting.count + 1
            state.patience = end + (end - start) / 4
            if case .success = result { state.synced = max(state.synced, version) }
            // One of those that it does not confirm syncs next.
            let next = state.waiting.firstIndex { $0.version > state.synced }
            let woken = state.waiting.indices.filter { state.waiting[$0].version <= state.synced || $0 == next }
            defer { for index in woken.reversed() { state.waiting.remove(at: index) } }
            return woken.map { state.waiting[$0].woken }
        }
        for semaphore in woken { semaphore.signal() }
        try result.get()
    }

    /// Waits for the others.
    private func gather() {
        let gathering = state.withLock { state -> (DispatchSemaphore, Duration)? in
            let patience = state.patience - .now
            guard state.waiting.count + 1 < state.expected, patience > .zero else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.gathering = semaphore
            return (semaphore, patience)
        }
        guard let (semaphore, patience) = gathering else { return }
        _ = semaphore.wait(timeout: .now() + .nanoseconds(Int(patience.clampedNanoseconds)))
        state.withLock { $0.gathering = nil }
    }
}
