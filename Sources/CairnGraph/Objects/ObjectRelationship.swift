/// A property that refers to other objects.
public struct ObjectRelationship: @unchecked Sendable {
    /// How many objects it refers to, and how they are arranged.
    public enum Shape: String, Sendable, Hashable {
        case one, list, set, dictionary
    }

    public let shape: Shape
    /// What happens to these objects when the owner is deleted.
    public let deleteRule: DeleteRule
    /// The target class; `nil` if objects of several classes are allowed.
    let target: (any StoredObject.Type)?
    /// The inverse property, which is kept consistent.
    let inverse: AnyKeyPath?
    /// The declared target, and whether an object belongs to it.
    let targetName: String
    let accepts: (any StoredObject) -> Bool
    /// Returns whether bytes are a valid key; only for dictionaries.
    let isKey: (([UInt8]) -> Bool)?
    let access: Access

    enum Access {
        case one(get: (any StoredObject) -> ObjectReference, set: (any StoredObject, ObjectReference) -> Void)
        /// `make` creates the property's collection if it has none.
        case many(get: (any StoredObject) -> ObjectCollection?, make: (any StoredObject) -> Void)
    }
}

extension ObjectProperty {
    /// A property that refers to one object, or none.
    public static func toOne<Object: StoredObject, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, Target?>,
        formerNames: [String] = [],
        inverse: AnyKeyPath? = nil,
        onDelete rule: DeleteRule = .nullify,
        get: @escaping @Sendable (Object) -> ObjectReference,
        set: @escaping @Sendable (Object, ObjectReference) -> Void
    ) -> ObjectProperty {
        relationship(
            name,
            keyPath,
            formerNames,
            .one,
            Target.self,
            inverse,
            rule,
            .one(
                get: { get(unsafe unsafeDowncast($0, to: Object.self)) },
                set: { set(unsafe unsafeDowncast($0, to: Object.self), $1) }
            )
        )
    }

    /// A property with an ordered list of objects, which can contain an object several times.
    public static func list<Object: StoredObject, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, ObjectList<Target>>,
        formerNames: [String] = [],
        inverse: AnyKeyPath? = nil,
        onDelete rule: DeleteRule = .nullify,
        storage: @escaping @Sendable (Object) -> ObjectCollection?
    ) -> ObjectProperty {
        many(name, keyPath, formerNames, .list, Target.self, inverse, rule, storage)
    }

    /// A property with an ordered list of objects, declared as an array.
    public static func list<Object: StoredObject, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, [Target]>,
        formerNames: [String] = [],
        inverse: AnyKeyPath? = nil,
        onDelete rule: DeleteRule = .nullify,
        storage: @escaping @Sendable (Object) -> ObjectCollection?
    ) -> ObjectProperty {
        many(name, keyPath, formerNames, .list, Target.self, inverse, rule, storage)
    }

    /// A property with an unordered set of objects.
    public static func set<Object: StoredObject, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, ObjectSet<Target>>,
        formerNames: [String] = [],
        inverse: AnyKeyPath? = nil,
        onDelete rule: DeleteRule = .nullify,
        storage: @escaping @Sendable (Object) -> ObjectCollection?
    ) -> ObjectProperty {
        many(name, keyPath, formerNames, .set, Target.self, inverse, rule, storage)
    }

    /// A property with objects by key.
    public static func dictionary<Object: StoredObject, Key, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, ObjectDictionary<Key, Target>>,
        formerNames: [String] = [],
        inverse: AnyKeyPath? = nil,
        onDelete rule: DeleteRule = .nullify,
        storage: @escaping @Sendable (Object) -> ObjectCollection?
    ) -> ObjectProperty {
        many(name, keyPath, formerNames, .dictionary, Target.self, inverse, rule, storage, isKey: { (try? Key(keyBytes: $0)) != nil })
    }

    private static func many<Object: StoredObject, Value, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        _ formerNames: [String],
        _ shape: ObjectRelationship.Shape,
        _ target: Target.Type,
        _ inverse: AnyKeyPath?,
        _ rule: DeleteRule,
        _ storage: @escaping @Sendable (Object) -> ObjectCollection?,
        isKey: (([UInt8]) -> Bool)? = nil
    ) -> ObjectProperty {
        relationship(
            name,
            keyPath,
            formerNames,
            shape,
            target,
            inverse,
            rule,
            .many(
                get: { storage(unsafe unsafeDowncast($0, to: Object.self)) },
                make: { _ = unsafe unsafeDowncast($0, to: Object.self)[keyPath: keyPath] }
            ),
            isKey: isKey
        )
    }

    private static func relationship<Object: StoredObject, Value, Target>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        _ formerNames: [String],
        _ shape: ObjectRelationship.Shape,
        _ target: Target.Type,
        _ inverse: AnyKeyPath?,
        _ rule: DeleteRule,
        _ access: ObjectRelationship.Access,
        isKey: (([UInt8]) -> Bool)? = nil
    ) -> ObjectProperty {
        let relationship = ObjectRelationship(
            shape: shape,
            deleteRule: rule,
            target: target as? any StoredObject.Type,
            inverse: inverse,
            targetName: "\(target)",
            accepts: { $0 is Target },
            isKey: isKey,
            access: access
        )
        return ObjectProperty(name, formerNames, .relationship(relationship), keyPath)
    }
}
