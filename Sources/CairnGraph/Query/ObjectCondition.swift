#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A condition that objects must meet, built from key paths with operators and the functions below.
///
/// ```swift
/// try context.fetch(Song.self, where: \.artist == "Katrina" && .hasPrefix(\.title, "W"))
/// ```
///
/// ## How values compare
/// - Text compares by its Unicode scalars everywhere in queries, whatever the language: composed and decomposed characters differ, and
///   upper case comes before lower case.
/// - `nil` is equal to `nil`, unequal to anything else, and neither less nor greater than any value.
/// - Numbers compare by value: NaN is equal to nothing, not even to itself, and the two zeros are equal.
/// - Enumerations are equal if their raw values are.
///
/// These rules hold with and without an index. A query uses an index if the property is `@Indexed` or `@Unique` and the comparison tests
/// equality or, for numbers, text, dates and UUIDs, order. Key paths of computed and transient properties, and those that go through a
/// relationship (`\.album?.title`), work too, but are evaluated for each object; for relationships, ``has(_:where:)-(KeyPath<Object,Target?>,_)`` uses the
/// indexes of the other class.
public struct ObjectCondition<Object: StoredObject> {
    let condition: Condition

    init(_ condition: Condition) { self.condition = condition }

    init<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>, _ spans: KeySpans, _ what: @autoclosure @escaping () -> String) {
        let property = ConditionProperty(keyPath)
        condition = .value(ValueTest(property, spans, "\(property.name) \(what())"))
    }

    init(_ keyPath: PartialKeyPath<Object>, _ what: @autoclosure @escaping () -> String, _ test: @escaping (Object) -> Bool) {
        let place = PropertyPlace(keyPath)
        condition = .other(OtherTest("\(place.name) \(what())", isForeign: !place.isValue, test))
    }
}

extension ObjectCondition {
    /// Matches every object.
    public static var everything: ObjectCondition { ObjectCondition(.always(true)) }

    /// Matches the objects for which a closure returns true. Evaluated for each object.
    ///
    /// - Parameters:
    ///   - text: The name of the condition in a ``QueryExplanation``.
    ///   - test: Returns whether an object matches. If it throws, the query ends and throws that error.
    public static func satisfies(_ text: String = "code", _ test: @escaping (Object) throws -> Bool) -> ObjectCondition {
        ObjectCondition(.other(OtherTest(text, isForeign: true, test)))
    }

    /// Matches values from the lower bound through the upper bound.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value>, _ range: ClosedRange<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath <= range.upperBound
    }

    /// Matches values from the lower bound up to, but not including, the upper bound.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value>, _ range: Range<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath < range.upperBound
    }

    /// Matches values from the lower bound through the upper bound.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value?>, _ range: ClosedRange<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath <= range.upperBound
    }

    /// Matches values from the lower bound up to, but not including, the upper bound.
    public static func isBetween<Value: KeyCodable & Comparable>(_ keyPath: KeyPath<Object, Value?>, _ range: Range<Value>)
        -> ObjectCondition
    {
        keyPath >= range.lowerBound && keyPath < range.upperBound
    }

    /// Matches any of the given values.
    public static func isIn<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>, _ values: some Sequence<Value>) -> ObjectCondition {
        let values = Array(values)
        return ObjectCondition(keyPath, KeySpans(anyOf: values), "in \(ConditionText.list(values))")
    }

    /// Matches `nil`.
    public static func isNil<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value?>) -> ObjectCondition {
        ObjectCondition(keyPath, .null, "= nil")
    }

    /// Matches `nil`: no value, or no related object.
    @_disfavoredOverload
    public static func isNil<Value>(_ keyPath: KeyPath<Object, Value?>) -> ObjectCondition {
        link(keyPath, nil) { $0[keyPath: keyPath] == nil }
    }
}

/// Formats values for descriptions of queries.
enum ConditionText {
    static func value(_ value: Any) -> String {
        if let optional = value as? any OptionalType { return optional.anyValue.map { Self.value($0) } ?? "nil" }
        // Foundation traps over the text of such a date.
        if let date = value as? Date, date.timeIntervalSinceReferenceDate.isNaN { return "nan" }
        return value is String || value is Substring ? String(reflecting: "\(value)") : "\(value)"
    }

    static func list(_ values: [some Any]) -> String {
        let shown = values.prefix(5).map { value($0) }.joined(separator: ", ")
        return values.count > 5 ? "(\(shown), … \(values.count) values)" : "(\(shown))"
    }
}
