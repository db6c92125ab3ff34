/// The values of objects in a relationship.
extension Relation {
    func reference(_ object: any StoredObject) -> ObjectReference {
        if case .one(let get, _) = relationship.access { return get(object) }
        return .none
    }

    func setReference(_ object: any StoredObject, _ reference: ObjectReference) {
        if case .one(_, let set) = relationship.access { set(object, reference) }
    }

    /// The collection as it was read; the location of a long one's chunks may not be known yet.
    func unprepared(_ object: any StoredObject) -> ObjectCollection? {
        if case .many(let get, _) = relationship.access { return get(object) }
        return nil
    }

    func collection(_ object: any StoredObject) -> ObjectCollection? {
        guard let collection = unprepared(object) else { return nil }
        if collection.lacksOrigin, let context = object.objectContext { collection.findOrigin(object, self, context) }
        return collection
    }

    /// The collection of an object, created if needed; `nil` for a to-one property.
    func madeCollection(_ object: any StoredObject) -> ObjectCollection? {
        guard case .many(let get, let make) = relationship.access else { return nil }
        if let collection = collection(object) { return collection }
        make(object)
        return get(object)
    }

    /// Whether the property of an object refers to another object.
    func leads(_ object: any StoredObject, to target: ObjectID) -> Bool {
        shape == .one ? reference(object).id == target : collection(object)?.contains(target) ?? false
    }

    /// Whether an object that belongs to no context yet has a value for the relationship.
    func holdsSomething(_ object: any StoredObject) -> Bool {
        switch relationship.access {
        case .one(let get, _): !get(object).isNone
        case .many(let get, _): get(object) != nil
        }
    }

    /// Calls `body` with the objects that the property of an object that belongs to no context refers to, with duplicates.
    func forEachNewTarget(
        _ object: any StoredObject,
        _ body: (any StoredObject) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        switch relationship.access {
        case .one(let get, _): if let target = get(object).object { try body(target) }
        case .many(let get, _): for target in get(object)?.objects ?? [] { try body(target) }
        }
    }

    /// Returns the change of the property that was refused while the object belonged to no context, and forgets it.
    func takeRefusal(_ object: any StoredObject) -> ObjectStoreError? {
        guard let collection = unprepared(object), let refusal = collection.refusal else { return nil }
        collection.refusal = nil
        return ObjectStoreError(refusal.code, "\(owner.name).\(name): \(refusal.message)")
    }

    /// The objects that the property of an object refers to, with duplicates.
    func targets(_ object: any StoredObject) -> ContiguousArray<ObjectID> {
        if shape == .one {
            let id = reference(object).id
            return id.raw == 0 ? [] : [id]
        }
        return collection(object)?.ids ?? []
    }
}
