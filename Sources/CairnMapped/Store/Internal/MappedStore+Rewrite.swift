import CairnCore
import Synchronization

extension MappedStore {
    /// The contents of the rewritten file.
    enum NewContents {
        case live, nothing
        /// The values of another store.
        case values(of: MappedStore)
    }

    /// Rewrites the file and switches to it.
    ///
    /// - Parameters:
    ///   - identity: the identity of the new file and the cipher that belongs to it; `nil` to keep both.
    ///   - step: called with the completed fraction; an error it throws ends the work.
    func rewrite(
        _ purpose: String,
        _ contents: NewContents,
        identity: (MappedIdentity, (any MappedCipher)?)? = nil,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        guard !options.readOnly else {
            throw MappedStoreError(.readOnly, "could not \(purpose) \(path): it was opened for reading only")
        }
        // Within a transaction this throws, rather than waiting for a compaction that waits for the transaction.
        try writing { view throws(MappedStoreError) in
            try requirePlace(view)
            return Aftermath()
        }
        let turn = compaction.current
        guard !turn.isMine else {
            throw MappedStoreError(
                .busy,
                "could not \(purpose) \(path): this thread is already rewriting it; a progress closure must not start another rewrite"
            )
        }
        var failure: MappedStoreError?
        turn.lock.withLock { _ in
            turn.begin()
            defer { turn.end() }
            do throws(MappedStoreError) { try rewriteAlone(purpose, contents, identity, step) } catch { failure = error }
        }
        if let failure { throw failure }
        // As long as anything uses the old file, it keeps its space. This thread still did when the file was replaced.
        var attempts = 0
        while !releaseRetired(), attempts < 64 {
            attempts += 1
            Self.yield()
        }
        counts.rewritten.wrappingAdd(1, ordering: .relaxed)
        // Before there can be another new file: listeners here then miss none of this process's own changes.
        feed.catchUp(self)
    }

    private func rewriteAlone(
        _ purpose: String,
        _ contents: NewContents,
        _ identity: (MappedIdentity, (any MappedCipher)?)?,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        let (file, presence) = try takeTemporary(beside: path, place, "compact", purpose)
        do throws(MappedStoreError) {
            try rewrite(into: file, presence, contents, identity, step)
        } catch {
            discard(file)
            throw error
        }
        try step(1)
    }

    /// Removes a temporary file, unless it has already replaced another file.
    func discard(_ file: File) {
        if let identity = try? file.status().identity, (try? fileSystem.stat(file.path).identity) == identity {
            try? fileSystem.unlink(file.path)
        }
    }

    /// Returns the file to write before it replaces the one at `path`, whose absolute path is `place`, and the lock on it.
    func takeTemporary(
        beside path: String,
        _ place: String,
        _ suffix: String,
        _ purpose: String
    ) throws(MappedStoreError) -> (File, FileLock) {
        try TemporaryPlace(path: path, place: place, suffix: suffix, fileSystem: fileSystem).take(purpose)
    }

    /// The current values go into `file`, which then takes the place of the old one.
    ///
    /// Records do not change, so most of them are copied while others read and write; only the rest is copied under the writers' lock. A kill at any
    /// instant leaves the old file or the new one, since renaming is the only step that changes what the path leads to.
    private func rewrite(
        into file: File,
        _ presence: FileLock,
        _ contents: NewContents,
        _ identity: (MappedIdentity, (any MappedCipher)?)?,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        var keepsRecords = false
        if case .live = contents { keepsRecords = true }
        let snapshot = try snapshot(isWhole: keepsRecords)
        let source = snapshot.view
        try MappedStoreError.translating { () throws(FileError) in
            try file.truncate(to: 0)
            try file.setMode(try source.file.status().mode)
        }
        let newIdentity = identity?.0 ?? source.identity
        let session = identity == nil ? source.cipher : try MappedFile.session(newIdentity, identity?.1, path)
        let origin: Snapshot =
            switch contents {
            case .live: snapshot
            case .nothing: Snapshot(view: source, totals: SharedHeader.Totals(), offsets: [])
            case .values(let other): try other.snapshot()
            }
        var live = (count: 0, size: 0)
        for offset in origin.offsets {
            guard let record = origin.view.record(at: offset), !record.isRemoved else { continue }
            live.count += 1
            live.size += record.size
        }
        var copy = try MappedCopy(
            file,
            presence: presence,
            identity: newIdentity,
            cipher: session,
            keyCount: live.count,
            size: live.size,
            maximum: options.maximumSize,
            willGrow: true
        ) { size throws(MappedStoreError) in
            try writing { view throws(MappedStoreError) in
                if view.file === source.file { try view.releaseRoom(atLeast: size) }
                return Aftermath()
            }
        }
        try addRecords(&copy, at: origin.offsets, of: origin.view, step)
        // Syncs now, so that little is left to sync under the lock.
        try copy.synchronize()
        var progress = Rewrite(source: source, snapshotEnd: snapshot.totals.end, copiedEnd: snapshot.totals.end)
        progress.keepsRecords = keepsRecords
        while progress.keepsRecords, case let end = unsafe source.header.end, end - progress.copiedEnd > 256 << 10, end <= source.length {
            try addTail(&copy, progress.copiedEnd..<end, of: source)
            progress.copiedEnd = end
        }
        try install(&copy, presence, file, progress, identity)
    }

