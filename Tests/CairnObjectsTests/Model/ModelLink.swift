import CairnObjects
import CairnTestSupport

/// How a property of the stored classes is read and changed, by identities.
struct ModelLink {
    let get: (ObjectContext, ObjectID) throws -> [ObjectID]
    /// Of a reference: sets it. Of a list: inserts at the place. Of a set: inserts. Of a dictionary: the place is the key.
    let link: (ObjectContext, ObjectID, ObjectID, Int) throws -> Void
    /// Of a set: the place is that of the sorted identities.
    let unlink: (ObjectContext, ObjectID, Int) throws -> Void
    var replace: (ObjectContext, ObjectID, [ObjectID]) throws -> Void = { _, _, _ in }
    var move: (ObjectContext, ObjectID, Int, Int) throws -> Void = { _, _, _, _ in }
}

extension ObjectContext {
    /// The object that must be there.
    func must<Object: StoredObject>(_ id: ObjectID, _ type: Object.Type = Object.self) throws -> Object {
        guard let object = try object(id, as: type) else { throw Mismatch("there is no \(type) \(id)") }
        return object
    }

    func must(_ id: ObjectID, _ kind: ModelKind) throws -> any ModelThing {
        switch kind {
        case .hub: try must(id, ModelHub.self)
        case .part: try must(id, ModelPart.self)
        case .line: try must(id, ModelLine.self)
        case .tag: try must(id, ModelTag.self)
        }
    }

    /// The object of any class.
    func thing(_ id: ObjectID) throws -> any ModelThing {
        for kind in ModelKind.allCases { if let object = try? must(id, kind) { return object } }
        throw Mismatch("there is no object \(id)")
    }
}

extension ModelLink {
    private static func one<Object: StoredObject, Target: StoredObject>(_ path: ReferenceWritableKeyPath<Object, Target?>) -> ModelLink {
        ModelLink(
            get: { try $0.must($1, Object.self)[keyPath: path].map { [try known($0)] } ?? [] },
            link: { context, id, target, _ in try context.must(id, Object.self)[keyPath: path] = try context.must(target, Target.self) },
            unlink: { context, id, _ in try context.must(id, Object.self)[keyPath: path] = nil }
        )
    }

    private static func list<Object: StoredObject, Element>(
        _ path: ReferenceWritableKeyPath<Object, ObjectList<Element>>,
        _ find: @escaping (ObjectContext, ObjectID) throws -> Element
    ) -> ModelLink {
        ModelLink(
            get: { try $0.must($1, Object.self)[keyPath: path].objectIDs },
            link: { context, id, target, place in
                try context.must(id, Object.self)[keyPath: path].insert(try find(context, target), at: place)
            },
            unlink: { context, id, place in try context.must(id, Object.self)[keyPath: path].remove(at: place) },
            replace: { context, id, targets in
                try context.must(id, Object.self)[keyPath: path] = ObjectList(try targets.map { try find(context, $0) })
            },
            move: { context, id, start, end in try context.must(id, Object.self)[keyPath: path].move(from: start, to: end) }
        )
    }

    private static func set<Object: StoredObject, Element: StoredObject>(
        _ path: ReferenceWritableKeyPath<Object, ObjectSet<Element>>
    ) -> ModelLink {
        ModelLink(
            get: { try $0.must($1, Object.self)[keyPath: path].objectIDs },
            link: { context, id, target, _ in try context.must(id, Object.self)[keyPath: path].insert(try context.must(target)) },
            unlink: { context, id, place in
                let set = try context.must(id, Object.self)[keyPath: path]
                set.remove(try context.must(set.objectIDs.sorted()[place]))
            },
            replace: { context, id, targets in
                try context.must(id, Object.self)[keyPath: path] = ObjectSet(try targets.map { try context.must($0, Element.self) })
            }
        )
    }

    private static var keyed: ModelLink {
        ModelLink(
            get: { try $0.must($1, ModelHub.self).byKey.map { try known($0.value) } },
            link: { context, id, target, key in try context.must(id, ModelHub.self).byKey[key] = try context.must(target) },
            unlink: { context, id, key in try context.must(id, ModelHub.self).byKey[key] = nil }
        )
    }

    private static func known(_ object: some StoredObject) throws -> ObjectID {
        guard let id = object.objectID else { throw Mismatch("a \(type(of: object)) that is led to belongs to no context") }
        return id
    }

    init(_ property: ModelProperty) {
        self =
            switch property {
            case .parts: .list(\ModelHub.parts) { try $0.must($1) }
            case .friend: .one(\ModelHub.friend)
            case .next: .one(\ModelHub.next)
            case .tags: .set(\ModelHub.tags)
            case .byKey: .keyed
            case .hub: .one(\ModelPart.hub)
            case .lines: .set(\ModelPart.lines)
            case .pins: .set(\ModelPart.pins)
            case .items: .list(\ModelLine.items) { try $0.must($1) }
            case .tag: .one(\ModelLine.tag)
            case .held: .set(\ModelLine.held)
            case .things: .list(\ModelLine.things) { try $0.thing($1) }
            case .hubs: .set(\ModelTag.hubs)
            case .line: .one(\ModelTag.line)
            }
    }
}
