/// What the collections and to-one properties of all classes have in common.
enum Relationships {
    /// Elements as stored objects, or `nil` after recording that one is not.
    static func objects<Element>(
        _ elements: some Sequence<Element>,
        for collection: ObjectCollection,
        _ owner: (any StoredObject)?,
        _ property: Int
    ) -> [any StoredObject]? {
        var objects: [any StoredObject] = []
        objects.reserveCapacity(elements.underestimatedCount)
        for element in elements {
            guard let object = object(element, for: collection, owner, property) else { return nil }
            objects.append(object)
        }
        return objects
    }

    /// An element as a stored object, or `nil` after recording that it is not.
    static func object<Element>(
        _ element: Element,
        for collection: ObjectCollection,
        _ owner: (any StoredObject)?,
        _ property: Int
    ) -> (any StoredObject)? {
        if let object = element as? any StoredObject { return object }
        refuse(.invalidArgument, "\(type(of: element as Any)) is not a stored class", collection, owner, property)
        return nil
    }

    /// Records that a collection was not changed: in its owner's context or, if the owner has none, until the owner is inserted.
    static func refuse(
        _ code: ObjectStoreError.Code,
        _ reason: String,
        _ collection: ObjectCollection,
        _ owner: (any StoredObject)?,
        _ property: Int
    ) {
        if let owner, owner.refuse(property, code, reason) { return }
        guard collection.refusal == nil else { return }
        let name = owner.map { $0.text(of: property) } ?? "a collection"
        collection.refusal = ObjectStoreError(code, "\(name) was not changed: \(reason)")
    }

    /// Passes a refused change of a collection without an owner on to the property that it is assigned to.
    static func passOnRefusal(
        of other: ObjectCollection,
        to collection: ObjectCollection,
        _ owner: (any StoredObject)?,
        _ property: Int
    ) {
        guard let refusal = other.refusal else { return }
        other.refusal = nil
        refuse(refusal.code, refusal.message, collection, owner, property)
    }

    /// The object at a position. If the collection does not have the position, the next save of the owner's context throws, and the object's values
    /// are substitutes.
    static func element<Element>(
        _ position: Int,
        of collection: ObjectCollection,
        _ owner: (any StoredObject)?,
        _ property: Int
    ) -> Element {
        guard position >= 0, position < collection.count else {
            let reason = "position \(position) is out of bounds; the count is \(collection.count)"
            let name = owner.map { $0.text(of: property) } ?? "a collection"
            let error = ObjectStoreError(.invalidArgument, "\(name) was not read: \(reason)", object: owner?.objectID)
            if let link = owner?._$state.lastLink { link.refuse(error) } else { collection.refusal = collection.refusal ?? error }
            return blank(owner)
        }
        if let found = collection.objects?[position] { return found as? Element ?? blank(owner) }
        let id = collection.id(at: position)
        guard id.raw != 0 else { return blank(owner) }
        return resolve(id, at: position, of: collection, owner) as? Element ?? blank(owner)
    }

    private static func resolve(
        _ id: ObjectID,
        at position: Int,
        of collection: ObjectCollection,
        _ owner: (any StoredObject)?
    ) -> (any StoredObject)? {
        let object = resolve(id, owner)
        if let object, object.isFault { owner?.objectContext?.readAhead.madeFault(collection, position) }
        return object
    }

    /// The object with an identity: in the context of `owner`, or a blank one if the context is gone; `nil` if the class is not known.
    static func resolve(_ id: ObjectID, _ owner: (any StoredObject)?) -> (any StoredObject)? {
        guard let link = owner?._$state.link, let stored = link.store.storedClass(number: id.classNumber), let schema = stored.schema else {
            return nil
        }
        if let context = unsafe link.context { return context.resolve(id, stored) }
        return blank(schema.type)
    }

    /// A placeholder for an object that cannot be read.
    private static func blank<Element>(_ owner: (any StoredObject)?) -> Element {
        if let type = Element.self as? any StoredObject.Type, let blank = blank(type) as? Element { return blank }
        for stored in owner?._$state.lastLink?.store.classes ?? [] {
            if let schema = stored.schema, let blank = blank(schema.type) as? Element { return blank }
        }
        preconditionFailure(
            "a position is out of bounds in a collection of \(Element.self), whose owner was never inserted: its class is unknown"
        )
    }

