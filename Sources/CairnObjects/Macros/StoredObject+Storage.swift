// What the code that `@Stored` writes calls beside the tracking of `StoredObject`.

extension StoredObject {
    /// A value that is not there: its record could not be read.
    ///
    /// - Returns: The default of the declaration; without one, the substitute of the type.
    @inline(never)
    public func _$missing<Value: StoredValue>(_ index: Int, _ value: @autoclosure () -> Value?) -> Value {
        if let value = value() ?? Value.substitute { return value }
        _$stop(index)
    }

    /// The same for a type that is stored by way of `Codable`: a value of zeros and empty texts, where the type has such.
    @_disfavoredOverload
    @inline(never)
    public func _$missing<Value: Codable>(_ index: Int, _ value: @autoclosure () -> Value?) -> Value {
        if let value = value() ?? SubstituteDecoder.value(Value.self) { return value }
        _$stop(index)
    }

    /// Stores take no class of which this could be called.
    private func _$stop(_ index: Int) -> Never {
        let schema = Self.objectSchema
        let property = schema.properties.indices.contains(index) ? schema.properties[index].name : "\(index)"
        preconditionFailure(
            "\(schema.name).\(property) has no value: its record could not be read, and nothing can stand for it. Declare a default or make it optional"
        )
    }

    /// The objects of a relationship, made when they are wanted first.
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
            // What the other side tells has yet to be found.
            collection.isGathered = false
        }
        return collection
    }
}
