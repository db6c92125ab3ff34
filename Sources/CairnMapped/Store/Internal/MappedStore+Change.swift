import CairnCore
import Synchronization

extension MappedStore {
    /// Runs `body` with the writers' lock on the current view, which is in order, and then does what remains after its change. `body` returns `nil`
    /// if it needs another view or has changed the index. `prepare` is called before, without the lock.
    @inline(__always)
    func writing(
        preparing prepare: (MappedView) -> Void = { _ in },
        _ body: (MappedView) throws(MappedStoreError) -> Aftermath?
    ) throws(MappedStoreError) {
        guard !options.readOnly else {
            throw MappedStoreError(.readOnly, "could not change \(path): it was opened for reading only")
        }
        let outcome = try reading { view throws(MappedStoreError) -> Aftermath? in
            prepare(view)
            let aftermath = try lock.withLock(view) { () throws(MappedStoreError) -> Aftermath? in
                guard view.isCurrent, unsafe view.header.pendingEnd == 0, unsafe view.header.capacity <= view.length else {
                    try mend(view)
                    return nil
                }
                return try body(view)
            }
            if let aftermath, aftermath.end > 0 { try announce(aftermath, view) }
            guard view.region.isIntact else { throw truncatedError }
            return aftermath
        }
        if outcome.isWasteful { compactSoon() }
    }

    /// After a change, without the lock: wakes those who wait for changes, and waits for the disk if requested.
    @inline(__always)
    private func announce(_ aftermath: Aftermath, _ view: MappedView) throws(MappedStoreError) {
        #if !arch(x86_64)
        // On x86, unlocking was a full barrier.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        #endif
        if unsafe view.header.waiters.pointee.load(ordering: .relaxed) != 0 { unsafe view.header.ring() }
        if options.durability == .synced { try confirm(aftermath, view) }
    }

    @inline(never)
    private func confirm(_ aftermath: Aftermath, _ view: MappedView) throws(MappedStoreError) {
        guard aftermath.end <= view.length, unsafe view.header.isNameSynced else { return try sync() }
        // Others may have made changes before without waiting for the disk: this syncs everything up to the end.
        let start = unsafe min(aftermath.start, view.header.syncedEnd)
        try MappedStoreError.translating { () throws(FileError) in try view.region.synchronize(start..<aftermath.end) }
        // If a compaction came in between, what was written is in another file.
        if !view.isCurrentAfterSync(of: aftermath.end) { try sync() }
    }

    /// With the writers' lock: repairs what a dead writer left behind.
    private func mend(_ view: MappedView) throws(MappedStoreError) {
        guard try settle(view) == SharedHeader.State.current else { return }
        let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
        if unsafe view.header.capacity > size { unsafe view.header.capacity = size }
        if unsafe view.header.pendingEnd != 0 { try rebuild(view) }
    }

    /// With the writers' lock: rebuilds the index from the records.
    func rebuild(_ view: MappedView) throws(MappedStoreError) {
        // The file may extend beyond this mapping, or beyond what its header says.
        let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
        guard size >= MappedLayout.headerSize, view.region.isIntact else { throw truncatedError }
        var rebuild = MappedRebuild(view: size > view.length ? try enlarged(view, to: size) : view, size: size, isSameBoot: true)
        rebuild.run()
        if rebuild.reach > max(size, view.length) {
            rebuild = MappedRebuild(view: try enlarged(view, to: rebuild.reach), size: size, isSameBoot: true)
            rebuild.run()
        }
        _ = try rebuild.writeTable(maximum: nil)
    }

    /// With the writers' lock: returns the totals, or `nil` if they or the index were damaged and have been rebuilt.
    func trustedTotals(_ view: MappedView) throws(MappedStoreError) -> SharedHeader.Totals? {
        let totals = unsafe view.header.totals
        if unsafe view.header.isConsistent, view.indexSum == totals.indexSum { return totals }
        try rebuild(view)
        return nil
    }

    /// A change to one key. The bytes are lent.
    @safe
    struct Change {
        var key: UnsafeRawBufferPointer
        var value: UnsafeRawBufferPointer
        var type: MappedValueType
        /// Milliseconds since 1970.
        var deadline: Int64?
        var flags: MappedRecord.Flags
    }

    /// What remains to be done after a change, without the lock.
    struct Aftermath {
        var start = 0
        var end = 0
        var isWasteful = false
    }

    /// With the writers' lock: makes room for `size` more bytes of records and `newKeys` more keys; returns whether the view can be used as it is.
    @inline(__always)
    func makeRoom(_ view: MappedView, _ totals: SharedHeader.Totals, size: Int, newKeys: Int) throws(MappedStoreError) -> Bool {
        let end = totals.end &+ size &+ 8
        let header = unsafe view.header
        if unsafe end <= header.capacity, end <= view.length, unsafe !view.table.isFull(totals.usedSlots &+ newKeys) { return true }
        return try makeMoreRoom(view, totals, end: end, newKeys: newKeys)
    }

