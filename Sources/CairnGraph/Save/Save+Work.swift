extension Save {
    /// A change to save.
    struct Work {
        let id: ObjectID
        /// Retained by the context's pending changes.
        unowned(unsafe) let object: any StoredObject
        let kind: Kind

        enum Kind { case insert, update, delete }
    }

    /// The changes to save, in row order.
    static func work(_ pending: PendingChanges) -> ContiguousArray<Work> {
        var work = ContiguousArray<Work>()
        work.reserveCapacity(pending.inserted.count + pending.updated.count + pending.deleted.count)
        for object in pending.inserted where !object._$state.flags.contains(.deleted) {
            work.append(Work(id: object._$state.id, object: object, kind: .insert))
        }
        for object in pending.updated where !object._$state.flags.contains(.deleted) {
            work.append(Work(id: object._$state.id, object: object, kind: .update))
        }
        for (id, object) in pending.deleted { work.append(Work(id: id, object: object, kind: .delete)) }
        for index in work.indices.dropFirst() where work[index].id < work[index - 1].id {
            work.sort { $0.id < $1.id }
            break
        }
        return work
    }
}
