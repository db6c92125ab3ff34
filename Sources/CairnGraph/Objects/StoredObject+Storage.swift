// Called by code that `@Stored` generates, in addition to the tracking of `StoredObject`.

extension StoredObject {
    /// The value of a property whose record could not be read.
    ///
    /// - Returns: The default of the declaration; without one, the substitute of the type.
    @inline(never)
    public func _$missing<Value: StoredValue>(_ index: Int, _ value: @autoclosure () -> Value?) -> Value {
        if let value = value() ?? Value.substitute { return value }
        _$stop(index)
    }

    /// The same for a type stored through `Codable`: a value of zeros and empty texts, if possible.
    @_disfavoredOverload
    @inline(never)
    public func _$missing<Value: Codable>(_ index: Int, _ value: @autoclosure () -> Value?) -> Value {
        if let value = value() ?? SubstituteDecoder.value(Value.self) { return value }
        _$stop(index)
    }

    /// Never called, because stores reject classes for which it could be.
    private func _$stop(_ index: Int) -> Never {
        let schema = Self.objectSchema
        let property = schema.properties.indices.contains(index) ? schema.properties[index].name : "\(index)"
        preconditionFailure(
            "\(schema.name).\(property) has no value: its record could not be read, and there is no substitute for it. Declare a default or make it optional"
        )
    }

    /// The objects of a relationship, created on first use.
    @inlinable
    public func _$collection(_ storage: inout ObjectCollection?) -> ObjectCollection {
        if let storage { return storage }
        let collection = _$makeCollection()
        storage = collection
        return collection
    }

    @usableFromInline @inline(never)
    func _$makeCollection() -> ObjectCollection {
        let collection = ObjectCollection()
        if _$state.hasContext {
            collection.attach()
            // The content of derived properties is read later.
            collection.isGathered = false
        }
        return collection
    }
}
