import CairnCore
import Synchronization

/// Finds out whether the path still leads to the file of the store. If others removed or replaced the file, changes still reach it, but nobody will
/// find them there.
///
/// A change makes no system call, so it cannot find out. The check, which is one call, is made where a call is made anyway: when the file grows, is
/// synced, compacted or verified, at closing, once a second while there are listeners, and when this process opens a store at the path, or puts one
/// there. From then on, changes are refused.
extension MappedStore {
    /// Makes sure that the path leads to the file.
    ///
    /// - Throws: ``MappedStoreError``: `replaced` if it does not.
    func requirePlace(_ view: MappedView) throws(MappedStoreError) {
        // Read before the path is examined: later changes are not known to be in place.
        let sequence = unsafe view.header.totals.sequence
        switch whereabouts(of: view) {
        case .inPlace: sequenceInPlace.store(sequence, ordering: .relaxed)
        case .unknown: break
        case .lost(let how): throw lose(how, isReported: true)
        }
    }

    /// Same as ``requirePlace(_:)``, where the error cannot be thrown: it is reported by the next change, or when the store is closed.
    func notePlace(_ view: MappedView) -> MappedStoreError? {
        guard case .lost(let how) = whereabouts(of: view) else { return nil }
        return lose(how, isReported: false)
    }

    /// Returns the error for closing the store, if there is one that no call has reported.
    func unreportedLoss(_ view: MappedView) -> MappedStoreError? {
        guard !options.readOnly else { return nil }
        // Nothing can have been lost that was not lost with the file itself.
        guard unsafe view.header.totals.sequence != sequenceInPlace.load(ordering: .relaxed) else { return nil }
        if refusesChanges.load(ordering: .relaxed) {
            return state.withLock { $0.loss.flatMap { $0.isReported ? nil : $0.error } }
        }
        guard case .lost(let how) = whereabouts(of: view) else { return nil }
        return lose(how, isReported: true)
    }

    /// The error of a change that is refused.
    @inline(never)
    func refused() -> MappedStoreError {
        let readOnly = MappedStoreError(.readOnly, "could not change \(path): it was opened for reading only")
        guard !options.readOnly else { return readOnly }
        return state.withLock { state in
            state.loss?.isReported = true
            return state.loss?.error ?? readOnly
        }
    }

    /// The error of a background compaction reached nobody.
    func forgetReport() { state.withLock { $0.loss?.isReported = false } }

    private func lose(_ how: String, isReported: Bool) -> MappedStoreError {
        let error = MappedStoreError(
            .replaced,
            "\(path) \(how) while the store was open: changes made since then are not in the file at this path. "
                + (options.readOnly ? "Close" : "To keep them, back the store up to another path. Close") + " the store and open it again"
        )
        state.withLock { $0.loss = (error, isReported || $0.loss?.isReported == true) }
        refusesChanges.store(true, ordering: .relaxed)
        return error
    }

    private enum Whereabouts {
        /// The path leads to the file.
        case inPlace
        /// Others removed, moved or replaced the file that the path led to; the text says which.
        case lost(String)
        /// A store has replaced the file, or it cannot be determined where the path leads.
        case unknown
    }

    private func whereabouts(of view: MappedView) -> Whereabouts {
        let how: String
        do throws(SystemCallError) {
            if try fileSystem.stat(place).identity == view.fileIdentity { return .inPlace }
            how = "was replaced by another file"
        } catch {
            // The directory may have become inaccessible to this process, which says nothing about the file.
            guard FileError("could not examine", path, cause: error).code == .notFound || (try? view.file.status().linkCount) == 0 else {
                return .unknown
            }
            how = "was removed or moved"
        }
        // Stores set the state before they replace the file, so it is read after the path.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return unsafe view.header.state == SharedHeader.State.current ? .lost(how) : .unknown
    }
}

extension MappedStore {
    /// The permission bits of the store's file, for what is exported from it.
    package func fileMode() throws(MappedStoreError) -> UInt32 {
        try reading { view throws(MappedStoreError) in
            try MappedStoreError.translating { () throws(FileError) in try view.file.status().mode }
        }
    }
}
