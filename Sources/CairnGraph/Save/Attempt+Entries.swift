import CairnCore

/// The data that accompanies a record: back references, and index entries.
extension Save.Attempt {
    mutating func removeEntries(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?
    ) throws(ObjectStoreError) {
        guard let old else { return }
        try removeLargeValues(item.id, stored, old)
        if stored.hasReferences { try changeReferences(item.id, stored, old, nil, Save.Written()) }
        try changeTexts(item.id, stored, old, nil, .max)
        guard !stored.indexes.isEmpty, !ObjectRecord.isOlder(old, stored) else { return }
        let former = try temporary(stored, item.id, old, stored.indexedProperties)
        for index in stored.indexes { try removeEntry(index, former, item.id) }
    }

    /// The same for a record that cannot be read: scans for everything that belongs to it.
    mutating func removeAllEntries(of id: ObjectID, _ stored: StoredClass) throws(ObjectStoreError) {
        var keys: [[UInt8]] = []
        let row = Keyspace.bigEndian(id.row).suffix(6)
        for index in stored.indexes {
            try view.lendEntries(in: KeyRange(prefix: Keyspace.entries(index.number))) { key, value in
                let key = [UInt8](copying: key)
                let owner = [UInt8](copying: value)
                if owner.isEmpty ? key.suffix(6) == row : owner == Keyspace.bigEndian(id.raw) { keys.append(key) }
                return true
            }
        }
        try view.lendEntries(in: Keyspace.references) { key, _ in
            let key = [UInt8](copying: key)
            if key.count == Keyspace.referenceSize, key[9..<11] == Keyspace.bigEndian(id.classNumber)[...], key.suffix(6) == row {
                keys.append(key)
            }
            return true
        }
        try texts.removeAll(of: id, &commit, view)
        try removeAllChunks(of: id)
        for key in keys {
            freedKeys.insert(key)
            if uniqueKeys[key] == nil { commit.delete(key) }
        }
    }

    mutating func changeEntries(
        _ item: Save.Work,
        _ stored: StoredClass,
        _ old: RawSpan?,
        new: RawSpan,
        _ written: Save.Written,
        overwrites: Bool
    ) throws(ObjectStoreError) {
        var isOlder = false
        if let old { isOlder = ObjectRecord.isOlder(old, stored) }
        // If another context changed the object, the record differs in more than this context's changes.
        let changed = old == nil || isOlder || written.isMerged || overwrites ? UInt64.max : changed(item)
        var changesReferences = stored.hasFormerReferences || changed & stored.referenceProperties != 0
        if !written.lists.isEmpty {
            changesReferences = changesReferences || written.isRegrouped || written.lists.contains { $0.hasChangedChunks }
        }
        if stored.hasReferences, changesReferences {
            try changeReferences(item.id, stored, old, new, written)
        }
        try changeTexts(item.id, stored, old, new, changed)
        let bits = stored.indexes.reduce(0) { changed & $1.properties == 0 ? $0 : $0 | $1.properties }
        guard bits != 0 else { return }
        var former: (any StoredObject)?
        if !isOlder, let old { former = try temporary(stored, item.id, old, bits) }
        let object = unsafe written.isMerged ? try temporary(stored, item.id, new, bits) : item.object
        if object._$state.flags.contains(.partial) { try context.readLargeValues(of: object) { bits & ObjectState.bit($0) != 0 } }
        for index in stored.indexes where changed & index.properties != 0 {
            let key = index.entry(object, item.id)
            if let former {
                guard index.entry(former, item.id) != key else { continue }
                try removeEntry(index, former, item.id)
            }
            if key.isUnique {
                if let other = uniqueKeys.updateValue(item.id, forKey: key.bytes) { throw notUnique(index, stored, item.id, other) }
                commit.put(Keyspace.bigEndian(item.id.raw), for: key.bytes)
            } else {
                commit.put([], for: key.bytes)
            }
        }
    }

    private mutating func changeTexts(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ new: RawSpan?,
        _ changed: UInt64
    ) throws(ObjectStoreError) {
        guard !stored.texts.isEmpty else { return }
        do throws(RecordError) { try texts.change(id, old, new, changed, view) } catch { throw context.damage(id, stored, error) }
    }

