import CairnCore
import Synchronization

extension MappedStore {
    /// Puts the values of a backup in the place of all that the store holds, in one step for everybody who has it open: they find what was there
    /// before, or what the backup has. A kill at any instant leaves the one or the other.
    ///
    /// ```swift
    /// try store.restore(from: "backups/settings.map")
    /// ```
    ///
    /// The backup is read and checked first; it stays as it is. It may be any store that nobody writes to meanwhile, and is opened with the
    /// cipher of this one, or without, where this one is not encrypted. What is restored is encrypted as this store is. What has expired since
    /// is left out.
    ///
    /// - Parameters:
    ///   - other: The path of the backup.
    ///   - progress: Called now and then with the part that is done, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `notFound`, `foreignFile`, `keyNeeded`, `wrongKey` about the backup; `corruption` where anything in it is
    ///   damaged; `busy` while another process compacts, `noSpace`, `readOnly`, `closed`, `ioError`. The store is then as it was.
    /// - Complexity: O(n).
    public func restore(from other: String, progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) {
        try restore(from: other, cipher.withLock { $0 }) { part throws(MappedStoreError) in progress(part) }
    }

    /// As ``restore(from:progress:)``, with a backup of another cipher, or of none.
    public func restore(
        from other: String,
        cipher: (any MappedCipher)?,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(MappedStoreError) {
        try restore(from: other, cipher) { part throws(MappedStoreError) in progress(part) }
    }

    /// As ``restore(from:progress:)``, on a thread outside of those that tasks share; ends early when the task is cancelled.
    ///
    /// - Throws: As ``restore(from:progress:)``, and `cancelled`: the store is as it was.
    public func restoreInBackground(
        from other: String,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) {
        try await restoreInBackground(from: other, cipher: cipher.withLock { $0 }, progress: progress)
    }

    /// As ``restoreInBackground(from:progress:)``, with a backup of another cipher, or of none.
    public func restoreInBackground(
        from other: String,
        cipher: (any MappedCipher)?,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) {
        try await offPool("restore", progress) { step throws(MappedStoreError) in try self.restore(from: other, cipher, step) }
    }

    private func restore(
        from other: String,
        _ cipher: (any MappedCipher)?,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        var options = MappedStoreOptions()
        options.readOnly = true
        options.cipher = cipher
        let backup = try MappedStore(path: other, options: options, fileSystem: fileSystem)
        // The first half is reading, the second is writing.
        let verification = try backup.verifying { part throws(MappedStoreError) in try step(min(part, 0.999) / 2) }
        guard backup.openReport.isClean, verification.isIntact else {
            let count = verification.damagedKeys.count + verification.unreadableCount + backup.openReport.damagedRanges.count
            throw MappedStoreError(
                .corruption,
                "did not restore \(path) from \(other), which is damaged: \(count) value\(count == 1 ? "" : "s") or stretches of it"
            )
        }
        try rewrite("restore", .values(of: backup)) { part throws(MappedStoreError) in try step(part == 1 ? 1 : 0.5 + part / 2) }
    }
}
