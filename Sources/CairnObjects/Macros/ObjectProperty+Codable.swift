extension ObjectProperty {
    /// A property whose value is stored through `Codable`.
    @_disfavoredOverload
    public static func value<Object: StoredObject, Value: Codable>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty {
        ObjectProperty(name, formerNames, .value(.of(Value.self)), keyPath) { hasDefault || SubstituteDecoder.value(Value.self) != nil }
    }

    /// The same for an optional.
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
