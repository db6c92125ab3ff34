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
