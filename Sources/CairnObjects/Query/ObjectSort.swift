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
    let property: ConditionProperty<Object>
    let isDescending: Bool

    /// Sorts by a property, least value first.
    public static func ascending<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) -> ObjectSort {
        ObjectSort(property: ConditionProperty(keyPath), isDescending: false)
    }

    /// Sorts by a property, greatest value first and `nil` last.
    public static func descending<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) -> ObjectSort {
        ObjectSort(property: ConditionProperty(keyPath), isDescending: true)
    }
}

/// The order of results.
struct SortOrder<Object: StoredObject> {
    let sorts: [ObjectSort<Object>]
    /// Whether, among equals, the object inserted last comes first.
    var isReversed: Bool { sorts.last?.isDescending ?? false }

    var text: String { sorts.map { $0.isDescending ? "\($0.property.name) descending" : $0.property.name }.joined(separator: ", ") }

    /// Returns a function that makes an object's sort key.
    ///
    /// The bytes of a descending property are complemented. If there is one, a byte closes each property: the key of "a" is a prefix of
    /// that of "a\0", and what follows must not decide which comes first.
    func compiled() -> (Object, inout KeyEncoder) -> [UInt8] {
        let encoders = sorts.map { (encode: $0.property.encode, isDescending: $0.isDescending) }
        if encoders.count == 1, let first = encoders.first, !first.isDescending { return Self.ascending(first.encode) }
        let isMixed = encoders.contains { $0.isDescending }
        return { object, encoder in
            var key: [UInt8] = []
            encoder.removeAll()
            var start = 0
            for (encode, isDescending) in encoders {
                encode(object, &encoder)
                guard isMixed else { continue }
                let bytes = encoder.bytes[start...]
                if isDescending { for byte in bytes { key.append(~byte) } } else { key += bytes }
                key.append(isDescending ? 0xFF : 0)
                start = encoder.bytes.count
            }
            return isMixed ? key : encoder.bytes
        }
    }

    private static func ascending(_ encode: @escaping (Object, inout KeyEncoder) -> Void) -> (Object, inout KeyEncoder) -> [UInt8] {
        { object, encoder in
            encoder.removeAll()
            encode(object, &encoder)
            return encoder.bytes
        }
    }
}
