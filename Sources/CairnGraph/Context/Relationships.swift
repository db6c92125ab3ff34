/// What the collections and to-one properties of all classes have in common.
enum Relationships {
    /// An element as a stored object.
    static func object<Element>(_ element: Element) -> any StoredObject {
        guard let object = element as? any StoredObject else {
            preconditionFailure("\(Element.self) is not a stored class: relationships lead to classes with @Stored")
        }
        return object
    }

    /// The object at a position.
    static func element<Element>(_ position: Int, of collection: ObjectCollection, _ owner: (any StoredObject)?) -> Element {
        precondition(position >= 0 && position < collection.count, "no place \(position) in a collection of \(collection.count)")
        if let found = collection.objects?[position] { return cast(found) }
        let id = collection.id(at: position)
        return cast(id.raw == 0 ? blank(Element.self, owner) : resolve(id, at: position, of: collection, owner))
    }

    private static func cast<Element>(_ object: any StoredObject) -> Element {
        guard let element = object as? Element else {
            preconditionFailure("a \(type(of: object)) in a collection of \(Element.self)")
        }
        return element
    }

    private static func resolve(_ id: ObjectID, at position: Int, of collection: ObjectCollection, _ owner: (any StoredObject)?)
        -> any StoredObject
    {
        let object = resolve(id, owner)
        if object.isFault { owner?.objectContext?.readAhead.madeFault(collection, position) }
        return object
    }

    /// The object with an identity: in the context of `owner`, or a blank one if the context is gone.
    static func resolve(_ id: ObjectID, _ owner: (any StoredObject)?) -> any StoredObject {
        guard let link = owner?._$state.link, let stored = link.store.storedClass(number: id.classNumber), let schema = stored.schema else {
            preconditionFailure("class \(id.classNumber) is not known here: give all classes to the store")
        }
        if let context = unsafe link.context { return context.resolve(id, stored) }
        let blank = schema.type.init(_$fault: ())
        blank._$state.flags = .damaged
        return blank
    }

    /// What stands in the place of an object that a part of a long collection led to, which cannot be read.
    private static func blank<Element>(_: Element.Type, _ owner: (any StoredObject)?) -> any StoredObject {
        for stored in owner?._$state.link?.store.classes ?? [] {
            guard let blank = stored.schema?.type.init(_$fault: ()), blank is Element else { continue }
            blank._$state.flags = .damaged
            return blank
        }
        preconditionFailure("no class is a \(Element.self): give all classes to the store")
    }

    /// Finds out where the chunks of a long collection are, if that is not known yet.
    @inline(__always)
    static func prepare(_ collection: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) {
        guard collection.lacksOrigin, let owner, let context = owner.objectContext, let relation = context.relation(owner, property) else {
            return
        }
        collection.findOrigin(owner, relation, context)
    }

    static func position(of object: any StoredObject, in collection: ObjectCollection) -> Int? {
        guard collection.contains(object) else { return nil }
        return collection.objects?.firstIndex { $0 === object } ?? collection.firstPosition(of: object._$state.id)
    }

    /// Reads the content of a derived property, if necessary; errors are recorded.
    static func gather(_ collection: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) {
        guard !collection.isGathered else { return }
        guard let owner, let context = owner.objectContext, let relation = context.relation(owner, property) else { return }
        do throws(ObjectStoreError) { try gather(collection, owner, relation, context) } catch { context.faultErrors.append(error) }
    }

    static func gather(
        _ collection: ObjectCollection,
        _ owner: any StoredObject,
        _ relation: Relation,
        _ context: ObjectContext
    ) throws(ObjectStoreError) {
        guard !collection.isGathered else { return }
        if relation.isDerived, let inverse = relation.inverse {
            collection.set(try context.owners(of: owner._$state.id, through: inverse))
        }
        collection.isGathered = true
    }

    // MARK: Changes

