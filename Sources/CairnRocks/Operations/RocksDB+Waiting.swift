import CairnCore
import Dispatch
import Synchronization

extension RocksDB {
    /// Waits until RocksDB has no background work: no memtable is waiting for a flush, and no column family for a compaction. Also waits for work
    /// caused by writes made in the meantime. Memtables that are not full are not flushed.
    ///
    /// RocksDB 7.8 does not signal this, so its properties are polled every few milliseconds. This does not wait for compactions of column
    /// families whose automatic compactions are disabled. If the work cannot finish because it is paused, or was stopped by an error,
    /// `timeout` ends the wait.
    ///
    /// - Parameter timeout: The maximum time to wait; `nil`: no limit.
    /// - Throws: ``RocksError/Code/timedOut``; ``RocksError/Code/closed``, also if the database is closed during the wait, which this does not
    ///   prevent.
    public func waitForCompactions(timeout: Duration? = nil) throws(RocksError) {
        let end = timeout.map { ContinuousClock.now + $0.timeout }
        while try !isIdle() {
            try checkTime(end)
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
        }
    }

    /// Same as ``waitForCompactions(timeout:)``, without blocking a thread. Cancelling the task ends the wait with ``RocksError/Code/incomplete``.
    public func waitForCompactionsInBackground(timeout: Duration? = nil) async throws(RocksError) {
        let end = timeout.map { ContinuousClock.now + $0.timeout }
        while try !isIdle() {
            try checkTime(end)
            do {
                try await Task.sleep(for: .milliseconds(5))
            } catch {
                throw RocksError(.incomplete, "waiting for the compactions of '\(path)': the task was cancelled")
            }
        }
    }

    private func checkTime(_ end: ContinuousClock.Instant?) throws(RocksError) {
        guard let end, ContinuousClock.now >= end else { return }
        throw RocksError(.timedOut, "waiting for the compactions of '\(path)': they did not finish in time")
    }

    /// Asks twice: in between, waiting work may begin, and work that ends may leave more waiting.
    private func isIdle() throws(RocksError) -> Bool {
        guard try isQuiet() else { return false }
        return try isQuiet()
    }

    private func isQuiet() throws(RocksError) -> Bool {
        for family in families.withLock({ Array($0.values) }) {
            do {
                if try family.intProperty("rocksdb.mem-table-flush-pending") ?? 0 > 0 { return false }
                guard try family.intProperty("rocksdb.compaction-pending") ?? 0 > 0 else { continue }
                if try family.currentColumnFamilyOptions()["disable_auto_compactions"] != "true" { return false }
            } catch  where error.code == .columnFamilyDropped {
                continue
            }
        }
        // These two are database-wide. They come last, because waiting work moves on to running.
        for name in ["rocksdb.num-running-flushes", "rocksdb.num-running-compactions"] where try intProperty(name) ?? 0 > 0 { return false }
        return true
    }
}
