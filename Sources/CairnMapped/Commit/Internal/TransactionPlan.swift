import CairnCore

/// A change that owns its bytes: part of a transaction, or to be encrypted.
struct OwnedChange {
    var key: String
    var value: [UInt8]
    var type: MappedValueType
    var deadline: Int64?
    var isRemoval: Bool
}

extension OwnedChange {
    init(_ change: Change) {
        unsafe self.init(
            key: String(decoding: change.key, as: UTF8.self),
            value: Array(change.value),
            type: change.type,
            deadline: change.deadline,
            isRemoval: change.flags.contains(.removed)
        )
    }

    /// The flags of the change's record, except those about its transaction.
    func flags(isSealed: Bool) -> MappedRecord.Flags {
        var flags: MappedRecord.Flags = isSealed ? .sealed : []
        if isRemoval { flags.insert(.removed) }
        if deadline != nil { flags.insert(.expires) }
        return flags
    }
}

/// The plan of changes to different keys, which happen together; and of any change to an encrypted store.
struct TransactionPlan {
    /// A change that has an effect.
    struct Part {
        let change: OwnedChange
        let hash: UInt64
        let position: MappedView.Position
        /// What the record holds: the value, or everything encrypted.
        let value: [UInt8]
    }

    let isSealed: Bool
    private(set) var parts: [Part] = []
    private(set) var size = 0
    private(set) var newKeys = 0

    init(isSealed: Bool) { self.isSealed = isSealed }

    /// Adds a change whose key is at `position`, encrypted if the store is.
    mutating func add(
        _ change: OwnedChange,
        hash: UInt64,
        _ position: MappedView.Position,
        _ view: MappedView
    ) throws(MappedStoreError) {
        var value = change.value
        if let cipher = view.cipher {
            value = unsafe try change.key.withLentBytes { key throws(MappedStoreError) in
                unsafe try MappedSealed.seal(
                    key: key,
                    type: change.type,
                    value: change.value.span.bytes,
                    hash: hash,
                    flags: change.flags(isSealed: true),
                    deadline: change.deadline,
                    by: cipher
                )
            }
        }
        if position.value == 0 { newKeys += 1 }
        let keyCount = isSealed ? 0 : change.key.utf8.count
        size += MappedLayout.aligned(MappedLayout.recordHeaderSize + (change.deadline == nil ? 0 : 8) + keyCount + value.count)
        parts.append(Part(change: change, hash: hash, position: position, value: value))
    }

    /// With the writers' lock: carries out the plan. `totals` are those of the header, and are updated.
    func apply(to view: MappedView, _ totals: inout SharedHeader.Totals) throws(MappedStoreError) {
        try MappedCommit(view, size: size).apply(&totals) {
            write(to: view, at: $0)
        } publish: {
            publish($0, in: view, &$1)
        }
    }

    /// Each record says whether others of the transaction precede and follow, so that recovery recognizes one that is incomplete.
    func write(to view: MappedView, at start: Int) -> [MappedRecord] {
        var end = start
        return parts.indices.map { index in
            let part = parts[index]
            var flags = part.change.flags(isSealed: isSealed)
            if index < parts.count - 1 { flags.insert(.continues) }
            if index > 0 { flags.insert(.continued) }
            let record = unsafe part.change.key.withLentBytes { key in
                unsafe part.value.withLentBytes { value in
                    unsafe view.write(
                        Change(
                            key: isSealed ? UnsafeRawBufferPointer(start: nil, count: 0) : key,
                            value: value,
                            type: isSealed ? MappedValueType(rawValue: 0) : part.change.type,
                            deadline: part.change.deadline,
                            flags: flags
                        ),
                        at: end
                    )
                }
            }
            end = record.end
            return record
        }
    }

    func publish(_ records: [MappedRecord], in view: MappedView, _ totals: inout SharedHeader.Totals) {
        for (part, record) in zip(parts, records) {
            var slot = part.position.slot
            // Slots fill up while changes are published, so the slot of a new key must be searched again.
            if part.position.value == 0 {
                // There is an empty slot, unless the table is damaged.
                var left = unsafe view.table.count
                while left > 0, unsafe view.table[slot] != 0 {
                    slot = unsafe view.table.next(slot)
                    left -= 1
                }
            }
            view.publish(record, hash: part.hash, slot: slot, value: part.position.value, &totals)
        }
    }
}

extension MappedStore {
    /// With the writers' lock: makes changes to different keys, all or none, using as many views as needed. The lock is held throughout, because the
    /// changes may depend on what was read under it.
    func makeAtOnce(_ changes: [OwnedChange], _ view: MappedView) throws(MappedStoreError) -> Aftermath {
        var view = view
        while true {
            if let aftermath = try make(changes, view) { return aftermath }
            view = try successor(of: view)
        }
    }

    /// With the writers' lock: makes changes to different keys, all or none; returns `nil` if another view is needed.
    ///
    /// Everything that can fail, such as encrypting, comes before the commit: once it has begun, it cannot be taken back.
    func make(_ changes: [OwnedChange], _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        var totals = unsafe view.header.totals
        guard unsafe view.header.agrees(with: totals) else {
            try rebuild(view)
            return nil
        }
        var plan = TransactionPlan(isSealed: view.isEncrypted)
        for change in changes {
            let hash = unsafe change.key.withLentBytes { unsafe view.hash($0) }
            guard let position = unsafe change.key.withLentBytes({ unsafe view.find($0, hash: hash) }) else { return nil }
            if !skips(change, position, view) { try plan.add(change, hash: hash, position, view) }
        }
        guard !plan.parts.isEmpty else { return Aftermath() }
        guard try makeRoom(view, totals, size: plan.size, newKeys: plan.newKeys) else { return nil }
        let start = totals.end
        try plan.apply(to: view, &totals)
        return aftermath(view, totals, start: start)
    }

    /// Whether a change has no effect.
    private func skips(_ change: OwnedChange, _ position: MappedView.Position, _ view: MappedView) -> Bool {
        if change.isRemoval {
            // Damaged values are removed too.
            return position.value == 0 || (position.record?.isRemoved == true && (!view.isEncrypted || position.opened != nil))
        }
        guard options.skipsEqualValues, change.deadline == nil, let record = position.record, !record.isRemoved, !record.expires else {
            return false
        }
        if let content = position.opened { return content.type == change.type && content.value.elementsEqual(change.value) }
        return unsafe !record.isSealed && view.isIntact(record) && record.type == change.type
            && record.value(in: view.base).elementsEqual(change.value)
    }
}