    /// Inserts an object at a position: same as `replace`, without its arrays.
    static func insert(
        _ object: any StoredObject,
        at position: Int,
        of collection: ObjectCollection,
        _ owner: (any StoredObject)?,
        _ property: Int
    ) {
        guard let owner, let context = owner.objectContext, let relation = context.relation(owner, property) else {
            return replace(position..<position, of: collection, with: [object], owner, property)
        }
        precondition(position >= 0 && position <= collection.count, "no place \(position) in a collection of \(collection.count)")
        let id = context.adopt(object)
        context.begin(relation, owner)
        collection.insert(id, at: position)
        context.pending.addOwner(owner, relation, id)
        if relation.isDerived { context.linkOther(relation, owner, id) } else { context.didLink(relation, owner, id) }
        context.end(relation, owner)
    }

    /// Replaces the objects in a range.
    static func replace(
        _ range: Range<Int>,
        of collection: ObjectCollection,
        with objects: [any StoredObject],
        keys: [[UInt8]] = [],
        _ owner: (any StoredObject)?,
        _ property: Int
    ) {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= collection.count,
            "no places \(range) in a collection of \(collection.count)"
        )
        edit(removing: collection.ids(in: range), adding: objects, owner, property) { ids in
            collection.replaceSubrange(range, with: ids, objects, keys: keys)
        }
    }

    /// Removes the elements at ascending positions of a list.
    static func remove(at positions: [Int], of list: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) {
        guard !positions.isEmpty else { return }
        edit(removing: positions.map { list.id(at: $0) }, adding: [], owner, property) { _ in list.remove(at: positions) }
    }

    /// Changes a collection, and updates inverses, observers and pending changes.
    ///
    /// - Parameter change: Is passed the identities of the added objects; 0 if the owner belongs to no context.
    private static func edit(
        removing removed: [ObjectID],
        adding objects: [any StoredObject],
        _ owner: (any StoredObject)?,
        _ property: Int,
        _ change: ([ObjectID]) -> Void
    ) {
        guard let owner else { return change(objects.map { _ in ObjectID(raw: 0) }) }
        guard let context = owner.objectContext, let relation = context.relation(owner, property) else {
            owner.tell(property, .willChange)
            owner._$state.changed |= ObjectState.bit(property)
            change(objects.map { _ in ObjectID(raw: 0) })
            owner.tell(property, .didChange)
            return
        }
        let added = objects.map { context.adopt($0) }
        context.begin(relation, owner)
        defer { context.end(relation, owner) }
        change(added)
        for id in added { context.pending.addOwner(owner, relation, id) }
        for id in removed {
            if relation.isDerived { context.unlinkOther(relation, owner, id) } else { context.didUnlink(relation, owner, id) }
        }
        for id in added {
            if relation.isDerived { context.linkOther(relation, owner, id) } else { context.didLink(relation, owner, id) }
        }
    }

    static func move(_ start: Int, _ end: Int, of collection: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) {
        let relation = owner.flatMap { $0.objectContext?.relation($0, property) }
        if let owner, let relation { owner.objectContext?.begin(relation, owner) }
        collection.move(from: start, to: end)
        if let owner, let relation { owner.objectContext?.end(relation, owner) }
    }
}

// MARK: For the macro

extension StoredObject {
    /// The object that a to-one property refers to.
    public func _$object<Target>(_ reference: ObjectReference, as type: Target.Type) -> Target? {
        if let object = reference.object { return object as? Target }
        guard reference.id.raw != 0 else { return nil }
        return Relationships.resolve(reference.id, self) as? Target
    }

    /// Sets the object that a to-one property refers to.
    public func _$setReference<Target>(_ target: Target?, _ property: Int, _ keyPath: KeyPath<Self, Target?>) {
        let object = target.map { Relationships.object($0) }
        guard let context = objectContext, let relation = context.relation(self, property) else {
            if isFault { fire() }
            tell(property, .willChange)
            _$state.changed |= ObjectState.bit(property)
            if case .relationship(let relationship) = Self.objectSchema.properties[property].kind,
                case .one(_, let set) = relationship.access
            {
                set(self, ObjectReference(object))
            }
            tell(property, .didChange)
            return
        }
        if isFault { fire() }
        let new = object.map { context.adopt($0) } ?? ObjectID(raw: 0)
        context.setReference(relation, self, new)
    }

    /// Notifies observers of a property.
    func tell(_ property: Int, _ moment: ObjectProperty.Moment) {
        guard _$state.flags.contains(.tracked) else { return }
        if let registrar = _$state.registrar { Self.objectSchema.properties[property].tell(self, registrar.registrar, moment) }
    }
}
