// Chosen by code that `@Stored` generates for types that cannot be stored: gives a clear error instead of a list of overloads.

extension StoredObject {
    @available(
        *,
        unavailable,
        message: "this type cannot be stored: make it a StoredValue or Codable, or mark objects with @Relationship, or use @Transient"
    )
    @_disfavoredOverload
    public func _$missing<Value>(_ index: Int, _ value: @autoclosure () -> Value?) -> Value { fatalError() }
}

extension ObjectProperty {
    @available(
        *,
        unavailable,
        message: "this type cannot be stored: make it a StoredValue or Codable, or mark objects with @Relationship, or use @Transient"
    )
    @_disfavoredOverload
    public static func value<Object: StoredObject, Value>(
        _ name: String,
        _ keyPath: KeyPath<Object, Value>,
        formerNames: [String] = [],
        hasDefault: Bool = false
    ) -> ObjectProperty { fatalError() }
}

extension RecordReader {
    @available(
        *,
        unavailable,
        message: "this type cannot be stored: make it a StoredValue or Codable, or mark objects with @Relationship, or use @Transient"
    )
    @_disfavoredOverload
    public mutating func read<Value>(_ index: Int, default value: @autoclosure () -> Value?) throws(RecordError) -> Value { fatalError() }
}

extension RecordWriter {
    @available(
        *,
        unavailable,
        message: "this type cannot be stored: make it a StoredValue or Codable, or mark objects with @Relationship, or use @Transient"
    )
    @_disfavoredOverload
    public mutating func write<Value>(_ value: Value, field number: Int) { fatalError() }
}
