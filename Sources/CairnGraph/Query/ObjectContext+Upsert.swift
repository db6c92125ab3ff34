extension ObjectContext {
    /// Finds the object with a unique value, or inserts the one that `make` returns; then calls `update` with it and returns it.
    ///
    /// ```swift
    /// let album = try context.upsert(\.code, "EMI 1", make: { Album(code: "EMI 1") }) { $0.title = "Walking on Sunshine" }
    /// ```
    ///
    /// Objects with unsaved changes count as they are in this context. If another context inserts the same value in the meantime,
    /// ``save()`` throws `notUnique`; ``ObjectStore/upsert(_:_:make:update:)`` retries by itself.
    ///
    /// - Parameters:
    ///   - keyPath: A property with `@Unique`.
    ///   - value: The value to look for.
    ///   - make: Makes an object with this value.
    ///   - update: Changes the object, whether it was found or made.
    /// - Throws: What `make` and `update` throw; ``ObjectStoreError``: `invalidPredicate` if the property is not unique, or if the object
    ///   that was made has another value (it is then not inserted); as `fetch`.
    @discardableResult
    public func upsert<Object: StoredObject, Value: KeyCodable & Equatable>(
        _ keyPath: KeyPath<Object, Value>,
        _ value: Value,
        make: () throws -> Object,
        update: (Object) throws -> Void = { _ in }
    ) throws -> Object {
        let stored = try knownClass(Object.self)
        let property = ConditionProperty(keyPath)
        guard stored.indexes.contains(where: { $0.index.isUnique && $0.index.properties == [property.name] && property.index != nil })
        else {
            throw ObjectStoreError(
                .invalidPredicate,
                "\(stored.name).\(property.name) is not unique: upsert(_:_:make:update:) needs a property with @Unique"
            )
        }
        if let found = try first(Object.self, where: keyPath == value) {
            try update(found)
            return found
        }
        let object = try make()
        guard KeySpans.element(object[keyPath: keyPath]) == KeySpans.element(value) else {
            throw ObjectStoreError(
                .invalidPredicate,
                "the \(stored.name) made for upsert(_:_:make:update:) does not have the \(property.name) that was searched for"
            )
        }
        insert(object)
        try update(object)
        return object
    }
}

extension ObjectStore {
    /// Inserts or updates the object with a unique value and saves it. If another context saves the same value or the same object first, it
    /// starts over, so `make` and `update` may be called more than once.
    ///
    /// - Throws: As ``ObjectContext/upsert(_:_:make:update:)`` and ``ObjectContext/save()``.
    public func upsert<Object: StoredObject, Value: KeyCodable & Equatable>(
        _ keyPath: KeyPath<Object, Value>,
        _ value: Value,
        make: () throws -> Object,
        update: (Object) throws -> Void = { _ in }
    ) throws {
        var attempts = 0
        while true {
            do {
                return try write(attempts: 1) { context in _ = try context.upsert(keyPath, value, make: make, update: update) }
            } catch {
                attempts += 1
                let code = (error as? ObjectStoreError)?.code
                guard code == .conflict || code == .notUnique, attempts < Save.mostAttempts else { throw error }
            }
        }
    }
}
