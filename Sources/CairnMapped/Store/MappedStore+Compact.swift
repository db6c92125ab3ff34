import CairnCore
import Dispatch
import Synchronization

extension MappedStore {
    /// Writes the file anew without what was replaced, removed or has expired, and puts it in place of the old one. Others read and write
    /// meanwhile; writers wait at the end, while what they wrote since the beginning is copied.
    ///
    /// The store does this by itself: see ``MappedStoreOptions/compaction``. A kill at any instant leaves the old file or the new one.
    ///
    /// - Throws: ``MappedStoreError``: `busy` while another process compacts, `noSpace`: the store is as it was. `readOnly`, `closed`, `ioError`.
    /// - Complexity: O(n); twice the space of what is live, for as long as it lasts.
    public func compact() throws(MappedStoreError) {
        try rewrite("compact", keepsRecords: true, identity: nil)
    }

    /// Removes all values at once; the space is given back.
    ///
    /// - Throws: As ``compact()``.
    /// - Complexity: O(1).
    public func removeAll() throws(MappedStoreError) {
        try rewrite("empty", keepsRecords: false, identity: nil)
    }

    /// Encrypts the store with another cipher, or none: everything is written anew. Other processes that have the store open throw
    /// ``MappedStoreError/Code/wrongKey`` or ``MappedStoreError/Code/keyNeeded`` from then on, until they open it with the new cipher.
    ///
    /// A kill at any instant leaves the store wholly under the old cipher or wholly under the new one.
    ///
    /// - Throws: As ``compact()``; ``MappedStoreError/Code/codec`` where the cipher fails.
    public func changeCipher(to new: (any MappedCipher)?) throws(MappedStoreError) {
        try rewrite("change the cipher of", keepsRecords: true, identity: (try MappedFile.prepare(new), new))
    }

