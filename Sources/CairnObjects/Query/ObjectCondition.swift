/// What objects are to be like that are wanted: made of key paths by operators, and by the functions below.
///
/// ```swift
/// try context.fetch(Song.self, where: \.artist == "Katrina" && .hasPrefix(\.title, "W"))
/// ```
///
/// ## What compares how
/// - Text by its Unicode scalars, everywhere in queries: composed and decomposed characters differ, upper case comes before lower case,
///   whatever the language.
/// - `nil` is equal to `nil`, unequal to all else, and neither less nor greater than anything.
/// - Numbers by their value: a NaN is equal to nothing, not even to itself, and the two zeros are equal.
/// - Enumerations are equal where their raw values are.
///
/// So it is with an index and without one. An index is used where the property is `@Indexed` or `@Unique` and the comparison is one of
/// equality or, for numbers, text, dates and UUIDs, order. Key paths of computed and transient properties, and those that go through a
/// relationship (`\.album?.title`), can be used: each object is asked.
public struct ObjectCondition<Object: StoredObject> {
    let condition: Condition<Object>

    init(_ condition: Condition<Object>) { self.condition = condition }

    init<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>, _ spans: KeySpans, _ what: String) {
        let property = ConditionProperty(keyPath)
        condition = .value(ValueTest(property: property, spans: spans, text: "\(property.name) \(what)"))
    }

    init(_ keyPath: PartialKeyPath<Object>, _ what: String, _ test: @escaping (Object) -> Bool) {
        let (name, index) = ConditionProperty<Object>.place(keyPath)
        condition = .other(OtherTest("\(name) \(what)", isForeign: !ConditionProperty<Object>.isValue(index), test))
    }
}

extension ObjectCondition {
    /// What every object is like.
    public static var everything: ObjectCondition { ObjectCondition(.always(true)) }

    /// What code tells; each object is asked.
    ///
    /// - Parameters:
    ///   - text: How ``QueryExplanation`` calls it.
    ///   - test: Whether an object is what is asked. What it throws ends the query, as an error of that.
    public static func satisfies(_ text: String = "code", _ test: @escaping (Object) throws -> Bool) -> ObjectCondition {
        ObjectCondition(.other(OtherTest(text, isForeign: true, test)))
    }

    /// A value from the lower bound to the upper one, both included.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value>, _ range: ClosedRange<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath <= range.upperBound
    }

    /// A value from the lower bound up to, but not including, the upper one.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value>, _ range: Range<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath < range.upperBound
    }

    /// A value from the lower bound to the upper one, both included.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value?>, _ range: ClosedRange<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath <= range.upperBound
    }

    /// A value from the lower bound up to, but not including, the upper one.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value?>, _ range: Range<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath < range.upperBound
    }

    /// Any of some values.
    public static func isIn<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>, _ values: some Sequence<Value>) -> ObjectCondition {
        let values = Array(values)
        return ObjectCondition(keyPath, KeySpans(anyOf: values), "in \(ConditionText.list(values))")
    }

    /// No value.
    public static func isNil<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value?>) -> ObjectCondition {
        ObjectCondition(keyPath, .null, "= nil")
    }

    /// No value, or no object.
    @_disfavoredOverload
    public static func isNil<Value>(_ keyPath: KeyPath<Object, Value?>) -> ObjectCondition {
        link(keyPath, nil) { $0[keyPath: keyPath] == nil }
    }
}

/// Values in texts about queries.
enum ConditionText {
    static func value(_ value: Any) -> String {
        if let optional = value as? any OptionalType { return optional.anyValue.map { Self.value($0) } ?? "nil" }
        return value is String || value is Substring ? String(reflecting: "\(value)") : "\(value)"
    }

    static func list(_ values: [some Any]) -> String {
        let shown = values.prefix(5).map { value($0) }.joined(separator: ", ")
        return values.count > 5 ? "(\(shown), … \(values.count) values)" : "(\(shown))"
    }
}
