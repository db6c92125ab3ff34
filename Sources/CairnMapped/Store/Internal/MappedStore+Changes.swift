import CairnCore
import Synchronization

/// A change that owns its bytes: part of a transaction, or to be encrypted.
struct OwnedChange {
    var key: String
    var value: [UInt8]
    var type: MappedValueType
    var deadline: Int64?
    var isRemoval: Bool
}

extension MappedStore {
    /// With the writers' lock: encrypts a change and makes it.
    func makeSealed(_ changes: [Change], _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        var owned: [OwnedChange] = []
        for change in changes {
            let isRemoval = change.flags.contains(.removed)
            unsafe owned.append(
                OwnedChange(
                    key: String(decoding: change.key, as: UTF8.self),
                    value: Array(change.value),
                    type: change.type,
                    deadline: change.deadline,
                    isRemoval: isRemoval
                )
            )
        }
        return try make(owned, view)
    }

    /// With the writers' lock: makes changes of different keys, all or none, using as many views as needed. The lock is held throughout, because the
    /// changes may depend on what was read under it.
    func makeAtOnce(_ changes: [OwnedChange], _ view: MappedView) throws(MappedStoreError) -> Aftermath {
        var view = view
        while true {
            if let aftermath = try make(changes, view) { return aftermath }
            view = try successor(of: view)
        }
    }

    /// With the writers' lock: makes changes of different keys, all or none; returns `nil` if another view is needed.
    func make(_ changes: [OwnedChange], _ view: MappedView) throws(MappedStoreError) -> Aftermath? {
        // What each change writes, and where.
        var records: [(change: OwnedChange, hash: UInt64, position: MappedView.Position, value: [UInt8])] = []
        var size = 0
        var newKeys = 0
        let header = unsafe view.header
        var totals = unsafe header.totals
        guard unsafe header.agrees(with: totals) else {
            try rebuild(view)
            return nil
        }
        for change in changes {
            let hash = unsafe change.key.withLentBytes { unsafe view.hash($0) }
            guard let position = unsafe change.key.withLentBytes({ unsafe view.find($0, hash: hash) }) else { return nil }
            // Damaged values are removed too.
            if change.isRemoval,
                position.value == 0 || (position.record?.isRemoved == true && (view.cipher == nil || position.opened != nil))
            {
                continue
            }
            if isRepeated(change, position, view) { continue }
            var value = change.value
            if let cipher = view.cipher {
                value = unsafe try change.key.withLentBytes { key throws(MappedStoreError) in
                    unsafe try MappedSealed.seal(
                        key: key,
                        type: change.type,
                        value: change.value.span.bytes,
                        hash: hash,
                        flags: flags(change, sealed: true),
                        deadline: change.deadline,
                        by: cipher
                    )
                }
            }
            if position.value == 0 { newKeys += 1 }
            let keyCount = view.cipher == nil ? change.key.utf8.count : 0
            size += MappedLayout.aligned(MappedLayout.recordHeaderSize + (change.deadline == nil ? 0 : 8) + keyCount + value.count)
            records.append((change, hash, position, value))
        }
        guard !records.isEmpty else { return Aftermath() }
        guard try makeRoom(view, totals, size: size, newKeys: newKeys) else { return nil }

        let start = totals.end
        unsafe header.pendingEnd = start + size
        var end = start
        var written: [MappedRecord] = []
        for (index, (change, _, _, value)) in records.enumerated() {
            var flags = flags(change, sealed: view.cipher != nil)
            if index < records.count - 1 { flags.insert(.continues) }
            if index > 0 { flags.insert(.continued) }
            let record = unsafe change.key.withLentBytes { key in
                unsafe value.withLentBytes { value in
                    let isSealed = view.cipher != nil
                    return unsafe append(
                        Change(
                            key: isSealed ? UnsafeRawBufferPointer(start: nil, count: 0) : key,
                            value: value,
                            type: isSealed ? MappedValueType(rawValue: 0) : change.type,
                            deadline: change.deadline,
                            flags: flags
                        ),
                        view,
                        at: end
                    )
                }
            }
            end = record.end
            written.append(record)
        }
        totals.end = end
        // From here on all changes have happened: what follows can be redone from the records.
        unsafe header.end = end
        for (index, record) in written.enumerated() {
            // Slots fill up while changes are published, so the slot of a new key must be searched again.
            var position = records[index].position
            if position.value == 0 {
                // There is an empty slot, unless the table is damaged.
                var left = unsafe view.table.count
                while left > 0, unsafe view.table[position.slot] != 0 {
                    position.slot = unsafe view.table.next(position.slot)
                    left -= 1
                }
            }
            publish(record, hash: records[index].hash, slot: position.slot, value: position.value, view, &totals)
        }
        unsafe header.totals = totals
        unsafe header.pendingEnd = 0
        return aftermath(view, totals, start: start)
    }

    private func flags(_ change: OwnedChange, sealed: Bool) -> MappedRecord.Flags {
        var flags: MappedRecord.Flags = sealed ? .sealed : []
        if change.isRemoval { flags.insert(.removed) }
        if change.deadline != nil { flags.insert(.expires) }
        return flags
    }

    /// Whether a change repeats the stored value.
    private func isRepeated(_ change: OwnedChange, _ position: MappedView.Position, _ view: MappedView) -> Bool {
        guard options.skipsEqualValues, !change.isRemoval, change.deadline == nil, let record = position.record, !record.isRemoved,
            !record.expires
        else { return false }
        if let content = position.opened { return content.type == change.type && content.value.elementsEqual(change.value) }
        return unsafe !record.isSealed && view.isIntact(record) && record.type == change.type
            && record.value(in: view.base).elementsEqual(change.value)
    }
}
