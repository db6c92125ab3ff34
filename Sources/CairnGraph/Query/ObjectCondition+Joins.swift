extension ObjectCondition {
    /// Objects whose to-one property refers to an object that meets a condition.
    ///
    /// ```swift
    /// try context.fetch(Song.self, where: .has(\.album, where: \.title == "Graceland"))
    /// ```
    ///
    /// If an index of the other class finds the objects that meet the condition, or that class is much smaller, the query examines only the
    /// objects that refer to them. Otherwise each object referred to is tested once.
    public static func has<Target: StoredObject>(_ keyPath: KeyPath<Object, Target?>, where condition: ObjectCondition<Target>)
        -> ObjectCondition
    {
        join(keyPath, condition.condition) { object, holds in try object[keyPath: keyPath].map(holds) ?? false }
    }

    /// Objects whose list contains an object that meets a condition.
    public static func has<Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectList<Target>>, where condition: ObjectCondition<Target>)
        -> ObjectCondition
    {
        join(keyPath, condition.condition) { object, holds in try object[keyPath: keyPath].contains(where: holds) }
    }

    /// Objects whose set contains an object that meets a condition.
    public static func has<Target: StoredObject>(_ keyPath: KeyPath<Object, ObjectSet<Target>>, where condition: ObjectCondition<Target>)
        -> ObjectCondition
    {
        join(keyPath, condition.condition) { object, holds in try object[keyPath: keyPath].contains(where: holds) }
    }

    /// Objects whose array contains an object that meets a condition.
    public static func has<Target: StoredObject>(_ keyPath: KeyPath<Object, [Target]>, where condition: ObjectCondition<Target>)
        -> ObjectCondition
    {
        join(keyPath, condition.condition) { object, holds in try object[keyPath: keyPath].contains(where: holds) }
    }

    /// Objects whose dictionary contains, under any key, an object that meets a condition.
    public static func has<Key, Target: StoredObject>(
        _ keyPath: KeyPath<Object, ObjectDictionary<Key, Target>>,
        where condition: ObjectCondition<Target>
    ) -> ObjectCondition {
        join(keyPath, condition.condition) { object, holds in try object[keyPath: keyPath].contains { try holds($0.value) } }
    }

    /// - Parameter contains: whether one of an object's targets passes a test; for properties that the store does not keep as relationships.
    private static func join<Target: StoredObject>(
        _ keyPath: PartialKeyPath<Object>,
        _ condition: Condition,
        _ contains: @escaping (Object, (Target) throws -> Bool) throws -> Bool
    ) -> ObjectCondition {
        switch condition {
        case .always(false): return ObjectCondition(.always(false))
        default: break
        }
        let place = PropertyPlace(keyPath)
        let name = place.name
        guard let index = place.relationshipIndex else {
            return ObjectCondition(
                .other(
                    OtherTest("\(name): \(condition.text)", isForeign: true) { (object: Object) in
                        try contains(object) { target in
                            guard let context = target.objectContext else { return false }
                            return try context.query(Target.self, .always(true), wantsObjects: false).meets(condition, target)
                        }
                    }
                )
            )
        }
        return ObjectCondition(.join(JoinTest(index, name, Target.self, condition, isToOne: place.isToOne, whenNil: false)))
    }
}