    private static func blank(_ type: any StoredObject.Type) -> any StoredObject {
        let blank = type.init(_$fault: ())
        blank._$state.flags = .damaged
        return blank
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

    /// Reads the contents of a derived property of several objects, where necessary.
    static func gather(_ relation: Relation, of objects: [some StoredObject], _ context: ObjectContext) throws(ObjectStoreError) {
        let missing = objects.compactMap { object in
            relation.madeCollection(object).flatMap { $0.isGathered ? nil : (id: object._$state.id, collection: $0) }
        }
        if relation.isDerived, let inverse = relation.inverse, !missing.isEmpty {
            let owners = try context.owners(ofEach: missing.map(\.id), through: inverse)
            for (missing, owners) in zip(missing, owners) { missing.collection.set(owners) }
        }
        for (_, collection) in missing { collection.isGathered = true }
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
        guard has(position..<position, collection, owner, property), let id = context.adopt(object, for: owner, property) else { return }
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
        guard has(range, collection, owner, property) else { return }
        edit(collection, removing: collection.ids(in: range), adding: objects, owner, property) { ids in
            collection.replaceSubrange(range, with: ids, objects, keys: keys)
        }
    }

    /// Removes the elements at ascending positions of a list.
    static func remove(at positions: [Int], of list: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) {
        guard !positions.isEmpty else { return }
        edit(list, removing: positions.map { list.id(at: $0) }, adding: [], owner, property) { _ in list.remove(at: positions) }
    }

    /// Whether a collection has a range; if not, records an error.
    static func has(_ range: Range<Int>, _ collection: ObjectCollection, _ owner: (any StoredObject)?, _ property: Int) -> Bool {
        if range.lowerBound >= 0, range.upperBound <= collection.count { return true }
        let positions = range.count > 1 ? "positions \(range) are" : "position \(range.lowerBound) is"
        refuse(.invalidArgument, "\(positions) out of bounds; the count is \(collection.count)", collection, owner, property)
        return false
    }

    /// Whether all objects are in the context of an owner, or can be inserted into it; records why not.
    static func accepts(_ objects: [any StoredObject], _ owner: (any StoredObject)?, _ property: Int) -> Bool {
        guard let owner, let context = owner.objectContext, let error = context.obstacle(to: objects) else { return true }
        owner.refuse(property, error.code, error.message)
        return false
    }

    /// Changes a collection, and updates inverses, observers and pending changes.
    ///
    /// - Parameter change: Is passed the identities of the added objects; 0 if the owner belongs to no context.
    private static func edit(
        _ collection: ObjectCollection,
        removing removed: [ObjectID],
        adding objects: [any StoredObject],
        _ owner: (any StoredObject)?,
        _ property: Int,
        _ change: ([ObjectID]) -> Void
    ) {
        guard let owner else { return change(objects.map { _ in ObjectID(raw: 0) }) }
        guard let context = owner.objectContext, let relation = context.relation(owner, property) else {
            owner.noteLost(property)
            // Without its context, the identities could not be resolved.
            guard collection.objects != nil else { return }
            let isNew = owner._$state.lastLink == nil
            owner.tell(property, .willChange)
            if isNew { owner._$state.changed |= ObjectState.bit(property) }
            change(objects.map { _ in ObjectID(raw: 0) })
            owner.tell(property, .didChange)
            // An object that was never inserted joins the context of an object that it begins to refer to.
            if isNew { objects.lazy.compactMap(\.objectContext).first?.adopt(owner: owner) }
            return
        }
        guard objects.count < 2 || accepts(objects, owner, property) else { return }
        var added: [ObjectID] = []
        added.reserveCapacity(objects.count)
        for object in objects {
            guard let id = context.adopt(object, for: owner, property) else { return }
            added.append(id)
        }
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
        guard let owner, let context = owner.objectContext, let relation = context.relation(owner, property) else {
            owner?.noteLost(property)
            if collection.objects != nil { collection.move(from: start, to: end) }
            return
        }
        context.begin(relation, owner)
        collection.move(from: start, to: end)
        context.end(relation, owner)
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
        let reference = ObjectReference(_$to: target)
        if isFault { fire() }
        if reference.isRefused, _$state.lastLink != nil {
            refuse(property, .invalidArgument, "\(target.map { "\(Swift.type(of: $0 as Any))" } ?? "") is not a stored class")
            return
        }
        guard let context = objectContext, let relation = context.relation(self, property) else {
            noteLost(property)
            guard !isOrphaned else { return }
            let isNew = _$state.lastLink == nil
            tell(property, .willChange)
            if isNew { _$state.changed |= ObjectState.bit(property) }
            if case .relationship(let relationship) = Self.objectSchema.properties[property].kind,
                case .one(_, let set) = relationship.access
            {
                set(self, reference)
            }
            tell(property, .didChange)
            // An object that was never inserted joins the context of the object that it refers to.
            if isNew { reference.object?.objectContext?.adopt(owner: self) }
            return
        }
        guard let object = reference.object else { return context.setReference(relation, self, ObjectID(raw: 0)) }
        guard let new = context.adopt(object, for: self, property) else { return }
        context.setReference(relation, self, new)
    }

    /// Inserts a new object into the context of an object that its initializer was given, as assigning that object would.
    public func _$follow() {
        for property in Self.objectSchema.properties {
            guard case .relationship(let relationship) = property.kind else { continue }
            let context: ObjectContext? =
                switch relationship.access {
                case .one(let get, _): get(self).object?.objectContext
                case .many(let get, _): get(self)?.objects?.lazy.compactMap(\.objectContext).first
                }
            if let context { return context.adopt(owner: self) }
        }
    }

    /// Notifies observers of a property.
    func tell(_ property: Int, _ moment: ObjectProperty.Moment) {
        guard _$state.flags.contains(.tracked) else { return }
        if let registrar = _$state.registrar { Self.objectSchema.properties[property].tell(self, registrar.registrar, moment) }
    }

    /// Notifies observers of all properties.
    func tellAll(_ moment: ObjectProperty.Moment) {
        guard _$state.flags.contains(.tracked) else { return }
        for property in Self.objectSchema.properties.indices { tell(property, moment) }
    }
}
