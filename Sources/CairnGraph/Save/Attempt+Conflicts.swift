import CairnCore

/// The errors of objects that cannot be saved because others changed them in the meantime.
extension Save.Attempt {
    func partedSides(_ item: Save.Work, _ stored: StoredClass, isGone: Bool) -> ObjectStoreError {
        ObjectStoreError(
            .conflict,
            "\(stored.name) \(item.id.row) of \(store.name) was \(isGone ? "deleted" : "changed") by another context since it was read here, and it has relationships with stored inverses, so the conflictPolicy cannot be applied to one side alone; roll back and start over",
            object: item.id
        )
    }

    func conflict(_ item: Save.Work, _ stored: StoredClass, isGone: Bool) -> ObjectStoreError {
        ObjectStoreError(
            .conflict,
            "\(stored.name) \(item.id.row) of \(store.name) was \(isGone ? "deleted" : "changed") \(byOthers)",
            object: item.id
        )
    }

    func conflict(name: String) -> ObjectStoreError {
        ObjectStoreError(.conflict, "a named value of \(store.name) was changed \(byOthers)", userData: "the name \"\(name)\"")
    }

    private var byOthers: String {
        let own = context.hasUnknownSave ? "an earlier save of this context, whose outcome was unknown, or by " : ""
        return "by \(own)another context since it was read here; roll back and start over, or choose another conflictPolicy"
    }

    func alreadyInserted(_ item: Save.Work, _ stored: StoredClass) -> ObjectStoreError {
        ObjectStoreError(
            .conflict,
            "\(stored.name) \(item.id.row) is in \(store.name) already: an earlier save of this context, whose outcome was unknown, succeeded; roll back",
            object: item.id
        )
    }

    func shredded(_ item: Save.Work, _ stored: StoredClass) -> ObjectStoreError {
        ObjectStoreError(
            .shredded,
            "\(stored.name) \(item.id.row) of \(store.name) cannot be saved: it was shredded. Roll back, or delete the object",
            object: item.id
        )
    }
}

/// How policies resolve conflicts.
extension Save.Attempt {
    /// Whether the policy would keep this context's changes on one side of a relationship but not on the other.
    func partsSides(_ item: Save.Work, _ stored: StoredClass, _ policy: ConflictPolicy) -> Bool {
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
        _ id: ObjectID,
        _ stored: StoredClass,
        _ old: RawSpan?,
        _ new: RawSpan,
        _ written: Save.Written
    ) throws(ObjectStoreError) -> Bool {
        guard stored.pairedProperties != 0 else { return true }
        let former = try references(id, stored, old)
        let present = try references(id, stored, new)
        var changes = ListChanges(id, stored, store.name, view, written: written.lists, save: written.count)
        return try !changes.find(former, present).contains { stored.isPaired($0.reference) }
    }

    /// Takes over long lists that were not used here as another context saved them: its save deleted their former chunks.
    func takeOverLists(_ item: Save.Work, _ stored: StoredClass, _ old: RawSpan) throws(ObjectStoreError) {
        do throws(RecordError) {
            for relation in stored.allRelations { unsafe try relation.unprepared(item.object)?.takeOver(old, relation.number) }
        } catch {
            throw context.damage(item.id, stored, error)
        }
    }
}

/// The errors of commits.
extension Save {
    private var workText: String { work.count == 1 ? "1 object" : "\(work.count) objects" }

    func tooLarge(_ commit: EngineCommit, _ error: ObjectStoreError) -> ObjectStoreError {
        let limits = store.engine.limits
        let isOneValue =
            commit.largestKeySize > limits.maximumKeySize ?? .max || commit.largestValueSize > limits.maximumValueSize ?? .max
        // The engine's own advice comes first, if it has any.
        let conjunction = limits.advice == nil ? ";" : ", or"
        let remedy = isOneValue ? "" : "\(conjunction) save fewer objects at once\(context.isSerializable ? ", or read less first" : "")"
        return ObjectStoreError(
            .tooLarge,
            "the changes of \(workText) cannot be saved to \(store.name): \(error.message)\(remedy)",
            cause: error.cause
        )
    }

    /// The error of changes that depend on what others have changed.
    func readsChanged(_ conflict: Conflict) -> ObjectStoreError {
        guard !context.isRepeatedAfterConflict, let change = conflict.change else {
            return ObjectStoreError(
                .conflict,
                "data that these changes to \(store.name) depend on was changed by others since it was read here; start over"
            )
        }
        let neighbor = change.isOfPage ? " or on an object stored next to it" : ""
        return ObjectStoreError(
            .conflict,
            "others have \(change.phrase) of \(store.name), and these changes depend on that\(neighbor); start over",
            object: change.object
        )
    }

    func outcomeUnknown(_ error: ObjectStoreError) -> ObjectStoreError {
        ObjectStoreError(
            .unavailable,
            "whether the changes of \(workText) were saved to \(store.name) is unknown: \(error.message). Check what is stored, or save again: nothing is stored twice",
            cause: error.cause
        )
    }
}
