import CairnCore

extension MappedStore {
    /// With the writers' lock: repairs what a writer that died left behind.
    func repair(_ view: MappedView) throws(MappedStoreError) {
        guard try settle(view) == SharedHeader.State.current else { return }
        let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
        if unsafe view.header.capacity > size { unsafe view.header.capacity = size }
        if unsafe view.header.pendingEnd != 0 { try rebuild(view) }
    }

    /// With the writers' lock: rebuilds the index from the records; returns whether some of them are damaged.
    @discardableResult
    func rebuild(_ view: MappedView) throws(MappedStoreError) -> Bool {
        // The file may extend beyond this mapping, or beyond what its header says.
        let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
        guard size >= MappedLayout.headerSize, view.isIntact else { throw truncatedError }
        var rebuild = MappedRebuild(view: size > view.length ? try enlarged(view, to: size) : view, size: size, isSameBoot: true)
        rebuild.run()
        if rebuild.reach > max(size, view.length) {
            rebuild = MappedRebuild(view: try enlarged(view, to: rebuild.reach), size: size, isSameBoot: true)
            rebuild.run()
        }
        _ = try rebuild.writeTable(maximum: nil)
        return rebuild.isDamaged
    }

    /// With the writers' lock: returns the totals, or `nil` if they or the index were damaged and have been rebuilt.
    func trustedTotals(_ view: MappedView) throws(MappedStoreError) -> SharedHeader.Totals? {
        let totals = unsafe view.header.totals
        if isIndexTrustworthy(view) { return totals }
        try rebuild(view)
        return nil
    }

    /// With the writers' lock: whether totals and index are as they were written.
    func isIndexTrustworthy(_ view: MappedView) -> Bool {
        unsafe view.header.isConsistent && view.indexSum == view.header.totals.indexSum
    }
}
