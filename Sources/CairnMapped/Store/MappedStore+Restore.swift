import CairnCore
import Synchronization

extension MappedStore {
    /// Replaces the contents of the store with the values of a backup, atomically for every process that has it open: each finds either the
    /// previous contents or those of the backup. A kill at any instant leaves one or the other.
    ///
    /// ```swift
    /// try store.restore(from: "backups/settings.map")
    /// ```
    ///
    /// The backup is read and checked first, and is not changed. It may be any store that is not written to during the restore. It is
    /// opened with the cipher of this store, or without one if this store is not encrypted. Restored values are encrypted like this store. Values
    /// that have expired since the backup are left out.
    ///
    /// - Parameters:
    ///   - other: The path of the backup.
    ///   - progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `notFound`, `foreignFile`, `keyNeeded`, `wrongKey` about the backup; `corruption` if anything in it is
    ///   damaged; `busy`, `conflict` and `replaced` as for ``compact(progress:)``, `permissionDenied`, `noSpace`, `readOnly`, `closed`, `ioError`. The store
    ///   is then unchanged, unless the message of an `ioError` says that the file was replaced: a power loss may then undo the restore.
    /// - Complexity: O(n).
    public func restore(from other: String, progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) {
        try restore(from: other, cipher.withLock { $0 }) { part throws(MappedStoreError) in progress(part) }
    }

    /// Same as ``restore(from:progress:)``, for a backup with another cipher, or with none.
    public func restore(
        from other: String,
        cipher: (any MappedCipher)?,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(MappedStoreError) {
        try restore(from: other, cipher) { part throws(MappedStoreError) in progress(part) }
    }

    /// Same as ``restore(from:progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``restore(from:progress:)``, and `cancelled`; the store is then unchanged.
    public func restoreInBackground(
        from other: String,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) {
        try await restoreInBackground(from: other, cipher: cipher.withLock { $0 }, progress: progress)
    }

    /// Same as ``restoreInBackground(from:progress:)``, for a backup with another cipher, or with none.
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
            let report = backup.openReport
            let ranges = report.damagedRanges.count + (report.missingRange == nil ? 0 : 1)
            let count = verification.damagedKeys.count + verification.unreadableCount + ranges
            throw MappedStoreError(
                .corruption,
                "did not restore \(path) from \(other), which is damaged: \(count) damaged value\(count == 1 ? "" : "s") or range\(count == 1 ? "" : "s")"
            )
        }
        try rewrite("restore", .values(of: backup)) { part throws(MappedStoreError) in try step(part == 1 ? 1 : 0.5 + part / 2) }
    }
}
