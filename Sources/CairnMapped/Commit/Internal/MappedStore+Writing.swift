import CairnCore
import Synchronization

extension MappedStore {
    /// What remains to be done after a change, without the lock.
    struct Aftermath {
        var start = 0
        var end = 0
        /// The number of changes of a transaction that had an effect.
        var count = 0
        var isWasteful = false
    }

    /// Whether another thread or process is changing the store at this moment, so that a change would have to wait.
    package var isBeingChanged: Bool {
        get throws(MappedStoreError) {
            guard !options.readOnly else { return false }
            return try reading { view in lock.isHeld(view) }
        }
    }

    /// Runs `body` with the writers' lock on the current view, which is in order, and then does what remains after its change. `body` returns `nil`
    /// if it needs another view or has changed the index. `prepare` is called before, without the lock.
    @inline(__always)
    func writing(
        preparing prepare: (MappedView) -> Void = { _ in },
        _ body: (MappedView) throws(MappedStoreError) -> Aftermath?
    ) throws(MappedStoreError) {
        guard !refusesChanges.load(ordering: .relaxed) else { throw refused() }
        try locked(preparing: prepare, body)
    }

    /// Same as ``writing(preparing:_:)``, for reads that need the lock: not refused after the file was lost. The store must be open for writing.
    @inline(__always)
    func locked(
        preparing prepare: (MappedView) -> Void = { _ in },
        _ body: (MappedView) throws(MappedStoreError) -> Aftermath?
    ) throws(MappedStoreError) {
        let outcome = try reading { view throws(MappedStoreError) -> Aftermath? in
            prepare(view)
            let aftermath = try lock.withLock(view) { () throws(MappedStoreError) -> Aftermath? in
                guard view.isCurrent, unsafe view.header.pendingEnd == 0, unsafe view.header.capacity <= view.length else {
                    try repair(view)
                    return nil
                }
                return try body(view)
            }
            if let aftermath, aftermath.end > 0 { try announce(aftermath, view) }
            guard view.isIntact else { throw truncatedError }
            return aftermath
        }
        if outcome.isWasteful { compactSoon() }
    }

    /// After a change, without the lock: wakes waiting listeners, and waits for the disk if requested.
    @inline(__always)
    private func announce(_ aftermath: Aftermath, _ view: MappedView) throws(MappedStoreError) {
        #if !arch(x86_64)
        // On x86, unlocking was a full barrier.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        #endif
        if unsafe view.header.hasWaiters { unsafe view.header.ring() }
        if options.durability == .synced { try confirm(aftermath, view) }
    }

    @inline(never)
    private func confirm(_ aftermath: Aftermath, _ view: MappedView) throws(MappedStoreError) {
        guard aftermath.end <= view.length, unsafe view.header.isNameSynced else { return try sync() }
        // Others may have made changes before without waiting for the disk: this syncs everything up to the end.
        let start = unsafe min(aftermath.start, view.header.syncedEnd)
        try MappedStoreError.translating { () throws(FileError) in try view.region.synchronize(start..<aftermath.end) }
        // If a compaction came in between, the change is in another file.
        guard view.isCurrentAfterSync(of: aftermath.end) else { return try sync() }
        try requirePlace(view)
    }

    @inline(__always)
    func aftermath(_ view: MappedView, _ totals: SharedHeader.Totals, start: Int) -> Aftermath {
        var aftermath = Aftermath(start: start, end: totals.end)
        aftermath.isWasteful = isWasteful(view, totals)
        return aftermath
    }

    /// Whether the file should be rewritten.
    @inline(__always)
    private func isWasteful(_ view: MappedView, _ totals: SharedHeader.Totals) -> Bool {
        guard let ratio = options.compaction.wasteRatio else { return false }
        let tableSize = unsafe Int(truncatingIfNeeded: view.table.count) &* 8
        let waste = totals.end &- MappedLayout.headerSize &- totals.liveBytes &- tableSize
        return waste > leastWaste.load(ordering: .relaxed) && Double(waste) > ratio * Double(totals.end)
    }
}
