extension ObjectCondition {
    /// Objects whose list leads to `object`. The store keeps who leads to an object: no other is looked at.
    public static func contains<Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectList<Target>>, _ object: Target) -> ObjectCondition {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0 === object } }
    }

    /// Objects whose set leads to `object`.
    public static func contains<Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectSet<Target>>, _ object: Target) -> ObjectCondition {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0 === object } }
    }

    /// Objects whose array leads to `object`.
    public static func contains<Target: StoredObject>(_ keyPath: KeyPath<Object, [Target]>, _ object: Target) -> ObjectCondition {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0 === object } }
    }

    /// Objects whose dictionary leads to `object` under any key.
    public static func contains<Key, Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectDictionary<Key, Target>>, _ object: Target)
        -> ObjectCondition
    {
        link(keyPath, object) { $0[keyPath: keyPath].contains { $0.value === object } }
    }

    /// A collection of values with `element` in it. Each object is asked.
    @_disfavoredOverload
    public static func contains<Values: Sequence>(_ keyPath: KeyPath<Object, Values>, _ element: Values.Element) -> ObjectCondition
    where Values.Element: Equatable {
        ObjectCondition(keyPath, "contains \(ConditionText.value(element))") { $0[keyPath: keyPath].contains(element) }
    }

    static func link(_ keyPath: PartialKeyPath<Object>, _ target: (any StoredObject)?, _ test: @escaping (Object) -> Bool)
        -> ObjectCondition
    {
        let (name, index) = ConditionProperty<Object>.place(keyPath)
        if let index, case .relationship = Object.objectSchema.properties[index].kind {
            return ObjectCondition(.link(LinkTest(property: index, name: name, target: target)))
        }
        return ObjectCondition(keyPath, target.map { "leads to \($0.objectID.map { "\($0)" } ?? "an object")" } ?? "= nil", test)
    }
}

/// Objects whose property leads to `object`; with `nil`, to nothing.
public func == <Object: StoredObject, Target: StoredObject>(keyPath: KeyPath<Object, Target?>, object: Target?) -> ObjectCondition<Object> {
    guard let object else { return .isNil(keyPath) }
    return .link(keyPath, object) { $0[keyPath: keyPath] === object }
}

/// Objects whose property does not lead to `object`; with `nil`, leads somewhere.
public func != <Object: StoredObject, Target: StoredObject>(keyPath: KeyPath<Object, Target?>, object: Target?) -> ObjectCondition<Object> {
    !(keyPath == object)
}
