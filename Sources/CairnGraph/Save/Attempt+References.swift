import CairnCore

/// Back references, and the chunks of long lists.
extension Save.Attempt {
    /// What a record refers to; nothing without a record.
    func references(
        _ id: ObjectID,
        _ stored: StoredClass,
        _ record: RawSpan?
    ) throws(ObjectStoreError) -> RecordReferences.Found {
        guard let record else { return RecordReferences.Found() }
        do throws(RecordError) { return try RecordReferences.all(record) } catch { throw context.damage(id, stored, error) }
    }

    /// Updates the back references and chunks of a changed or deleted record.
    mutating func changeReferences(
        _ owner: ObjectID,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ new: RawSpan?,
        _ written: Save.Written
    ) throws(ObjectStoreError) {
        let former = try references(owner, stored, old)
        let present = try references(owner, stored, new)
        guard !former.lists.isEmpty || !present.lists.isEmpty else {
            let changes = RecordReferences.changes(former.references, present.references)
            if save.mayMissTargets, written.isMerged { try noteTargets(owner, present, changes) }
            return noteReferences(owner, changes)
        }
        var lists = ListChanges(
            owner,
            stored,
            store.name,
            view,
            written: written.lists,
            save: written.count,
            writesAll: written.isRegrouped
        )
        let changes = try lists.find(former, present)
        if save.mayMissTargets, written.isMerged { try noteTargets(owner, present, changes) }
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
            if change.former == 0 { noteTarget(change.reference.target, owner) }
            bytes.removeAll(keepingCapacity: true)
            Varint.append(UInt64(change.present), to: &bytes)
            Keyspace.withReference(to: change.reference.target, from: owner, change.reference.property) {
                unsafe commit.put(bytes.span.bytes, for: $0)
            }
        }
    }

    /// Notes that an object begins to refer to another one, which must exist.
    private mutating func noteTarget(_ target: ObjectID, _ owner: ObjectID) {
        guard !save.mayMissTargets else {
            newTargets[target] = owner
            return
        }
        // Nobody else has deleted anything so far.
        let page = ObjectPage.page(of: target.raw)
        guard page != lastTargetPage else { return }
        lastTargetPage = page
        view.noteRead(Keyspace.page(target.classNumber, ObjectPage.page(of: target.row)))
    }

    /// Notes what a merged record refers to: another context may have added references to objects that are deleted here. Long lists are not read: only their
    /// references to objects that are deleted here matter.
    private mutating func noteTargets(
        _ owner: ObjectID,
        _ present: RecordReferences.Found,
        _ changes: [RecordReferences.Change]
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

    /// Removes the chunks of an object whose directories cannot be read.
    mutating func removeAllChunks(of id: ObjectID) throws(ObjectStoreError) {
        var keys: [[UInt8]] = []
        try view.lendEntries(in: KeyRange(prefix: Keyspace.chunks(of: id)), reverse: false) { key, _ in
            keys.append([UInt8](copying: key))
            return true
        }
        for key in keys { commit.delete(key) }
    }
}

extension Save {
    /// What is known about a record to be written.
    struct Written {
        /// The change count.
        var count: UInt32 = 0
        /// The group whose key seals the record and its chunks.
        var group: GroupReference?
        /// Whether the saved record has another group.
        var isRegrouped = false
        /// Whether it has properties that another context has changed.
        var isMerged = false
        /// The long lists that it has.
        var lists: [LongField] = []

        /// A chunk or part as it is stored: with a reference to the group whose key seals it.
        func sealed(_ chunk: [UInt8]) -> [UInt8] { group.map { GroupedRecord.prefix($0) + chunk } ?? chunk }
    }
}