    @inline(never)
    private func makeMoreRoom(
        _ view: MappedView,
        _ totals: SharedHeader.Totals,
        end: Int,
        newKeys: Int
    ) throws(MappedStoreError) -> Bool {
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
            replace(view, with: try enlarged(view, to: reach))
            return false
        }
        guard isFull else {
            try view.reserve(end, maximum: options.maximumSize)
            return true
        }
        try view.reserve(totals.end + tableSize + 64, maximum: options.maximumSize)
        var totals = totals
        unsafe header.pendingEnd = totals.end + tableSize
        let (offset, table) = unsafe try view.appendTable(
            for: totals.count + newKeys,
            from: view.table,
            &totals,
            maximum: options.maximumSize
        )
        unsafe header.totals = totals
        unsafe header.index = offset
        unsafe header.pendingEnd = 0
        replace(view, with: unsafe view.with(indexOffset: offset, table: table))
        return false
    }

    /// Writes a record into existing room.
    @inline(__always)
    func append(_ change: Change, _ view: MappedView, at offset: Int) -> MappedRecord {
        let record = unsafe MappedRecord(
            offset: offset,
            keyCount: change.key.count,
            valueCount: change.value.count,
            flags: change.flags,
            type: change.type
        )
        let base = unsafe view.base
        unsafe record.write(to: base)
        if let deadline = change.deadline {
            unsafe (base + offset + MappedLayout.recordHeaderSize).storeBytes(of: deadline, as: Int64.self)
        }
        unsafe Self.copy(change.key, to: base + record.keyOffset)
        unsafe Self.copy(change.value, to: base + record.valueOffset)
        unsafe record.seal(in: base, seed: view.seed)
        return record
    }

    /// Copies a few bytes without a call, as two words that may overlap.
    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        let count = bytes.count
        guard let start = bytes.baseAddress, count > 0 else { return }
        if count >= 8, count <= 16 {
            unsafe target.storeBytes(of: start.loadUnaligned(as: UInt64.self), as: UInt64.self)
            unsafe (target + (count &- 8)).storeBytes(of: (start + (count &- 8)).loadUnaligned(as: UInt64.self), as: UInt64.self)
        } else {
            unsafe target.copyMemory(from: start, byteCount: count)
        }
    }

    /// Points a key at its new record.
    @inline(__always)
    func publish(
        _ record: MappedRecord,
        hash: UInt64,
        slot position: UInt64,
        value old: UInt64,
        _ view: MappedView,
        _ totals: inout SharedHeader.Totals
    ) {
        let new = unsafe IndexTable.slot(hash: hash, offset: record.offset)
        if old == 0 {
            totals.usedSlots &+= 1
        } else {
            unsafe totals.indexSum &-= IndexTable.sum(old, at: position)
            if let replaced = unsafe view.record(at: IndexTable.offset(of: old)) { totals.subtract(replaced) }
        }
        unsafe totals.indexSum &+= IndexTable.sum(new, at: position)
        totals.add(record)
        totals.sequence &+= 1
        unsafe view.table[position] = new
    }

    /// Returns the hash of a key about to be changed; prefetches what leads to it, before others wait for the lock.
    @inline(__always)
    func prepare(_ key: UnsafeRawBufferPointer, _ view: MappedView) -> UInt64 {
        // For an encrypted store, the changes own their bytes, which are hashed later.
        guard !view.isEncrypted else { return 0 }
        let hash = unsafe view.hash(key)
        view.prefetchRecord(hash)
        return hash
    }

    /// With the writers' lock: makes one change; returns `nil` if another view is needed.
    @inline(__always)
    func make(_ change: Change, hash: UInt64, _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        if view.isEncrypted { return try makeSealed([change], view) }
        var position: UInt64 = 0
        let found = unsafe view.locate(change.key, hash: hash, position: &position)
        guard found >= 0 else { return nil }
        let old = found == 0 ? 0 : unsafe view.table[position]
        if unsafe skips(change, found == 0 ? nil : MappedRecord(at: found, in: view.base), view) { return Aftermath() }

        let header = unsafe view.header
        var totals = unsafe header.totals
        guard unsafe header.agrees(with: totals) else {
            try rebuild(view)
            return nil
        }
        let start = totals.end
        let size = unsafe MappedLayout.aligned(
            MappedLayout.recordHeaderSize &+ (change.deadline == nil ? 0 : 8) &+ change.key.count &+ change.value.count
        )
        guard try makeRoom(view, totals, size: size, newKeys: old == 0 ? 1 : 0) else { return nil }
        unsafe header.pendingEnd = start &+ size
        let record = append(change, view, at: start)
        totals.end = start &+ size
        unsafe header.end = totals.end
        publish(record, hash: hash, slot: position, value: old, view, &totals)
        unsafe header.totals = totals
        unsafe header.pendingEnd = 0
        return aftermath(view, totals, start: start)
    }

    /// Whether a change has no effect.
    @inline(__always)
    private func skips(_ change: Change, _ old: MappedRecord?, _ view: MappedView) -> Bool {
        if change.flags.rawValue & MappedRecord.Flags.removed.rawValue != 0 { return old?.isRemoved ?? true }
        guard options.skipsEqualValues, let old, !old.isRemoved, !old.expires, change.deadline == nil else { return false }
        return unsafe old.type == change.type && old.valueCount == change.value.count && view.isIntact(old)
            && old.value(in: view.base).elementsEqual(change.value)
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