    /// The progress of a rewrite.
    private struct Rewrite {
        /// The view of the old file.
        let source: MappedView
        /// The end of the old file's records when it began.
        let snapshotEnd: Int
        /// The end of the records copied so far.
        var copiedEnd: Int
        /// Whether the old file's records are kept.
        var keepsRecords = false
    }

    /// Under the writers' lock, completes the new file and puts it in place of the old one, in this order:
    ///
    /// 1. The rest of the records is copied and the new header completed, so that the new file lacks nothing when it gets the name.
    /// 2. What was synced in the old file, or replaces it without a copy, is synced in the new one: a power loss must not take it back.
    /// 3. The old file's state becomes *ending* before the rename. A process that syncs the old file from then on notices that it may no longer be the
    ///    store, and a sync just before is noticed here.
    /// 4. The rename is the instant at which the store changes. If it fails, the old file is the store again.
    /// 5. The new cipher comes before the state *replaced*: threads that find the file replaced open the new one with it.
    /// 6. The directory is synced last, without the lock. Until then, a power loss may bring the old file back.
    private func install(
        _ copy: inout MappedCopy,
        _ presence: FileLock,
        _ file: File,
        _ progress: Rewrite,
        _ identity: (MappedIdentity, (any MappedCipher)?)?
    ) throws(MappedStoreError) {
        let keepsRecords = progress.keepsRecords
        var installed: MappedView?
        try writing { view throws(MappedStoreError) in
            // Don't replace another file that was put in place of this one.
            try requirePlace(view)
            guard view.file === progress.source.file, try opening.isInPlace(view.file) else {
                throw MappedStoreError(.conflict, "could not rewrite \(path): another store has replaced it in the meantime; try again")
            }
            let header = unsafe view.header
            let totals = unsafe header.totals
            if keepsRecords { try addTail(&copy, progress.copiedEnd..<totals.end, of: view) }
            let new = try copy.complete(sequence: totals.sequence &+ (keepsRecords ? 0 : 1))
            let isSynced = unsafe options.durability == .synced || !keepsRecords || header.syncedEnd > progress.snapshotEnd
            if isSynced { try copy.synchronize() }
            unsafe header.state = SharedHeader.State.ending
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            do throws(MappedStoreError) {
                if !isSynced, unsafe header.syncedEnd > progress.snapshotEnd { try copy.synchronize() }
                try MappedStoreError.translating { () throws(FileError) in try file.rename(to: place) }
            } catch {
                unsafe header.state = SharedHeader.State.current
                throw error
            }
            if let identity { cipher.withLock { $0 = identity.1 } }
            unsafe header.state = SharedHeader.State.replaced
            replace(view, with: new)
            installed = new
            // Listeners find out through the state.
            unsafe header.ring()
            try MappedStoreError.translating { () throws(FileError) in try presence.share() }
            return Aftermath()
        }
        do throws(MappedStoreError) { try opening.synchronizeDirectory() } catch {
            // The former file has the same values: the next sync of the new one syncs its name.
            if keepsRecords, identity == nil { return }
            throw MappedStoreError(
                .ioError,
                "\(path) was replaced, but its directory could not be synced: after a power failure, the old file may reappear",
                cause: error
            )
        }
        if let installed { unsafe installed.header.isNameSynced = true }
    }

    /// Copies the records at `offsets`, except removals and expired ones. Damaged records stay damaged: lists and verifications must not miss them.
    private func addRecords(
        _ copy: inout MappedCopy,
        at offsets: [Int],
        of source: MappedView,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        let damaged = DamagedRecords(source)
        for (index, offset) in offsets.enumerated() {
            if index % 1024 == 0 { try step(Double(index) / Double(offsets.count)) }
            if index + 16 < offsets.count { source.prefetch(at: offsets[index + 16]) }
            if index + 8 < offsets.count { copy.expect(offsets[index + 8], of: source) }
            if let record = source.record(at: offset) {
                if record.isRemoved, source.isIntact(record) { continue }
                if isExpired(record, source), source.isIntact(record) { continue }
                if try copy.add(record, of: source, isNew: true) { continue }
            }
            if !damaged.isSuperseded(offset) { try copy.addDamage() }
        }
        guard source.isIntact else { throw truncatedError }
    }

    /// Copies the records in the order in which they were written, except those whose keys were set again since: the newer ones follow.
    private func addTail(_ copy: inout MappedCopy, _ range: Range<Int>, of source: MappedView) throws(MappedStoreError) {
        var offset = range.lowerBound
        // In batches, so that the cache fetches all of their slots at once.
        var batch: [(record: MappedRecord, hash: UInt64)] = []
        while offset < range.upperBound {
            batch.removeAll(keepingCapacity: true)
            while offset < range.upperBound, batch.count < 32 {
                guard let record = source.record(at: offset), record.end <= range.upperBound else {
                    throw MappedStoreError(.corruption, "\(path) is damaged; close the store and open it again, which repairs it")
                }
                if !record.isTable {
                    let hash = source.hash(of: record)
                    source.prefetchSlot(hash)
                    copy.prefetchSlot(hash)
                    batch.append((record, hash))
                }
                offset = record.end
            }
            for (_, hash) in batch {
                source.prefetchRecord(hash)
                copy.prefetchRecord(hash)
            }
            for (record, hash) in batch where !source.hasNewer(than: record, hash: hash) { try copy.add(record, of: source) }
        }
    }
}
