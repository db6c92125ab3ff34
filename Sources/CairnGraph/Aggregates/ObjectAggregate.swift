public import CairnCore

/// A value computed from several objects: their number, or the sum, average, least or greatest value of a property.
///
/// ```swift
/// for (artist, count, longest) in try context.groups(Song.self, by: \.artist, .count, .max(of: \.seconds)) {
///     print(artist, count, longest ?? 0)
/// }
/// ```
///
/// - `nil` is left out, as in SQL. A sum of nothing is 0; the average, least and greatest of nothing are `nil`.
/// - The sum of integers of any width is an `Int`. If it does not fit, the query throws `outOfRange`; intermediate sums may be larger.
/// - The sum of `Double` and `Float` values is a `Double`. The order of addition is not defined, but rounding errors are corrected. A NaN makes sum and average NaN.
/// - The least and greatest values follow the order of ``ObjectSort``: text by its Unicode scalars, enumerations by their raw values. NaN is left out.
public struct ObjectAggregate<Object: StoredObject, Value> {
    let part: AggregatePart
    let finish: (AggregateTally) throws(ObjectStoreError) -> Value

    /// The sum of the values of a property.
    public static func sum<Number: SummableValue>(of keyPath: KeyPath<Object, Number>) -> ObjectAggregate where Value == Number.Sum {
        ObjectAggregate(part: AggregatePart(.sum, ConditionProperty(keyPath))) { tally throws(ObjectStoreError) in
            try Number.sum(tally.total)
        }
    }

    /// The average of the values of a property; `nil` if there is no value.
    public static func average<Number: SummableValue>(of keyPath: KeyPath<Object, Number>) -> ObjectAggregate where Value == Double? {
        ObjectAggregate(part: AggregatePart(.average, ConditionProperty(keyPath))) { tally throws(ObjectStoreError) in tally.total.average }
    }

    /// The least value of a property; `nil` if there is no value.
    public static func min<Element: KeyCodable>(of keyPath: KeyPath<Object, Element>) -> ObjectAggregate where Value == Element? {
        extreme(.min, keyPath)
    }

    /// As above, for an optional property.
    public static func min<Element: KeyCodable>(of keyPath: KeyPath<Object, Element?>) -> ObjectAggregate where Value == Element? {
        extreme(.min, keyPath)
    }

    /// The greatest value of a property; `nil` if there is no value.
    public static func max<Element: KeyCodable>(of keyPath: KeyPath<Object, Element>) -> ObjectAggregate where Value == Element? {
        extreme(.max, keyPath)
    }

    /// As above, for an optional property.
    public static func max<Element: KeyCodable>(of keyPath: KeyPath<Object, Element?>) -> ObjectAggregate where Value == Element? {
        extreme(.max, keyPath)
    }

    private static func extreme<Element: KeyCodable, Property: KeyCodable>(
        _ kind: AggregatePart.Kind,
        _ keyPath: KeyPath<Object, Property>
    ) -> ObjectAggregate where Value == Element? {
        let property = ConditionProperty(keyPath)
        return ObjectAggregate(part: AggregatePart(kind, property, KeySpans(comparable: Property.self))) { tally throws(ObjectStoreError) in
            guard let key = tally.key else { return nil }
            return try property.decode(Element.self, key)
        }
    }
}

extension ObjectAggregate where Value == Int {
    /// The number of objects.
    public static var count: ObjectAggregate {
        ObjectAggregate(part: AggregatePart(.count, nil)) { tally throws(ObjectStoreError) in tally.count }
    }
}

extension ConditionProperty {
    /// Decodes a value of the property from its key.
    func decode<Value: KeyCodable>(_ type: Value.Type, _ key: [UInt8]) throws(ObjectStoreError) -> Value {
        var decoder = unsafe KeyDecoder(key.span.bytes)
        do { return try Value(decoding: &decoder) } catch {
            throw ObjectStoreError(
                .corruption,
                "a value of \(name) in an index or an object cannot be read as \(Value.self)",
                cause: error
            )
        }
    }
}

extension KeySpans {
    /// The values of a type that can be ordered: neither `nil` nor NaN.
    init(comparable type: any KeyCodable.Type) {
        switch type.keyType?.withoutOptional {
        case .double, .date: self = Self.numbers(Double.self)
        case .float: self = Self.numbers(Float.self)
        default: self = .notNull
        }
    }

    private static func numbers<Number: BinaryFloatingPoint & KeyCodable>(_ type: Number.Type) -> KeySpans {
        KeySpans([KeySpan(lower: element(-Number.infinity), upper: element(Number.infinity) + KeySpan.end)])
    }
}

extension KeyType {
    fileprivate var withoutOptional: KeyType { if case .optional(let type) = self { type.withoutOptional } else { self } }
}
