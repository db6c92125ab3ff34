import CairnCore
import Synchronization

/// What the index leads to at one instant.
struct Snapshot {
    var view: MappedView
    var totals: SharedHeader.Totals
    /// The offsets of records, in ascending order.
    var offsets: [Int]
    /// Whether the index was damaged and has been rebuilt without some damaged records.
    var hasLost = false
    /// Whether the index and the totals were as they were written; not known of an index that was read while others wrote.
    var isIndexIntact = true
}

extension MappedStore {
    /// Returns the offsets of the records of all keys that have a value, at one instant, in ascending order, and the totals of that instant.
    ///
    /// While others hold the writers' lock, or this thread does, as in a transaction, the index is read without the lock, if the index is in order
    /// and does not change in the meantime.
    ///
    /// - Parameters:
    ///   - repairs: Whether to rebuild a damaged index from the records first.
    ///   - isWhole: Whether to include the records of removed keys, and offsets that no longer hold a record.
    func snapshot(
        repairs: Bool = true,
        isWhole: Bool = false
    ) throws(MappedStoreError) -> Snapshot {
        var result: Snapshot?
        var hasLost = false
        if options.readOnly {
            result = try reading { view throws(MappedStoreError) in
                for _ in 0..<4 {
                    let totals = view.totals
                    // Where the file outgrew the mapping, records are out of sight, not damaged.
                    if totals.end > view.length, view.hasOutgrownMapping { return nil }
                    let offsets = offsets(in: view, isWhole: isWhole)
                    let isIndexIntact = view.indexSum == totals.indexSum
                    if view.privateTable != nil { return Snapshot(view: view, totals: totals, offsets: offsets) }
                    // Earlier reads must not move after this.
                    atomicMemoryFence(ordering: .acquiring)
                    if unsafe view.header.pendingEnd == 0, view.totals == totals {
                        return Snapshot(view: view, totals: totals, offsets: offsets, isIndexIntact: isIndexIntact)
                    }
                    Self.yield()
                }
                return try snapshotBesideWriters(view, isWhole: isWhole)
            }
        } else if let quiet = try snapshotWithoutLock(isWhole: isWhole) {
            result = quiet
        } else {
            try locked { view throws(MappedStoreError) in
                let isIndexIntact = isIndexTrustworthy(view)
                if repairs, !isIndexIntact {
                    let former = unsafe view.header.isConsistent ? view.totals.count : nil
                    let isDamaged = try rebuild(view)
                    if isDamaged, unsafe view.header.totals.count != former { hasLost = true }
                    return nil
                }
                let offsets = offsets(in: view, isWhole: isWhole)
                let count = isWhole ? liveCount(offsets, view) : offsets.count
                if repairs, count != view.totals.count, !DamagedRecords(view).exist(in: self.offsets(in: view, isWhole: true)) {
                    // A damaged record was replaced, but is still counted as a value. While there are damaged ones that were not replaced, the index
                    // is not rebuilt: it would forget them.
                    try rebuild(view)
                    return nil
                }
                result = Snapshot(view: view, totals: view.totals, offsets: offsets, isIndexIntact: isIndexIntact)
                return Aftermath()
            }
        }
        guard var result else { throw closedError }
        result.hasLost = hasLost
        return result
    }

    /// Same as ``snapshot(repairs:isWhole:)`` while the writers' lock is held: a transaction may take long, but changes nothing until it ends. Returns
    /// `nil` if the lock is free, or needed, since something has to be repaired or is changing right now.
    private func snapshotWithoutLock(isWhole: Bool) throws(MappedStoreError) -> Snapshot? {
        let outcome = try reading { view throws(MappedStoreError) -> Snapshot?? in
            guard lock.isHeld(view, orByThisThread: true) else { return .some(nil) }
            let header = unsafe view.header
            let totals = unsafe header.totals
            guard unsafe header.pendingEnd == 0, unsafe header.agrees(with: totals) else { return .some(nil) }
            if totals.end > view.length, view.hasOutgrownMapping { return nil }
            guard view.indexSum == totals.indexSum else { return .some(nil) }
            let offsets = offsets(in: view, isWhole: isWhole)
            let count = isWhole ? liveCount(offsets, view) : offsets.count
            // Earlier reads must not move after this.
            atomicMemoryFence(ordering: .acquiring)
            guard unsafe header.pendingEnd == 0, unsafe header.totals == totals, count == totals.count, view.isIntact else {
                return .some(nil)
            }
            return Snapshot(view: view, totals: totals, offsets: offsets)
        }
        return outcome
    }

    /// Same as ``snapshot(repairs:isWhole:)`` while others write continuously, or one of them died in the middle of a change: takes the index as it
    /// is, and adds the records written since. Returns `nil` if another view is needed.
    private func snapshotBesideWriters(
        _ view: MappedView,
        isWhole: Bool
    ) throws(MappedStoreError) -> Snapshot? {
        let header = unsafe view.header
        if unsafe header.end > view.length, view.hasOutgrownMapping { return nil }
        if unsafe header.pendingEnd != 0 {
            // The index may lag behind by the change in progress, whose beginning is not known.
            let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
            var rebuild = MappedRebuild(view: view, size: size, isSameBoot: true)
            rebuild.run()
            let found = rebuild.privateView()
            return Snapshot(
                view: found,
                totals: found.totals,
                offsets: offsets(in: found, isWhole: isWhole),
                hasLost: unsafe rebuild.isDamaged && found.totals.count != header.totals.count
            )
        }
        let start = unsafe header.end
        var offsets = offsets(in: view, isWhole: true).filter { $0 < start }
        let end = unsafe header.end
        guard end <= view.length else { return nil }
        var newest: [String: Int] = [:]
        var damaged: [Int] = []
        var offset = start
        while offset < end {
            guard let record = view.record(at: offset), record.end <= end else { throw damage(view) }
            if let key = record.isTable ? nil : key(of: record, view) {
                newest[key] = offset
            } else if !record.isTable {
                damaged.append(offset)
            }
            offset = record.end
        }
        if !newest.isEmpty {
            offsets.removeAll { view.record(at: $0).flatMap { key(of: $0, view) }.map { newest[$0] != nil } ?? false }
        }
        // They are behind all others.
        offsets += (newest.values + damaged).sorted()
        if !isWhole { offsets.removeAll { view.record(at: $0)?.isRemoved ?? true } }
        var totals = SharedHeader.Totals()
        for record in offsets.lazy.compactMap({ view.record(at: $0) }) where !record.isRemoved {
            totals.count += 1
            totals.liveBytes += record.size
        }
        totals.end = end
        totals.sequence = unsafe header.totals.sequence
        return Snapshot(view: view, totals: totals, offsets: offsets)
    }

    /// The offsets in the index, sorted so that the records are then read in the order in which they are in memory.
    private func offsets(in view: MappedView, isWhole: Bool) -> [Int] {
        var offsets: [Int] = []
        offsets.reserveCapacity(view.totals.count)
        for position in 0..<(unsafe view.table.count) {
            let slot = unsafe view.table[position]
            if slot != 0 { unsafe offsets.append(IndexTable.offset(of: slot)) }
        }
        offsets.sortOffsets()
        // If there is no record, one was damaged.
        if !isWhole { offsets.removeAll { view.record(at: $0)?.isRemoved ?? true } }
        return offsets
    }

    /// The number of records at these offsets that hold a value, as far as they can be read.
    func liveCount(_ offsets: [Int], _ view: MappedView) -> Int {
        offsets.count { offset in view.record(at: offset).map { !$0.isRemoved } ?? false }
    }
}
