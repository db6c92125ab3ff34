import CairnCore

extension MappedStore {
    /// With the writers' lock: makes room for `size` more bytes of records and `newKeys` more keys; returns whether the view can be used as it is.
    @inline(__always)
    func makeRoom(_ view: MappedView, _ totals: SharedHeader.Totals, size: Int, newKeys: Int) throws(MappedStoreError) -> Bool {
        let end = totals.end &+ size &+ 8
        let header = unsafe view.header
        if unsafe end <= header.capacity, end <= view.length, unsafe !view.table.isFull(totals.usedSlots &+ newKeys) { return true }
        return try makeMoreRoom(view, totals, end: end, newKeys: newKeys, isLarge: size > 256 << 10)
    }

    @inline(never)
    private func makeMoreRoom(
        _ view: MappedView,
        _ totals: SharedHeader.Totals,
        end: Int,
        newKeys: Int,
        isLarge: Bool
    ) throws(MappedStoreError) -> Bool {
        // Where nothing has changed yet.
        try requirePlace(view)
        let header = unsafe view.header
        let isFull = unsafe view.table.isFull(totals.usedSlots + newKeys)
        if isFull {
            // A damaged table must not be copied.
            guard try trustedTotals(view) != nil else { return false }
        } else if unsafe !header.isConsistent {
            try rebuild(view)
            return false
        }
        let tableSize =
            unsafe isFull
            ? IndexTable.size(at: totals.end, slotCount: IndexTable.slotCount(for: totals.count + newKeys, isTight: false)) : 0
        let reach = unsafe max(end + tableSize + 64, header.capacity)
        if reach > view.length {
            // Before address space is taken for what the disk cannot hold.
            let size = min(Int64(reach), options.maximumSize?.bytes ?? .max)
            try MappedStoreError.translating { () throws(FileError) in try view.file.requireRoom(for: size) }
            replace(view, with: try enlarged(view, to: reach))
            return false
        }
        guard isFull else {
            // Large values are not written through the mapping.
            try view.reserve(end, maximum: options.maximumSize, touches: !isLarge)
            return true
        }
        // A separate commit, which the next view shows. The change that needs the room then continues with that view.
        let plan = try unsafe TablePlan(for: totals.count + newKeys, from: view.table, in: view, totals, maximum: options.maximumSize)
        var totals = totals
        let written = try plan.apply(to: view, &totals)
        replace(view, with: unsafe view.with(indexOffset: written.offset, table: written.table))
        return false
    }
}