    private mutating func removeEntry(
        _ index: StoredIndex,
        _ object: any StoredObject,
        _ id: ObjectID
    ) throws(ObjectStoreError) {
        let key = index.entry(object, id)
        guard key.isUnique else {
            commit.delete(key.bytes)
            return
        }
        if !index.isComplete {
            // An object that is not in the index yet may have the same value as one that is.
            let owner = try view.get(key.bytes)
            guard let owner, owner == Keyspace.bigEndian(id.raw) else { return }
        }
        freedKeys.insert(key.bytes)
        // Another object may take over the key in the same save.
        if uniqueKeys[key.bytes] == nil { commit.delete(key.bytes) }
    }

    /// Throws if another object has a value of a unique index.
    func checkUnique() throws(ObjectStoreError) {
        for (key, id) in uniqueKeys where !freedKeys.contains(key) {
            let found = try view.get(key)
            guard let found, found.count == 8 else { continue }
            let other = unsafe ObjectID(raw: Keyspace.number(found.span.bytes, at: 0))
            guard other != id, let stored = store.storedClass(number: id.classNumber) else { continue }
            let number: UInt32 = unsafe Keyspace.number(key.span.bytes, at: 1)
            guard let index = stored.indexes.first(where: { $0.number == number }) else { continue }
            throw notUnique(index, stored, id, other)
        }
    }

    /// Throws if a newly referenced object is missing: another context may have deleted it.
    func checkTargets() throws(ObjectStoreError) {
        guard !newTargets.isEmpty else { return }
        var here: [ObjectID: Save.Work.Kind] = [:]
        for item in save.work { here[item.id] = item.kind }
        for (target, owner) in newTargets {
            if let kind = here[target] {
                guard kind == .delete || gone.contains(target) else { continue }
            } else {
                var isThere = false
                if let stored = store.storedClass(number: target.classNumber) {
                    try StoreReading.record(target, stored, in: view) { _ in isThere = true }
                }
                guard !isThere else { continue }
            }
            let name = store.storedClass(number: owner.classNumber)?.name ?? ""
            let other = store.storedClass(number: target.classNumber)?.name ?? ""
            throw ObjectStoreError(
                .conflict,
                "\(name) \(owner.row) of \(store.name) refers to \(other) \(target.row), which was deleted in the meantime; remove it, or roll back and start over",
                object: target
            )
        }
    }

    private func notUnique(_ index: StoredIndex, _ stored: StoredClass, _ id: ObjectID, _ other: ObjectID) -> ObjectStoreError {
        // Nobody has seen the row of a new object.
        func name(_ id: ObjectID, _ new: String) -> String {
            save.work.contains { $0.id == id && $0.kind == .insert } ? "\(new) \(stored.name)" : "\(stored.name) \(id.row)"
        }
        let properties = index.index.properties.joined(separator: " and ")
        return ObjectStoreError(
            .notUnique,
            "\(name(id, "a new")) has the same \(properties) as \(name(other, "another new")), but \(properties) must be unique",
            object: id
        )
    }

    /// An object with the values of a record, outside of any context.
    ///
    /// - Parameter bits: The bits of the properties that are needed even if their values are large.
    func temporary(
        _ stored: StoredClass,
        _ id: ObjectID,
        _ record: RawSpan,
        _ bits: UInt64
    ) throws(ObjectStoreError) -> any StoredObject {
        guard let schema = stored.schema else { preconditionFailure("no class for \(stored.name)") }
        let object = schema.type.init(_$fault: ())
        do throws(RecordError) { _ = try ObjectRecord.read(record, into: object, stored.fields) } catch {
            throw context.damage(id, stored, error)
        }
        if object._$state.flags.contains(.partial) {
            try StoreReading.readLargeValues(of: record, into: object, id, stored, in: view, store.name) {
                bits & ObjectState.bit($0) != 0
            }
            object._$state.flags.remove(.partial)
        }
        return object
    }
}
