import CairnCore

/// What ``MappedStore/backup(to:progress:)`` wrote.
public struct MappedBackup: Hashable, Sendable {
    /// The number of values in the backup.
    public internal(set) var count = 0
    /// The number of damaged values, which were left out; ``MappedStore/verify(progress:)`` lists them.
    public internal(set) var damagedCount = 0
    /// The size of the backup file.
    public internal(set) var size = ByteCount.zero
}

extension MappedStore {
    /// Writes all values, as of one instant, to a separate store at `other`, without waste. Others can read and write during the backup.
    ///
    /// ```swift
    /// try store.backup(to: "backups/settings.map")
    /// ```
    ///
    /// The file is written next to its destination and renamed once it is complete and on disk. Until then, an existing store at the
    /// destination stays in place. It also stays if the backup fails, except in the last step, syncing the directory. A backup of an encrypted store
    /// is encrypted with the same key. Expired and damaged values are left out.
    ///
    /// - Parameters:
    ///   - other: The path of the backup.
    ///   - progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `foreignFile` if a file other than a store is at the destination, `busy` if the store there is open, and as for
    ///   ``keys()``, `notFound` if the directory is missing, `permissionDenied`, `isDirectory`, `noSpace`, `ioError`, `closed`.
    /// - Complexity: O(n).
    @discardableResult
    public func backup(to other: String, progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) -> MappedBackup {
        try backup(to: other) { part throws(MappedStoreError) in progress(part) }
    }

    /// Same as ``backup(to:progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``backup(to:progress:)``, and `cancelled`.
    @discardableResult
    public func backupInBackground(
        to other: String,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) -> MappedBackup {
        try await offPool("back up", progress) { step throws(MappedStoreError) in try self.backup(to: other, step) }
    }

    private func backup(
        to other: String,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) -> MappedBackup {
        let scope = gate.enter(isScope: true)
        defer { gate.leave(scope, isScope: true) }
        // The current directory may change during the backup.
        let place = FileSystem.absolute(other)
        // Better to fail before the work than after it.
        _ = try claim(other, at: other)
        let (file, presence) = try takeTemporary(beside: other, place, "backup", "write a backup to")
        do throws(MappedStoreError) {
            let backup = try write(into: file, presence, step)
            // Held until the end, so that the file about to be replaced is not opened.
            let old = try claim(other, at: place)
            try MappedStoreError.translating { () throws(FileError) in try file.rename(to: place) }
            old?.release()
            if let registration = OpenStores.Place(place), let identity = try? file.status().identity {
                OpenStores.tell(storesAt: registration, about: identity)
            }
            try MappedOpening(path: other, place: place, options: options, cipher: nil, fileSystem: fileSystem, lock: lock)
                .synchronizeDirectory()
            try step(1)
            return backup
        } catch {
            discard(file)
            throw error
        }
    }

    private func write(
        into file: File,
        _ presence: FileLock,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) -> MappedBackup {
        let snapshot = try snapshot(isWhole: true)
        let (source, totals, offsets) = (snapshot.view, snapshot.totals, snapshot.offsets)
        let damaged = DamagedRecords(source)
        try MappedStoreError.translating { () throws(FileError) in
            try file.truncate(to: 0)
            try file.setMode(try source.file.status().mode)
        }
        var backup = MappedBackup()
        if snapshot.hasLost { backup.damagedCount += 1 }
        var copy = try MappedCopy(
            file,
            presence: presence,
            identity: source.identity,
            cipher: source.cipher,
            keyCount: liveCount(offsets, source),
            size: totals.liveBytes,
            maximum: nil,
            willGrow: false
        )
        for (index, offset) in offsets.enumerated() {
            if index % 1024 == 0 { try step(Double(index) / Double(offsets.count)) }
            guard let record = source.record(at: offset), source.isIntact(record),
                !record.isSealed || MappedSealed.open(record, source) != nil
            else {
                if !damaged.isSuperseded(offset) { backup.damagedCount += 1 }
                continue
            }
            guard !record.isRemoved, !isExpired(record, source) else { continue }
            try copy.add(record, of: source)
            backup.count += 1
        }
        guard source.isIntact else { throw truncatedError }
        _ = try copy.complete(sequence: totals.sequence, isSynced: true)
        try copy.synchronize()
        backup.size = try MappedStoreError.translating { () throws(FileError) in .bytes(try file.status().size) }
        return backup
    }

    /// Makes sure that the file to be replaced, if any, is a store that is not in use.
    private func claim(_ other: String, at place: String) throws(MappedStoreError) -> FileLock? {
        let file: File
        let lock: FileLock
        let status: FileStatus
        do throws(FileError) {
            file = try File(place, [.read, .write], fileSystem: fileSystem)
            lock = try FileLock(file, .exclusive)
            status = try file.status()
        } catch {
            switch error.code {
            case .notFound: return nil
            case .locked: throw MappedStoreError(.busy, "could not write a backup to \(other): the store there is open", cause: error)
            default: throw MappedStoreError(error)
            }
        }
        try status.requireFile("could not write a backup to \(other)")
        guard status.size > 0 else { return lock }
        do throws(MappedStoreError) { _ = try MappedFile.identity(of: file, repairs: false) } catch {
            guard error.code != .foreignFile else { throw error }
        }
        return lock
    }
}