    /// Compacts on another thread, unless that is under way.
    @inline(never)
    func compactInBackground() {
        let turn = compaction.current
        guard !turn.isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let self else { return }
            do throws(MappedStoreError) {
                try compact()
            } catch {
                // The store goes on as it is. Trying again at once would fail again.
                leastWaste.store(leastWaste.load(ordering: .relaxed) &* 2, ordering: .relaxed)
            }
            turn.isDue.store(false, ordering: .releasing)
        }
    }

    // MARK: Writing anew

    /// Writes the file anew and switches to it.
    ///
    /// - Parameter identity: what the new file says of itself, and the cipher that this belongs to; `nil` to keep both.
    private func rewrite(
        _ purpose: String, keepsRecords: Bool, identity: (MappedIdentity, (any MappedCipher)?)?
    ) throws(MappedStoreError) {
        guard !options.readOnly else {
            throw MappedStoreError(.readOnly, "could not \(purpose) \(path): it was opened for reading only")
        }
        var failure: MappedStoreError?
        compaction.current.lock.withLock { _ in
            do throws(MappedStoreError) { try rewriteAlone(purpose, keepsRecords: keepsRecords, identity: identity) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func rewriteAlone(
        _ purpose: String, keepsRecords: Bool, identity: (MappedIdentity, (any MappedCipher)?)?
    ) throws(MappedStoreError) {
        let (file, presence) = try takeTemporary(purpose)
        do throws(MappedStoreError) {
            try rewrite(into: file, presence, keepsRecords: keepsRecords, identity: identity)
        } catch {
            // Unless it has taken the store's place already.
            if let identity = try? file.status().identity, (try? fileSystem.stat(file.path).identity) == identity {
                try? fileSystem.unlink(file.path)
            }
            throw error
        }
    }

    /// The file to write to, and the lock on it that keeps other processes from doing the same. What a process left there that died is
    /// used again.
    private func takeTemporary(_ purpose: String) throws(MappedStoreError) -> (File, FileLock) {
        let (directory, name) = FileSystem.split(path)
        let place = FileSystem.join(directory, ".\(name).compact")
        while true {
            do throws(FileError) {
                let file = try File(place, [.read, .write, .create], mode: 0o600, fileSystem: fileSystem)
                let lock = try FileLock(file, .exclusive, lastsUntilClosed: true)
                // Somebody may have finished, and given the file its name, between the two calls.
                let identity = try file.status().identity
                if (try? fileSystem.stat(place).identity) == identity { return (file, lock) }
            } catch {
                guard error.code != .locked else {
                    throw MappedStoreError(.busy, "could not \(purpose) \(path): another process is writing it anew at this moment", cause: error)
                }
                throw MappedStoreError(error)
            }
        }
    }

    private func rewrite(
        into file: File, _ presence: FileLock, keepsRecords: Bool, identity: (MappedIdentity, (any MappedCipher)?)?
    ) throws(MappedStoreError) {
        // What is there now. What comes later is copied at the end: records do not change, so nobody has to wait meanwhile.
        let (source, totals, offsets) = try snapshot()
        try MappedStoreError.translating { () throws(FileError) in
            try file.truncate(to: 0)
            try file.setMode(try source.file.status().mode)
        }
        let newIdentity = identity?.0 ?? source.identity
        let session = identity == nil ? source.cipher : try MappedFile.session(newIdentity, identity?.1, path)
        var copy = try MappedCopy(
            file, presence: presence, identity: newIdentity, cipher: session, keyCount: keepsRecords ? offsets.count : 0,
            size: keepsRecords ? offsets.reduce(0) { $0 + (source.record(at: $1)?.size ?? 0) } : 0, maximum: options.maximumSize)
        let snapshotEnd = totals.end
        var copiedEnd = snapshotEnd
        if keepsRecords {
            for offset in offsets {
                guard let record = source.record(at: offset), !isExpired(record, source) else { continue }
                try copy.add(record, of: source)
            }
        }
        try copy.synchronize()
        while keepsRecords, case let end = unsafe source.header.end, end - copiedEnd > 256 << 10, end <= source.length {
            try addTail(&copy, copiedEnd..<end, of: source)
            copiedEnd = end
        }
        var installed: MappedView?
        try writing { view throws(MappedStoreError) in
            guard view.file === source.file else {
                throw MappedStoreError(.conflict, "could not write \(path) anew: it was replaced meanwhile")
            }
            let header = unsafe view.header
            let totals = unsafe header.totals
            if keepsRecords { try addTail(&copy, copiedEnd..<totals.end, of: view) }
            let new = try copy.complete(sequence: totals.sequence &+ (keepsRecords ? 0 : 1))
            // What is on the disk of the old file must be there of the new one.
            let isSynced = unsafe options.durability == .synced || !keepsRecords || header.syncedEnd > snapshotEnd
            if isSynced { try copy.synchronize() }
            unsafe header.state = SharedHeader.State.ending
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            do throws(MappedStoreError) {
                // Whoever syncs the old file says so before it looks whether that is still the store.
                if !isSynced, unsafe header.syncedEnd > snapshotEnd { try copy.synchronize() }
                do throws(SystemCallError) { try fileSystem.rename(file.path, to: path) } catch {
                    throw MappedStoreError(FileError("could not rename \(file.path) to", path, cause: error))
                }
            } catch {
                unsafe header.state = SharedHeader.State.current
                throw error
            }
            unsafe header.state = SharedHeader.State.replaced
            if let identity { cipher.withLock { $0 = identity.1 } }
            replace(view, with: new)
            installed = new
            // Those who wait for changes find out by the state.
            unsafe header.ring()
            try MappedStoreError.translating { () throws(FileError) in try presence.share() }
            return Aftermath()
        }
        try opening.synchronizeDirectory()
        if let installed { unsafe installed.header.isNameSynced = true }
    }

    /// Copies the records that were written one after another.
    private func addTail(_ copy: inout MappedCopy, _ range: Range<Int>, of source: MappedView) throws(MappedStoreError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard let record = source.record(at: offset), record.end <= range.upperBound else {
                throw MappedStoreError(.corruption, "\(path) is damaged; close the store and open it again, which brings it in order")
            }
            if !record.isTable { try copy.add(record, of: source) }
            offset = record.end
        }
    }
}
