extension ObjectProperty {
    /// A property whose value is stored through `Codable`.
    @_disfavoredOverload
    public static func value<Object: StoredObject, Value: Codable>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty {
        var property = ObjectProperty(name, formerNames, .value(.of(Value.self)), keyPath) {
            hasDefault || SubstituteDecoder.value(Value.self) != nil
        }
        property.setAssign(keyPath) { reader, index throws(RecordError) in try reader.read(index, default: nil as Value?) }
        return property
    }

    /// The same for an optional.
    @_disfavoredOverload
    public static func value<Object: StoredObject, Value: Codable>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value?>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty {
        var property = ObjectProperty(name, formerNames, .value(.of(Value?.self)), keyPath)
        property.setAssign(keyPath) { reader, index throws(RecordError) in try reader.read(index, default: nil as Value??) }
        return property
    }
}
