import CairnCore

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

/// The plan of one change to a store without encryption.
struct RecordPlan {
    let change: Change
    let hash: UInt64
    /// The key's slot, and what it held; 0 if the key is new.
    let slot: UInt64
    let old: UInt64
    let size: Int

    @inline(__always)
    init(_ change: Change, hash: UInt64, slot: UInt64, old: UInt64) {
        self.change = change
        self.hash = hash
        self.slot = slot
        self.old = old
        let deadlineSize = change.deadline == nil ? 0 : 8
        size = unsafe MappedLayout.aligned(
            MappedLayout.recordHeaderSize &+ deadlineSize &+ change.key.count &+ change.value.count
        )
    }

    @inline(__always)
    func write(to view: MappedView, at start: Int) throws(MappedStoreError) -> MappedRecord { try view.write(change, at: start) }

    @inline(__always)
    func publish(_ record: MappedRecord, in view: MappedView, _ totals: inout SharedHeader.Totals) {
        view.publish(record, hash: hash, slot: slot, value: old, &totals)
    }
}

extension MappedStore {
    /// Returns the hash of a key about to be changed; prefetches what leads to it, before others wait for the lock.
    @inline(__always)
    func prepare(_ key: UnsafeRawBufferPointer, _ view: MappedView) -> UInt64 {
        // Keys of encrypted stores are hashed later.
        guard !view.isEncrypted else { return 0 }
        let hash = unsafe view.hash(key)
        view.prefetchRecord(hash)
        return hash
    }

    /// With the writers' lock: makes one change; returns `nil` if another view is needed.
    ///
    /// Everything that can fail comes before the commit: once it has begun, it cannot be undone.
    @inline(__always)
    func make(_ change: Change, hash: UInt64, _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        if view.isEncrypted { return try makeSealed(change, view) }
        var slot: UInt64 = 0
        let found = unsafe view.locate(change.key, hash: hash, position: &slot)
        guard found >= 0 else { return nil }
        let old = found == 0 ? 0 : unsafe view.table[slot]
        if unsafe skips(change, hash, found == 0 ? nil : MappedRecord(at: found, in: view.base), view) { return Aftermath() }

        var totals = unsafe view.header.totals
        guard unsafe view.header.agrees(with: totals) else {
            try rebuild(view)
            return nil
        }
        let plan = RecordPlan(change, hash: hash, slot: slot, old: old)
        guard try makeRoom(view, totals, size: plan.size, newKeys: old == 0 ? 1 : 0) else { return nil }
        let start = totals.end
        try MappedCommit(view, size: plan.size).apply(&totals) { start throws(MappedStoreError) in
            try plan.write(to: view, at: start)
        } publish: {
            plan.publish($0, in: view, &$1)
        }
        return aftermath(view, totals, start: start)
    }

    /// With the writers' lock: makes one change to an encrypted store.
    @inline(never)
    private func makeSealed(_ change: Change, _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        try make([change], view)
    }

    /// Whether a change has no effect.
    @inline(__always)
    private func skips(_ change: Change, _ hash: UInt64, _ old: MappedRecord?, _ view: MappedView) -> Bool {
        if change.flags.rawValue & MappedRecord.Flags.removed.rawValue != 0 {
            // A damaged record is removed too, even if the key itself may be damaged: until then, reading the key is an error.
            guard let old else { return !view.isSuspect(hash: hash) }
            return old.isRemoved && view.isIntact(old)
        }
        guard options.skipsEqualValues, let old, !old.isRemoved, !old.expires, change.deadline == nil else { return false }
        return unsafe old.type == change.type && old.valueCount == change.value.count && view.isIntact(old)
            && old.value(in: view.base).elementsEqual(change.value)
    }
}
