import CairnCore

extension MappedStore {
    /// Has the disk confirm every change made so far, by any process: they survive power loss when this returns.
    ///
    /// - Throws: ``MappedStoreError/Code/ioError``: what was changed since the last sync is in doubt then. `readOnly`, `closed`.
    /// - Complexity: As long as the disk takes, milliseconds. Others read and write meanwhile.
    public func sync() throws(MappedStoreError) {
        guard !options.readOnly else { throw MappedStoreError(.readOnly, "could not sync \(path): it was opened for reading only") }
        try reading { view throws(MappedStoreError) -> Void? in
            let header = unsafe view.header
            let totals = unsafe header.totals
            let isInOrder = unsafe header.pendingEnd == 0
            try MappedStoreError.translating { () throws(FileError) in
                try view.region.synchronize(0..<min(totals.end, view.length))
                // The header says that all of that is on the disk only after it is.
                guard isInOrder else { return }
                unsafe header.syncedSequence = totals.sequence
                try view.region.synchronize(0..<MappedLayout.headerSize)
            }
            return view.isCurrent ? () : nil
        }
    }
}
