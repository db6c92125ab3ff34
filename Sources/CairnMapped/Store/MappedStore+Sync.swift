import CairnCore
import Synchronization

extension MappedStore {
    /// Has the disk confirm every change made so far, by any process: they survive power loss when this returns.
    ///
    /// - Throws: ``MappedStoreError/Code/ioError``: what was changed since the last sync is in doubt then. `readOnly`, `closed`.
    /// - Complexity: As long as the disk takes, milliseconds. Others read and write meanwhile.
    public func sync() throws(MappedStoreError) {
        guard !options.readOnly else { throw MappedStoreError(.readOnly, "could not sync \(path): it was opened for reading only") }
        try reading { view throws(MappedStoreError) -> Void? in
            if unsafe !view.header.isNameSynced {
                try opening.synchronizeDirectory()
                unsafe view.header.isNameSynced = true
            }
            guard let end = try MappedStoreError.translating({ () throws(FileError) in try view.synchronize() }) else {
                guard unsafe view.header.capacity > view.length else { throw damagedError }
                return nil
            }
            guard view.region.isIntact else { throw truncatedError }
            return view.isCurrentAfterSync(of: end) ? () : nil
        }
    }
}

extension MappedView {
    /// Has the disk confirm everything up to the end of the records, which is returned; `nil` where the mapping does not reach that far.
    func synchronize() throws(FileError) -> Int? {
        let header = unsafe header
        let isInOrder = unsafe header.pendingEnd == 0
        // In this order: whoever changes something meanwhile moves the end first.
        let sequence = unsafe header.totals.sequence
        atomicMemoryFence(ordering: .acquiring)
        let end = unsafe header.end
        guard end <= length, unsafe header.capacity <= length else { return nil }
        try region.synchronize(0..<max(end, MappedLayout.headerSize))
        // The header says that all of that is on the disk only after it is.
        guard isInOrder else { return end }
        unsafe header.syncedSequence = sequence
        try region.synchronize(0..<MappedLayout.headerSize)
        return end
    }
}
