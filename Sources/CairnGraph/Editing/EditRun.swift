import CairnCore

/// Applies edits to a context, and describes what they do.
struct EditRun {
    private let context: ObjectContext
    private let store: ObjectStore
    private let obstacles: [String: String]

    init(_ context: ObjectContext, _ classes: UntypedClasses) {
        self.context = context
        store = context.store
        obstacles = classes.obstacles
    }

    func apply(_ edits: [ObjectEdit]) throws(ObjectStoreError) -> [ObjectChange] {
        for edit in edits {
            switch edit {
            case .set(let id, let field): try set(field, of: try object(id))
            case .insert(let name, let fields): try insert(name, fields)
            case .delete(let id): try context.delete(any: try object(id))
            }
        }
        try context.throwRefused()
        if let error = context.faultErrors.first { throw error }
        return try changes()
    }

    // MARK: Objects

    private func editable(_ stored: StoredClass?, _ name: String) throws(ObjectStoreError) -> StoredClass {
        guard let stored else { throw ObjectStoreError(.unknownClass, "\(store.name) has no class \(name)") }
        guard let why = obstacles[stored.name] else { return stored }
        throw ObjectStoreError(.notSupported, "objects of \(stored.name) cannot be changed without its program: \(why)")
    }

    private func editable(_ id: ObjectID) throws(ObjectStoreError) -> StoredClass {
        try editable(store.storedClass(number: id.classNumber), "\(id.classNumber)")
    }

    private func object(_ id: ObjectID) throws(ObjectStoreError) -> any UntypedContent {
        let stored = try editable(id)
        let object = context.resolve(id, stored)
        if object.isFault { try context.load(object, stored) }
        guard !object.isDeleted, let object = object as? any UntypedContent else {
            throw ObjectStoreError(.objectNotFound, "there is no \(stored.name) with row \(id.row) in \(store.name)", object: id)
        }
        return object
    }

    private func insert(_ name: String, _ fields: [ObjectDump.Field]) throws(ObjectStoreError) {
        let stored = try editable(store.classes.first { $0.name == name }, name)
        guard let schema = stored.schema, let object = schema.type.init(_$fault: ()) as? any UntypedContent else { return }
        object._$state.flags = []
        for property in schema.properties {
            guard case .value(let type) = property.kind, !type.isNullable, !fields.contains(where: { $0.name == property.name }) else {
                continue
            }
            throw ObjectStoreError(.invalidArgument, "a new \(name) needs a value for \(property.name)")
        }
        if let error = context.tryInsert(object) { throw error }
        for field in fields { try set(field, of: object) }
    }

    // MARK: Values

    private func set(_ field: ObjectDump.Field, of object: any UntypedContent) throws(ObjectStoreError) {
        let id = object._$state.id
        guard let stored = store.storedClass(number: id.classNumber), let schema = stored.schema,
            let index = schema.properties.firstIndex(where: { $0.name == field.name })
        else { throw ObjectStoreError(.invalidArgument, "the class of \(id) has no property \(field.name)", object: id) }
        let property = "\(stored.name).\(field.name)"
        switch (schema.properties[index].kind, field.value) {
        case (.value(let type), .value(let value)):
            if value == .null, !type.isNullable {
                throw ObjectStoreError(.typeMismatch, "\(property) must have a value: its type is \(type.phrase)", object: id)
            }
            let typed = TypedValue(value, type)
            guard typed.isReadable else {
                throw ObjectStoreError(.typeMismatch, "the value of \(property) \(type.refusal)", object: id)
            }
            object._$note(index)
            object[index] = value
        case (.relationship(let relationship), let value):
            guard let relation = stored.relations[index] else { return }
            try set(relation, relationship.shape, of: object, to: value, property)
        default:
            throw ObjectStoreError(.typeMismatch, "\(property) is not a relationship", object: id)
        }
    }

    // MARK: Relationships

