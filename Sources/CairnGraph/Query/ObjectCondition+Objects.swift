extension ObjectCondition {
    /// Objects whose list contains `object`. The store records which objects refer to an object, so a query examines no others.
    public static func contains<Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectList<Target>>, _ object: Target) -> ObjectCondition {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0 === object } }
    }

    /// Objects whose set contains `object`.
    public static func contains<Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectSet<Target>>, _ object: Target) -> ObjectCondition {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0 === object } }
    }

    /// Objects whose array contains `object`.
    public static func contains<Target: StoredObject>(_ keyPath: KeyPath<Object, [Target]>, _ object: Target) -> ObjectCondition {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0 === object } }
    }

    /// Objects whose dictionary contains `object` under any key.
    public static func contains<Key, Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectDictionary<Key, Target>>, _ object: Target)
        -> ObjectCondition
    {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0.value === object } }
    }

    /// Objects whose collection of values contains `element`, compared as ``ObjectCondition`` says. Evaluated for each object.
    @_disfavoredOverload
    public static func contains<Values: Sequence>(_ keyPath: KeyPath<Object, Values>, _ element: Values.Element) -> ObjectCondition
    where Values.Element: KeyCodable & Equatable {
        let spans = KeySpans(.equal, element) ?? .none
        return ObjectCondition(keyPath, "contains \(ConditionText.value(element))") { object in
            object[keyPath: keyPath].contains { spans.contains(KeySpans.element($0)) }
        }
    }

    /// Objects whose collection of values contains `element`. For types that are not `KeyCodable`, which compare by their own `==`; evaluated for each
    /// object.
    @_disfavoredOverload
    public static func contains<Values: Sequence>(_ keyPath: KeyPath<Object, Values>, _ element: Values.Element) -> ObjectCondition
    where Values.Element: Equatable {
        ObjectCondition(keyPath, "contains \(ConditionText.value(element))") { $0[keyPath: keyPath].contains(element) }
    }

    static func link(_ keyPath: PartialKeyPath<Object>, _ target: (any StoredObject)?, _ test: @escaping (Object) -> Bool)
        -> ObjectCondition
    {
        let place = PropertyPlace(keyPath)
        if let index = place.relationshipIndex {
            return ObjectCondition(.link(LinkTest(property: index, name: place.name, target: target)))
        }
        return ObjectCondition(keyPath, target.map { "refers to \($0.objectID.map { "\($0)" } ?? "an object")" } ?? "= nil", test)
    }
}

/// Objects whose property refers to `object` or, if that is `nil`, to no object.
public func == <Object: StoredObject, Target: StoredObject>(keyPath: KeyPath<Object, Target?>, object: Target?) -> ObjectCondition<Object> {
    guard let object else { return .isNil(keyPath) }
    return .link(keyPath, object) { $0[keyPath: keyPath] === object }
}

/// Objects whose property doesn't refer to `object` or, if that is `nil`, refers to some object.
public func != <Object: StoredObject, Target: StoredObject>(keyPath: KeyPath<Object, Target?>, object: Target?) -> ObjectCondition<Object> {
    !(keyPath == object)
}
