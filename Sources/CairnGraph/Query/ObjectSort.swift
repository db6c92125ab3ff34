import CairnCore

/// A sort criterion: a property and a direction.
///
/// ```swift
/// try context.fetch(Song.self, sortedBy: [.ascending(\.artist), .descending(\.seconds)])
/// ```
///
/// Values sort in key order (`KeyCodable`), with and without an index: `nil` first; text by its Unicode scalars, so `Z` comes before `a`,
/// and everything outside ASCII comes last; numbers from negative NaN through -∞, -0.0, 0.0 and ∞ to NaN; enumerations by their raw values.
/// Objects that are equal by all criteria come in insertion order, reversed if the last direction is descending.
public struct ObjectSort<Object: StoredObject> {
    let part: SortPart

    init(property: ConditionProperty, isDescending: Bool) { part = SortPart(property: property, isDescending: isDescending) }

    /// Sorts by a property, least value first.
    public static func ascending<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) -> ObjectSort {
        ObjectSort(property: ConditionProperty(keyPath), isDescending: false)
    }

    /// Sorts by a property of the object that a to-one property refers to; objects that refer to none come first, together with those
    /// whose value is `nil`.
    ///
    /// ```swift
    /// try context.fetch(Song.self, sortedBy: [.ascending(\.album, \.title), .ascending(\.track)], limit: 100)
    /// ```
    ///
    /// The key path `\.album?.title` means the same, but reads the other object again for each one sorted.
    public static func ascending<Target: StoredObject, Value: KeyCodable>(
        _ relationship: KeyPath<Object, Target?>,
        _ keyPath: KeyPath<Target, Value>
    ) -> ObjectSort { ObjectSort(property: ConditionProperty(relationship, keyPath), isDescending: false) }

    /// Sorts by a property of the object that a to-one property refers to, greatest value first; objects that refer to none come last.
    public static func descending<Target: StoredObject, Value: KeyCodable>(
        _ relationship: KeyPath<Object, Target?>,
        _ keyPath: KeyPath<Target, Value>
    ) -> ObjectSort { ObjectSort(property: ConditionProperty(relationship, keyPath), isDescending: true) }

    /// Sorts by a property, greatest value first and `nil` last.
    public static func descending<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) -> ObjectSort {
        ObjectSort(property: ConditionProperty(keyPath), isDescending: true)
    }
}

/// A property and a direction.
struct SortPart {
    let property: ConditionProperty
    let isDescending: Bool
}

/// The order of results.
struct SortOrder {
    let sorts: [SortPart]
    /// Whether, among equals, the object inserted last comes first.
    var isReversed: Bool { sorts.last?.isDescending ?? false }

    var text: String { sorts.map { $0.isDescending ? "\($0.property.name) descending" : $0.property.name }.joined(separator: ", ") }

    /// Returns a function that makes an object's sort key.
    func compiled() -> (any StoredObject, inout KeyEncoder) -> [UInt8] {
        let form = SortKeyForm(sorts.map(\.isDescending))
        let encoders = sorts.map(\.property.encode)
        if form.isPlain, encoders.count == 1, let encode = encoders.first { return Self.plain(encode) }
        return { object, encoder in
            encoder.removeAll()
            var key: [UInt8] = []
            for (place, encode) in encoders.enumerated() {
                let start = encoder.bytes.count
                encode(object, &encoder)
                form.append(encoder.bytes[start...], at: place, to: &key)
            }
            return key
        }
    }

    private static func plain(_ encode: @escaping (any StoredObject, inout KeyEncoder) -> Void)
        -> (any StoredObject, inout KeyEncoder) -> [UInt8]
    {
        { object, encoder in
            encoder.removeAll()
            encode(object, &encoder)
            return encoder.bytes
        }
    }
}

/// How the keys of several properties become one sort key.
///
/// The bytes of a descending property are complemented. If there is one, a byte closes each property: the key of "a" is a prefix of that of "a\0", and
/// what follows must not decide which comes first.
struct SortKeyForm {
    private let areDescending: [Bool]
    /// Whether the key consists of the properties' keys, one after the other.
    let isPlain: Bool

    init(_ areDescending: [Bool]) {
        self.areDescending = areDescending
        isPlain = !areDescending.contains(true)
    }

    func append(_ bytes: ArraySlice<UInt8>, at place: Int, to key: inout [UInt8]) {
        if areDescending[place] { for byte in bytes { key.append(~byte) } } else { key += bytes }
        if !isPlain { key.append(areDescending[place] ? 0xFF : 0) }
    }
}
