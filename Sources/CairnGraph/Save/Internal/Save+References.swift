import CairnCore

/// Back references, and the chunks of long lists.
extension Save {
    /// What a record refers to; nothing without a record.
    func references(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: UnsafeRawBufferPointer?
    ) throws(ObjectStoreError) -> RecordReferences.Found {
        guard let record = unsafe record else { return RecordReferences.Found() }
        do throws(RecordError) { return unsafe try RecordReferences.all(record) } catch { throw context.damage(id, stored, error) }
    }

    /// What is known of a record to be written.
    struct Written {
        /// The change count.
        var count: UInt32 = 0
        /// The group whose key seals the record and its chunks.
        var group: GroupReference?
        /// Whether the saved record has another group.
        var isRegrouped = false
        /// Whether it has properties that another context has changed.
        var isMerged = false
    }

    /// Updates the back references and chunks of a changed or deleted record.
    mutating func changeReferences(
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ old: UnsafeRawBufferPointer?,
        _ new: UnsafeRawBufferPointer?,
        _ written: Written,
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        let former = unsafe try references(owner, stored, old)
        let present = unsafe try references(owner, stored, new)
        guard !former.lists.isEmpty || !present.lists.isEmpty else {
            let changes = RecordReferences.changes(former.references, present.references)
            if mayMissTargets, written.isMerged { try noteTargets(owner, present, changes, view) }
            return noteReferences(owner, changes)
        }
        var lists = ListChanges(
            owner,
            stored,
            store.name,
            view,
            written: writer.longLists,
            save: written.count,
            writesAll: written.isRegrouped
        )
        let changes = try lists.find(former, present)
        if mayMissTargets, written.isMerged { try noteTargets(owner, present, changes, view) }
        noteReferences(owner, changes)
        for key in lists.former { commit.delete(key) }
        for (key, content) in lists.new {
            storesChunks = true
            let chunk = StoredChunk.encode(content, for: key)
            commit.put(written.sealed(chunk), for: key)
        }
    }

    /// Updates the back references that have changed.
    private mutating func noteReferences(_ owner: ObjectID, _ changes: [RecordReferences.Change]) {
        guard !changes.isEmpty else { return }
        var bytes: [UInt8] = []
        for change in changes {
            guard change.present > 0 else {
                commit.delete(Keyspace.reference(to: change.reference.target, from: owner, change.reference.property))
                continue
            }
            if mayMissTargets, change.former == 0 { newTargets[change.reference.target] = owner }
            bytes.removeAll(keepingCapacity: true)
            Varint.append(UInt64(change.present), to: &bytes)
            Keyspace.withReference(to: change.reference.target, from: owner, change.reference.property) {
                unsafe commit.put(bytes.span.bytes, for: $0)
            }
        }
    }

    /// Notes what a merged record leads to: another context may have made it lead to what is deleted here. Long lists are not read; of those, only what
    /// is deleted here matters.
    private mutating func noteTargets(
        _ owner: ObjectID,
        _ present: RecordReferences.Found,
        _ changes: [RecordReferences.Change],
        _ view: any EngineView
    ) throws(ObjectStoreError) {
        for reference in present.references { newTargets[reference.target] = owner }
        for (property, _) in present.lists {
            for target in context.pending.deleted.keys {
                let reference = RecordReferences.Reference(target: target, property: property)
                guard !changes.contains(where: { $0.reference == reference }) else { continue }
                let count = try StoreReading.referenceCount(to: target, from: owner, property, in: view)
                if count > 0 { newTargets[target] = owner }
            }
        }
    }

    /// Marks the long lists as saved. They are read from the new state from now on, so that the former ones can go.
    func finishLists(_ committed: EngineVersion, _ version: UInt64) {
        var views: ListViews?
        // An engine with other writers may have another state already.
        if let view = try? store.engine.makeView(), view.version == committed {
            context.read(from: view, version)
            views = try? context.listViews()
        }
        for (index, collection) in lists {
            if case .saved(let count) = outcomes[index] { collection.saved(count, views) }
        }
    }

    /// Removes the chunks of an object whose directories cannot be read.
    mutating func removeAllChunks(of id: ObjectID, _ view: any EngineView) throws(ObjectStoreError) {
        var keys: [[UInt8]] = []
        try ObjectStoreError.translating { () throws(EngineError) in
            try view.lendEntries(in: KeyRange(prefix: Keyspace.chunks(of: id)), reverse: false) { key, _ in
                keys.append([UInt8](copying: key))
                return true
            }
        }
        for key in keys { commit.delete(key) }
    }
}
