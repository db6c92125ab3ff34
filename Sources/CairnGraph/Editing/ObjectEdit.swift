/// One change to a store, made without the Swift classes (``ObjectEditor``).
public enum ObjectEdit: Hashable, Sendable {
    /// Sets a property of an object. `.value(.null)` removes the value of an optional property.
    case set(ObjectID, ObjectDump.Field)
    /// Adds an object of a class. All properties that are not optional need a value; relationships are empty unless they are given.
    case insert(className: String, [ObjectDump.Field])
    /// Deletes an object. References to it are removed, and the delete rules of its relationships apply.
    case delete(ObjectID)
}

/// How an object changes through an edit or its consequences.
public struct ObjectChange: Hashable, Sendable {
    /// What happens to the object.
    public enum Kind: String, Hashable, Sendable {
        case insert, update, delete
    }

    /// A property that changes. A relationship with many objects that leads to none is empty, not `nil`.
    public struct Property: Hashable, Sendable {
        /// Its name in the store.
        public var name: String
        /// Its value before; `nil` if there was none, as for a new object.
        public var before: ObjectDump.Value?
        /// Its value after; `nil` if there is none, as for a deleted object.
        public var after: ObjectDump.Value?
    }

    public var kind: Kind
    /// The object's identity. In a preview, that of an object to be inserted is provisional.
    public var id: ObjectID
    /// The name of its class in the store.
    public var className: String
    /// The properties that change, in the order of their numbers, except those derived from their inverses.
    public var properties: [Property]
}

extension ObjectChange {
    /// The changes without the identities that new objects get, so that they can be compared.
    static func withoutNewIdentities(_ changes: [ObjectChange]) -> [ObjectChange] {
        let new = Set(changes.filter { $0.kind == .insert }.map(\.id))
        guard !new.isEmpty else { return changes }
        func known(_ id: ObjectID) -> ObjectID { new.contains(id) ? ObjectID(class: id.classNumber, row: 0) : id }
        func known(_ value: ObjectDump.Value?) -> ObjectDump.Value? {
            switch value {
            case .one(let id): .one(id.map(known))
            case .many(let ids): .many(ids.map(known))
            case .keyed(let entries): .keyed(entries.map { .init(key: $0.key, object: known($0.object)) })
            case .value, nil: value
            }
        }
        return changes.map { change in
            var change = change
            change.id = known(change.id)
            for place in change.properties.indices {
                change.properties[place].before = known(change.properties[place].before)
                change.properties[place].after = known(change.properties[place].after)
            }
            return change
        }
    }
}
