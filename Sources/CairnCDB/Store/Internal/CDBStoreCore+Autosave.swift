import CairnCore
import Dispatch
import Synchronization

/// Schedules a call, which can be cancelled. Tests have their own scheduler, so that they need not wait.
package protocol CDBScheduler: Sendable {
    func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> CDBTimer
}

/// A scheduled call.
package struct CDBTimer: Sendable {
    private let onCancel: @Sendable () -> Void
    package init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }
    package func cancel() { onCancel() }
}

/// Makes calls on Dispatch threads.
struct CDBDispatchScheduler: CDBScheduler {
    func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> CDBTimer {
        let item = DispatchWorkItem(block: body)
        let nanoseconds = Int(max(0, delay.clampedNanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: item)
        nonisolated(unsafe) let cancelled = item
        return CDBTimer { unsafe cancelled.cancel() }
    }
}

extension CDBStoreCore {
    /// Saves every `interval` while there are changes; `nil` stops that.
    func autosave(every interval: Duration?) throws(CDBError) {
        try with("save") { state throws(CDBError) in
            state.autosave?.cancel()
            state.autosaveNumber += 1
            state.autosave = interval.map { timer(max($0, .milliseconds(1)), state.autosaveNumber) }
        }
    }

    /// Returns the timer for the next save requested by call number `number`.
    private func timer(_ interval: Duration, _ number: Int) -> CDBTimer {
        scheduler.call(after: interval) { [weak self] in
            guard let self else { return }
            saveInItsTime()
            state.withLock { state in
                guard !state.isClosed, state.autosaveNumber == number else { return }
                state.autosave = self.timer(interval, number)
            }
        }
    }

    /// Saves once, after `delay`; further calls until then do nothing.
    func saveSoon(after delay: Duration) throws(CDBError) {
        try with("save") { state throws(CDBError) in
            guard state.soon == nil else { return }
            state.soon = scheduler.call(after: delay) { [weak self] in
                self?.state.withLock { $0.soon = nil }
                self?.saveInItsTime()
            }
        }
    }

    private func saveInItsTime() {
        do throws(CDBError) {
            try save(onConflict: options.onConflict)
        } catch {
            if error.code != .closed { options.onAutosaveFailure?(error) }
        }
    }
}
