import CairnCore

/// The plan of changes to different keys, which happen together; and of any change to an encrypted store.
struct TransactionPlan {
    /// A change that has an effect, and where its key is in the index.
    @safe
    struct Part {
        /// For an encrypted store, without key and type, which are among the encrypted bytes.
        let change: Change
        let hash: UInt64
        let slot: UInt64
        /// What the slot held; 0 if the key is new.
        let old: UInt64
        /// The encrypted bytes, which then are the value.
        let sealed: [UInt8]
    }

    private(set) var parts: [Part] = []
    private(set) var size = 0
    private(set) var newKeys = 0

    init(capacity: Int) { parts.reserveCapacity(capacity) }

    /// Adds a change, encrypted if the store is.
    mutating func add(
        _ change: Change,
        hash: UInt64,
        _ position: MappedView.Position,
        _ view: MappedView
    ) throws(MappedStoreError) {
        var change = change
        var sealed: [UInt8] = []
        if let cipher = view.cipher {
            change.flags.insert(.sealed)
            sealed = unsafe try MappedSealed.seal(
                key: change.key,
                type: change.type,
                value: RawSpan(_unsafeBytes: change.value),
                hash: hash,
                flags: change.flags,
                deadline: change.deadline,
                by: cipher
            )
            unsafe change.key = UnsafeRawBufferPointer(start: nil, count: 0)
            change.type = MappedValueType(rawValue: 0)
        }
        if position.value == 0 { newKeys += 1 }
        let bytes = unsafe change.key.count + (sealed.isEmpty ? change.value.count : sealed.count)
        size += MappedLayout.aligned(MappedLayout.recordHeaderSize + (change.deadline == nil ? 0 : 8) + bytes)
        parts.append(Part(change: change, hash: hash, slot: position.slot, old: position.value, sealed: sealed))
    }

    /// With the writers' lock: carries out the plan. `totals` are those of the header, and are updated.
    func apply(to view: MappedView, _ totals: inout SharedHeader.Totals) throws(MappedStoreError) {
        try MappedCommit(view, size: size).apply(&totals) { start throws(MappedStoreError) in
            try write(to: view, at: start)
        } publish: {
            publish($0, in: view, &$1)
        }
    }

    /// Each record says whether others of the transaction precede and follow, so that recovery recognizes one that is incomplete.
    func write(to view: MappedView, at start: Int) throws(MappedStoreError) -> [MappedRecord] {
        var end = start
        return try parts.indices.map { index throws(MappedStoreError) in
            let part = parts[index]
            var change = part.change
            if index < parts.count - 1 { change.flags.insert(.continues) }
            if index > 0 { change.flags.insert(.continued) }
            let record = unsafe try part.sealed.withLentBytes { sealed throws(MappedStoreError) in
                if unsafe !sealed.isEmpty { unsafe change.value = sealed }
                return try view.write(change, at: end)
            }
            end = record.end
            return record
        }
    }

    func publish(_ records: [MappedRecord], in view: MappedView, _ totals: inout SharedHeader.Totals) {
        for (part, record) in zip(parts, records) {
            var slot = part.slot
            // Slots fill up while changes are published, so the slot of a new key must be searched for again.
            if part.old == 0 {
                // There is an empty slot, unless the table is damaged.
                var left = unsafe view.table.count
                while left > 0, unsafe view.table[slot] != 0 {
                    slot = unsafe view.table.next(slot)
                    left -= 1
                }
            }
            view.publish(record, hash: part.hash, slot: slot, value: part.old, &totals)
        }
    }
}

extension MappedStore {
    /// With the writers' lock: makes changes to different keys, all or none, using as many views as needed. The lock is held throughout, because the
    /// changes may depend on what was read under it.
    func makeAtOnce(_ changes: OwnedChanges, _ view: MappedView) throws(MappedStoreError) -> Aftermath {
        var view = view
        while true {
            if let aftermath = try make(changes, view) { return aftermath }
            view = try successor(of: view)
        }
    }

    /// With the writers' lock: makes changes to different keys, all or none; returns `nil` if another view is needed.
    ///
    /// Everything that can fail, such as encrypting, comes before the commit: once it has begun, it cannot be undone.
    func make(_ changes: OwnedChanges, _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        try unsafe changes.bytes.withLentBytes { bytes throws(MappedStoreError) in
            try make(changes.all.map { unsafe $0.lent(from: bytes) }, view)
        }
    }

    /// Same as ``make(_:_:)-(OwnedChanges,_)``, with bytes that are lent.
    func make(_ changes: [Change], _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        var totals = unsafe view.header.totals
        guard unsafe view.header.agrees(with: totals) else {
            try rebuild(view)
            return nil
        }
        let hashes = changes.map { unsafe view.hash($0.key) }
        // The slot of one key is fetched while the others are looked up.
        for hash in hashes { view.prefetchSlot(hash) }
        for hash in hashes { view.prefetchRecord(hash) }
        var plan = TransactionPlan(capacity: changes.count)
        for (change, hash) in zip(changes, hashes) {
            guard let position = unsafe view.find(change.key, hash: hash) else { return nil }
            if !skips(change, hash, position, view) { try plan.add(change, hash: hash, position, view) }
        }
        guard !plan.parts.isEmpty else { return Aftermath() }
        guard try makeRoom(view, totals, size: plan.size, newKeys: plan.newKeys) else { return nil }
        let start = totals.end
        try plan.apply(to: view, &totals)
        var aftermath = aftermath(view, totals, start: start)
        aftermath.count = plan.parts.count
        return aftermath
    }

    /// Whether a change has no effect.
    private func skips(_ change: Change, _ hash: UInt64, _ position: MappedView.Position, _ view: MappedView) -> Bool {
        if change.flags.contains(.removed) {
            // A damaged record is removed too. If the key itself may be damaged, the look-up finds that record only in an encrypted store.
            guard position.value != 0 else { return view.isEncrypted || !view.isSuspect(hash: hash) }
            guard let record = position.record, record.isRemoved else { return false }
            return view.isEncrypted ? position.opened != nil : view.isIntact(record)
        }
        guard options.skipsEqualValues, change.deadline == nil, let record = position.record, !record.isRemoved, !record.expires else {
            return false
        }
        if let content = position.opened { return unsafe content.type == change.type && content.value.elementsEqual(change.value) }
        return unsafe !record.isSealed && view.isIntact(record) && record.type == change.type
            && record.value(in: view.base).elementsEqual(change.value)
    }
}