    private func set(
        _ relation: Relation,
        _ shape: ObjectRelationship.Shape,
        of object: any UntypedContent,
        to value: ObjectDump.Value,
        _ property: String
    ) throws(ObjectStoreError) {
        switch (shape, value) {
        case (.one, .one(let id)):
            if let id { _ = try target(id, relation, property) }
            context.setReference(relation, object, id ?? ObjectID(raw: 0))
        case (.list, .many(let ids)):
            try replace(relation, of: object, with: try targets(ids, relation, property), keys: [])
        case (.set, .many(let ids)):
            guard let collection = relation.madeCollection(object) else { return }
            let elements = try targets(Array(Set(ids)).sorted(), relation, property)
            ObjectSet<any StoredObject>(_$owner: object, relation.index, collection)._$replace(with: ObjectSet(elements))
        case (.dictionary, .keyed(let entries)):
            try set(relation, of: object, to: entries, property)
        default:
            throw ObjectStoreError(
                .typeMismatch,
                "\(property) is a relationship of another kind: \(shape.rawValue)",
                object: object._$state.id
            )
        }
    }

    private func set(
        _ relation: Relation,
        of object: any UntypedContent,
        to entries: [ObjectDump.Entry],
        _ property: String
    ) throws(ObjectStoreError) {
        let sorted = entries.map { ($0.key.keyBytes, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.0 == next.0 {
            throw ObjectStoreError(.invalidArgument, "\(property) has a duplicate key: \(one.1.key)", object: object._$state.id)
        }
        // The catalog does not record the type of the keys.
        if let collection = relation.madeCollection(object), let known = collection.indices.first.map({ collection.key(at: $0) }) {
            let kinds = (try? KeyTuple(keyBytes: known)).map(Self.kinds)
            if let other = entries.first(where: { Self.kinds($0.key) != kinds }) {
                throw ObjectStoreError(
                    .typeMismatch,
                    "the key \(other.key) of \(property) differs in type from its other keys",
                    object: object._$state.id
                )
            }
        }
        try replace(relation, of: object, with: try targets(sorted.map(\.1.object), relation, property), keys: sorted.map(\.0))
    }

    private static func kinds(_ key: KeyTuple) -> [String] {
        key.elements.map { element in
            switch element {
            case .largeInteger: "integer"
            default: Mirror(reflecting: element).children.first?.label ?? "\(element)"
            }
        }
    }

    /// Replaces the parts of a list or dictionary that differ.
    private func replace(
        _ relation: Relation,
        of object: any UntypedContent,
        with targets: [any StoredObject],
        keys: [[UInt8]]
    ) throws(ObjectStoreError) {
        guard let collection = relation.madeCollection(object) else { return }
        try collection.readAll()
        func isSame(_ old: Int, _ new: Int) -> Bool {
            collection.id(at: old) == targets[new]._$state.id && (keys.isEmpty || collection.key(at: old) == keys[new])
        }
        var start = 0
        while start < min(collection.count, targets.count), isSame(start, start) { start += 1 }
        var end = 0
        while end < min(collection.count, targets.count) - start, isSame(collection.count - 1 - end, targets.count - 1 - end) { end += 1 }
        let (old, new) = (start..<collection.count - end, start..<targets.count - end)
        guard !old.isEmpty || !new.isEmpty else { return }
        Relationships.replace(
            old,
            of: collection,
            with: Array(targets[new]),
            keys: keys.isEmpty ? [] : Array(keys[new]),
            object,
            relation.index
        )
    }

    private func targets(_ ids: [ObjectID], _ relation: Relation, _ property: String) throws(ObjectStoreError) -> [any StoredObject] {
        var targets: [any StoredObject] = []
        for id in ids { targets.append(try target(id, relation, property)) }
        return targets
    }

    private func target(_ id: ObjectID, _ relation: Relation, _ property: String) throws(ObjectStoreError) -> any StoredObject {
        let stored = try editable(id)
        if let wanted = relation.relationship.target?.objectSchema.name, wanted != stored.name {
            throw ObjectStoreError(
                .typeMismatch,
                "\(property) refers to objects of \(wanted), but \(id) is of class \(stored.name)",
                object: id
            )
        }
        return try object(id)
    }
}

// MARK: - What changes

extension EditRun {
    private func changes() throws(ObjectStoreError) -> [ObjectChange] {
        var changed: [ObjectID: (kind: ObjectChange.Kind, object: any StoredObject)] = [:]
        for object in context.pending.inserted where !object.isDeleted { changed[object._$state.id] = (.insert, object) }
        for object in context.pending.updated where !object.isDeleted { changed[object._$state.id] = (.update, object) }
        for (id, object) in context.pending.deleted { changed[id] = (.delete, object) }
        var changes: [ObjectChange] = []
        do {
            try store.inspect { inspector in
                for (id, (kind, object)) in changed.sorted(by: { $0.key < $1.key }) {
                    let stored = try editable(id)
                    let before = kind == .insert ? nil : try inspector.present(id)
                    let after = kind == .delete ? nil : dump(object, stored)
                    if let before { try check(before, stored) }
                    let change = ObjectChange(kind, id, stored, before, after)
                    if kind != .update || !change.properties.isEmpty { changes.append(change) }
                }
            }
        } catch {
            throw error as? ObjectStoreError ?? ObjectStoreError(.ioError, "\(error)")
        }
        return changes
    }

    /// Throws if an older version of the class wrote the record, so that only the class can migrate it, or if the record lacks a value that
    /// its indexes may contain.
    private func check(_ dump: ObjectDump, _ stored: StoredClass) throws(ObjectStoreError) {
        guard dump.version == stored.entry.version else {
            throw ObjectStoreError(
                .notSupported,
                "\(stored.name) \(dump.id.row) was written by version \(dump.version) of its class, but \(store.name) has version \(stored.entry.version): only its program can change or upgrade it",
                object: dump.id
            )
        }
        for property in stored.schema?.properties ?? [] {
            guard case .value(let type) = property.kind, !type.isNullable, dump[property.name] == nil else { continue }
            throw ObjectStoreError(
                .notSupported,
                "\(stored.name) \(dump.id.row) has no value for \(property.name), and only its program knows the default",
                object: dump.id
            )
        }
    }

    private func dump(_ object: any StoredObject, _ stored: StoredClass) -> ObjectDump {
        var dump = ObjectDump(id: object._$state.id, className: stored.name, version: stored.version, fields: [])
        for (index, property) in (stored.schema?.properties ?? []).enumerated() {
            let value: ObjectDump.Value?
            if let relation = stored.relations[index] {
                value = relation.isDerived ? nil : self.value(of: object, relation)
            } else {
                if object._$state.flags.contains(.partial) { object.readLarge(index) }
                value = (object as? any UntypedContent)?[index].map { .value($0) }
            }
            if let value { dump.fields.append(ObjectDump.Field(name: property.name, value: value)) }
        }
        return dump
    }

    private func value(of object: any StoredObject, _ relation: Relation) -> ObjectDump.Value {
        if relation.shape == .one {
            let id = relation.reference(object).id
            return .one(id.raw == 0 ? nil : id)
        }
        guard let collection = relation.collection(object) else { return .many([]) }
        guard collection.isDictionary else { return .many(Array(collection.ids)) }
        return .keyed(
            collection.indices.compactMap { position in
                (try? KeyTuple(keyBytes: collection.key(at: position))).map { .init(key: $0, object: collection.id(at: position)) }
            }
        )
    }
}

extension ObjectChange {
    fileprivate init(_ kind: Kind, _ id: ObjectID, _ stored: StoredClass, _ before: ObjectDump?, _ after: ObjectDump?) {
        self.init(kind: kind, id: id, className: stored.name, properties: [])
        for property in stored.schema?.properties ?? [] {
            func value(_ dump: ObjectDump?) -> ObjectDump.Value? {
                guard let dump else { return nil }
                if let value = dump[property.name]?.ifAny { return value }
                guard case .relationship(let relationship) = property.kind, relationship.shape != .one else { return nil }
                return relationship.shape == .dictionary ? .keyed([]) : .many([])
            }
            let (old, new) = (value(before), value(after))
            if old?.ifAny != new?.ifAny { properties.append(Property(name: property.name, before: old, after: new)) }
        }
    }
}
