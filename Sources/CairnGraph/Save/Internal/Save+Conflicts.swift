import CairnCore

/// The errors of objects that cannot be saved because others changed them in the meantime.
extension Save {
    func partedSides(_ item: Work, _ stored: StoredClass) -> ObjectStoreError {
        ObjectStoreError(
            .conflict,
            "\(stored.name) \(item.id.row) of \(store.name) was changed by another context since it was read here, and its relationships have another side: the conflictPolicy cannot say what goes with what; roll back and begin again",
            object: item.id
        )
    }

    func conflict(_ item: Work, _ stored: StoredClass, isGone: Bool) -> ObjectStoreError {
        let what = isGone ? "deleted" : "changed"
        return ObjectStoreError(
            .conflict,
            "\(stored.name) \(item.id.row) of \(store.name) was \(what) by another context since it was read here; roll back and begin again, or choose another conflictPolicy",
            object: item.id
        )
    }

    func shredded(_ item: Work, _ stored: StoredClass) -> ObjectStoreError {
        ObjectStoreError(
            .shredded,
            "\(stored.name) \(item.id.row) of \(store.name) cannot be saved: it was shredded. Roll back, or delete the object",
            object: item.id
        )
    }
}

/// What policies make of conflicts.
extension Save {
    /// Whether the policy would keep this context's changes on one side of a relationship but not on the other.
    func partsSides(_ item: Work, _ stored: StoredClass, _ policy: ConflictPolicy) -> Bool {
        switch (policy, item.kind) {
        case (.keepTheirs, .delete): stored.pairedProperties != 0
        // References to a deleted object would remain.
        case (.keepTheirs, _) where !context.pending.deleted.isEmpty: changed(item) & stored.referenceProperties != 0
        case (.keepTheirs, _), (.merge, .update): changed(item) & stored.pairedProperties != 0
        default: false
        }
    }

    /// Whether the new record has the same references as the saved one, in relationships whose inverse is stored too.
    func hasSamePairs(
        _ stored: StoredClass,
        _ old: UnsafeRawBufferPointer?,
        _ id: ObjectID,
        _ count: UInt32,
        _ view: any EngineView
    ) throws(ObjectStoreError) -> Bool {
        guard stored.pairedProperties != 0 else { return true }
        let new = unsafe UnsafeRawBufferPointer(start: writer.field.base, count: writer.field.count)
        let former = unsafe try references(id, stored, old)
        let present = unsafe try references(id, stored, new)
        var changes = ListChanges(id, stored, store.name, view, written: writer.longLists, save: count)
        return try !changes.find(former, present).contains { stored.isPaired($0.reference) }
    }

    /// Long lists that were not used here stay what another context made of them: its save deleted the chunks that they had.
    func takeOverLists(_ item: Work, _ stored: StoredClass, _ old: UnsafeRawBufferPointer) throws(ObjectStoreError) {
        do throws(RecordError) {
            for relation in stored.allRelations { unsafe try relation.unprepared(item.object)?.takeOver(old, relation.number) }
        } catch {
            throw context.damage(item.id, stored, error)
        }
    }
}
