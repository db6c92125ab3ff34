import CCairn
import CairnCore
import Synchronization

extension MappedStore {
    /// Rewrites the file without replaced, removed and expired values, and puts it in place of the old one. Others can read and write
    /// during most of it; writers wait at the end, while what they wrote since the beginning is copied.
    ///
    /// The space of the old file returns to the file system when this returns and each other process that has the store open has used it again. If other
    /// threads read from the old file for longer, as in a closure that is lent a value, it returns with the next compaction or when the store is closed.
    ///
    /// Damaged values stay damaged: reading and listing them still throws. The store does this automatically: see
    /// ``MappedStoreOptions/compaction``. A kill at any instant leaves the old file or the new one.
    ///
    /// - Parameter progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `busy` while another process compacts, within the closure of a transaction or of a progress report;
    ///   `conflict` if another store replaced the file in the meantime; `replaced` if others removed or replaced it; `permissionDenied`, `noSpace`,
    ///   `readOnly`, `closed`, `ioError`. The store is then unchanged.
    /// - Complexity: O(n). While it runs, the live data takes its space twice. On a full disk, the store gives back room that it has reserved, if that is
    ///   enough.
    public func compact(progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) {
        try rewrite("compact", .live) { progress($0) }
    }

    /// Same as ``compact(progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``compact(progress:)``, and `cancelled`; the store is then unchanged.
    public func compactInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(MappedStoreError) {
        try await offPool("compact", progress) { step throws(MappedStoreError) in try self.rewrite("compact", .live, step) }
    }

    /// Removes all values at once and returns their space to the file system, as ``compact(progress:)`` does. This also works on a full disk: a store
    /// that has grown keeps 12 KiB in reserve for it.
    ///
    /// - Throws: Same as ``compact(progress:)``. If the message of an `ioError` says that the file was replaced, the values are gone, but may be back
    ///   after a power loss.
    /// - Complexity: O(n) in the number of keys, for a pass over the index; no value is read.
    public func removeAll() throws(MappedStoreError) {
        try rewrite("empty", .nothing) { _ in }
    }

    /// Encrypts the store with another cipher, or with none, by rewriting everything. Other processes that have the store open then get
    /// ``MappedStoreError/Code/wrongKey`` or ``MappedStoreError/Code/keyNeeded`` until they open it with the new cipher.
    ///
    /// A kill at any instant leaves the store entirely under the old cipher or entirely under the new one. A kill before the end also leaves a second
    /// file with the values rewritten so far, unencrypted if `new` is `nil`. The next rewrite removes it, and so does opening the store for writing
    /// while nobody else has it open. Passing the same cipher again is allowed: the store then gets new keys, derived from the same key.
    ///
    /// Damaged values cannot be decrypted and encrypted again: their keys have no value afterwards. ``verify(progress:)`` keeps counting
    /// them in ``MappedVerification/unreadableCount``.
    ///
    /// - Parameters:
    ///   - new: The new cipher, or `nil` for none.
    ///   - progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: Same as ``compact(progress:)``; ``MappedStoreError/Code/codec`` if the cipher fails. If the message of an `ioError` says that the file
    ///   was replaced, the store has the new cipher, but may have the old one again after a power loss: keep both keys.
    public func rekey(
        to new: (any MappedCipher)?,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(MappedStoreError) {
        try rewrite("rekey", .live, identity: (try MappedFile.prepare(new), new)) { progress($0) }
    }

    /// Same as ``rekey(to:progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``rekey(to:progress:)``, and `cancelled`; the store is then unchanged.
    public func rekeyInBackground(
        to new: (any MappedCipher)?,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) {
        try await offPool("rekey", progress) { step throws(MappedStoreError) in
            try self.rewrite("rekey", .live, identity: (try MappedFile.prepare(new), new), step)
        }
    }

    /// Compacts on another thread, unless a compaction is already running.
    @inline(never)
    func compactSoon() {
        let turn = compaction.current
        guard !turn.isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let threshold = leastWaste.load(ordering: .relaxed)
        // Until it is over, no change has to check again.
        leastWaste.store(threshold &* 16, ordering: .relaxed)
        // In the child of a fork, a second thread would be fatal: Swift's locks identify threads by number, and the thread that forked still has the
        // number of its parent. When two threads meet at such a lock, the process ends.
        guard cairn_fork_count() == 0 else { return compactNow(turn, threshold) }
        // A separate thread: a queue may have none to spare.
        let isStarted = startThread { [weak self] in self?.compactNow(turn, threshold) }
        guard !isStarted else { return }
        leastWaste.store(threshold, ordering: .relaxed)
        turn.isDue.store(false, ordering: .releasing)
    }

    private func compactNow(_ turn: CompactionTurn.Turn, _ threshold: Int) {
        let least = Int(clamping: options.compaction.minimumWaste.bytes)
        let start = ContinuousClock.now
        var next = least
        let wasReported = state.withLock { $0.loss?.isReported == true }
        do throws(MappedStoreError) {
            try compact()
            // While a store is written to continuously, more waste accumulates each time, up to eight times as much.
            let isHurried = state.withLock { state in
                defer { state.lastCompaction = .now }
                return state.lastCompaction.map { start - $0 < .seconds(1) } ?? false
            }
            if isHurried { next = min(threshold &* 2, least &* 8) }
        } catch {
            if !wasReported { forgetReport() }
            // The store continues unchanged. Retrying at once would fail again.
            next = error.code == .busy ? min(threshold &* 2, least &* 8) : threshold &* 2
        }
        leastWaste.store(max(next, least), ordering: .relaxed)
        turn.isDue.store(false, ordering: .releasing)
    }
}
