import CairnCore
import Synchronization

extension MappedStore {
    /// Waits until the disk confirms every change made so far, by any process. When this returns, they survive power loss.
    ///
    /// - Throws: ``MappedStoreError/Code/ioError``, after which changes made since the last sync may not survive power loss. `replaced` if
    ///   the file was removed or replaced by another: changes made since then are lost. `readOnly`, `closed`.
    /// - Complexity: As long as the disk takes: milliseconds. Others can read and write during that time.
    public func sync() throws(MappedStoreError) {
        guard !options.readOnly else { throw MappedStoreError(.readOnly, "could not sync \(path): it was opened for reading only") }
        guard !refusesChanges.load(ordering: .relaxed) else { throw refused() }
        try reading { view throws(MappedStoreError) -> Void? in
            if unsafe !view.header.isNameSynced {
                try opening.synchronizeDirectory()
                unsafe view.header.isNameSynced = true
            }
            guard let end = try MappedStoreError.translating({ () throws(FileError) in try view.synchronize() }) else {
                guard unsafe view.header.capacity > view.length else { throw damagedError }
                return nil
            }
            guard view.isIntact else { throw truncatedError }
            guard view.isCurrentAfterSync(of: end) else { return nil }
            try requirePlace(view)
            return ()
        }
    }
}

extension MappedView {
    /// Waits until the disk confirms everything up to the end of the records, and returns that end; `nil` if the mapping does not reach that far.
    func synchronize() throws(FileError) -> Int? {
        let header = unsafe header
        let isInOrder = unsafe header.pendingEnd == 0
        // In this order: a change made in between moves the end before the sequence.
        let sequence = unsafe header.totals.sequence
        atomicMemoryFence(ordering: .acquiring)
        let end = unsafe header.end
        guard end <= length, unsafe header.capacity <= length else { return nil }
        try region.synchronize(0..<max(end, MappedLayout.headerSize))
        // The header says that all of that is on disk only after it is.
        guard isInOrder else { return end }
        unsafe header.syncedSequence = sequence
        try region.synchronize(0..<MappedLayout.headerSize)
        return end
    }
}
