extension ObjectProperty {
    /// A property with a value of a type that is stored by way of `Codable`.
    @_disfavoredOverload
    public static func value<Object: StoredObject, Value: Codable>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty {
        ObjectProperty(name, formerNames, .value(.of(Value.self)), keyPath) { hasDefault || SubstituteDecoder.value(Value.self) != nil }
    }

    /// The same with an optional.
    @_disfavoredOverload
    public static func value<Object: StoredObject, Value: Codable>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value?>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty {
        ObjectProperty(name, formerNames, .value(.of(Value?.self)), keyPath)
    }
}
