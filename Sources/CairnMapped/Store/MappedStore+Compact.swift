import CCairn
import CairnCore
import Synchronization

extension MappedStore {
    /// Rewrites the file without replaced, removed and expired values, and puts it in place of the old one. Others can read and write meanwhile;
    /// writers wait at the end, while what they wrote since the beginning is copied.
    ///
    /// The store does this automatically: see ``MappedStoreOptions/compaction``. A kill at any instant leaves the old file or the new one.
    ///
    /// - Parameter progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `busy` while another process compacts, within the closure of a transaction or of a progress report;
    ///   `conflict` if the file was replaced or removed meanwhile; `noSpace`, `readOnly`, `closed`, `ioError`. The store is then unchanged.
    /// - Complexity: O(n). Takes twice the space of the live data while it runs.
    public func compact(progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) {
        try rewrite("compact", .live) { progress($0) }
    }

    /// Same as ``compact(progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``compact(progress:)``, and `cancelled`; the store is then unchanged.
    public func compactInBackground(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(MappedStoreError) {
        try await offPool("compact", progress) { step throws(MappedStoreError) in try self.rewrite("compact", .live, step) }
    }

    /// Removes all values at once and returns their space to the file system.
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
    /// A kill at any instant leaves the store entirely under the old cipher or entirely under the new one. Passing the same cipher again is allowed:
    /// the keys derived from its key are then new.
    ///
    /// Damaged values cannot be decrypted and encrypted again: such a key, if it was known, has no value afterwards. ``verify(progress:)`` keeps
    /// counting it in ``MappedVerification/unreadableCount``.
    ///
    /// - Parameters:
    ///   - new: The new cipher, or `nil` for none.
    ///   - progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: Same as ``compact(progress:)``; ``MappedStoreError/Code/codec`` if the cipher fails. If the message of an `ioError` says that the file
    ///   was replaced, the store has the new cipher, but may have the old one again after a power loss: keep both keys.
    public func changeCipher(
        to new: (any MappedCipher)?,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(MappedStoreError) {
        try rewrite("change the cipher of", .live, identity: (try MappedFile.prepare(new), new)) { progress($0) }
    }

    /// Same as ``changeCipher(to:progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``changeCipher(to:progress:)``, and `cancelled`; the store is then unchanged.
    public func changeCipherInBackground(
        to new: (any MappedCipher)?,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) {
        try await offPool("change the cipher of", progress) { step throws(MappedStoreError) in
            try self.rewrite("change the cipher of", .live, identity: (try MappedFile.prepare(new), new), step)
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
        do throws(MappedStoreError) {
            try compact()
            // While a store is written to continuously, more waste accumulates each time, up to eight times as much.
            let isHurried = state.withLock { state in
                defer { state.lastCompaction = .now }
                return state.lastCompaction.map { start - $0 < .seconds(1) } ?? false
            }
            if isHurried { next = min(threshold &* 2, least &* 8) }
        } catch {
            // The store continues unchanged. Retrying at once would fail again.
            next = error.code == .busy ? min(threshold &* 2, least &* 8) : threshold &* 2
        }
        leastWaste.store(max(next, least), ordering: .relaxed)
        turn.isDue.store(false, ordering: .releasing)
    }

    // MARK: Writing anew

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
        try writing { _ in Aftermath() }
        let turn = compaction.current
        guard !turn.isMine else {
            throw MappedStoreError(
                .busy,
                "could not \(purpose) \(path): this thread is writing it anew; a closure that is told of progress may not"
            )
        }
        var failure: MappedStoreError?
        turn.lock.withLock { _ in
            turn.begin()
            defer { turn.end() }
            do throws(MappedStoreError) { try rewriteAlone(purpose, contents, identity, step) } catch { failure = error }
        }
        if let failure { throw failure }
        // Before there can be another new file: listeners here then miss none of this process's own changes.
        feed.catchUp(self)
    }

    private func rewriteAlone(
        _ purpose: String,
        _ contents: NewContents,
        _ identity: (MappedIdentity, (any MappedCipher)?)?,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        let (file, presence) = try takeTemporary(beside: path, "compact", purpose)
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

    /// Returns the file to write before it replaces `path`, and the lock on it.
    func takeTemporary(beside path: String, _ suffix: String, _ purpose: String) throws(MappedStoreError) -> (File, FileLock) {
        try TemporaryPlace(path: path, suffix: suffix, fileSystem: fileSystem).take(purpose)
    }

    private func rewrite(
        into file: File,
        _ presence: FileLock,
        _ contents: NewContents,
        _ identity: (MappedIdentity, (any MappedCipher)?)?,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        // The current contents. What is added later is copied at the end: records do not change, so nobody has to wait meanwhile.
        let (source, totals, offsets) = try snapshot()
        try MappedStoreError.translating { () throws(FileError) in
            try file.truncate(to: 0)
            try file.setMode(try source.file.status().mode)
        }
        let newIdentity = identity?.0 ?? source.identity
        let session = identity == nil ? source.cipher : try MappedFile.session(newIdentity, identity?.1, path)
        let origin: (view: MappedView, totals: SharedHeader.Totals, offsets: [Int]) =
            switch contents {
            case .live: (source, totals, offsets)
            case .nothing: (source, SharedHeader.Totals(), [])
            case .values(let other): try other.snapshot()
            }
        let keepsRecords = if case .live = contents { true } else { false }
        var copy = try MappedCopy(
            file,
            presence: presence,
            identity: newIdentity,
            cipher: session,
            keyCount: origin.offsets.count,
            size: origin.offsets.reduce(0) { $0 + (origin.view.record(at: $1)?.size ?? 0) },
            maximum: options.maximumSize
        )
        let (records, places) = (origin.view, origin.offsets)
        let snapshotEnd = totals.end
        var copiedEnd = snapshotEnd
        for (index, offset) in places.enumerated() {
            if index % 1024 == 0 { try step(Double(index) / Double(places.count)) }
            if index + 16 < places.count { records.prefetch(at: places[index + 16]) }
            if index + 8 < places.count { copy.expect(places[index + 8], of: records) }
            guard let record = records.record(at: offset), !isExpired(record, records) else { continue }
            try copy.add(record, of: records, isNew: true)
        }
        guard records.region.isIntact else { throw truncatedError }
        try copy.synchronize()
        while keepsRecords, case let end = unsafe source.header.end, end - copiedEnd > 256 << 10, end <= source.length {
            try addTail(&copy, copiedEnd..<end, of: source)
            copiedEnd = end
        }
        var installed: MappedView?
        try writing { view throws(MappedStoreError) in
            // Don't replace a file that somebody put in place after removing this one.
            guard view.file === source.file, try opening.isInPlace(view.file) else {
                throw MappedStoreError(.conflict, "could not write \(path) anew: it was replaced or removed meanwhile")
            }
            let header = unsafe view.header
            let totals = unsafe header.totals
            if keepsRecords { try addTail(&copy, copiedEnd..<totals.end, of: view) }
            let new = try copy.complete(sequence: totals.sequence &+ (keepsRecords ? 0 : 1))
            // Data of the old file that is on disk must be on disk in the new file too.
            let isSynced = unsafe options.durability == .synced || !keepsRecords || header.syncedEnd > snapshotEnd
            if isSynced { try copy.synchronize() }
            unsafe header.state = SharedHeader.State.ending
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            do throws(MappedStoreError) {
                // Whoever syncs the old file records that before checking whether it is still the store's file.
                if !isSynced, unsafe header.syncedEnd > snapshotEnd { try copy.synchronize() }
                try MappedStoreError.translating { () throws(FileError) in try file.rename(to: path) }
            } catch {
                unsafe header.state = SharedHeader.State.current
                throw error
            }
            // In this order: whoever finds the file replaced opens the new one.
            if let identity { cipher.withLock { $0 = identity.1 } }
            unsafe header.state = SharedHeader.State.replaced
            replace(view, with: new)
            installed = new
            // Those who wait for changes find out through the state.
            unsafe header.ring()
            try MappedStoreError.translating { () throws(FileError) in try presence.share() }
            return Aftermath()
        }
        do throws(MappedStoreError) { try opening.synchronizeDirectory() } catch {
            // The former file has the same values: the next sync of the new one syncs its name.
            if keepsRecords, identity == nil { return }
            throw MappedStoreError(
                .ioError,
                "\(path) was replaced, but its directory could not be synced: after a power loss, the former file may be back",
                cause: error
            )
        }
        if let installed { unsafe installed.header.isNameSynced = true }
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
                    throw MappedStoreError(.corruption, "\(path) is damaged; close the store and open it again, which brings it in order")
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
