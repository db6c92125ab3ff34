import CairnCore

/// What objects are sorted by: a property, and the direction.
///
/// ```swift
/// try context.fetch(Song.self, sortedBy: [.ascending(\.artist), .descending(\.seconds)])
/// ```
///
/// The order is that of keys (`KeyCodable`), with an index and without one: `nil` first; text by its Unicode scalars, so that
/// `Z` comes before `a` and all that is not ASCII behind; numbers from negative NaN over -∞, -0.0, 0.0, ∞ to NaN; enumerations by their raw
/// values. Objects that are equal in all of it come in the order in which they were inserted, and in the reverse of it where the last
/// direction is descending.
public struct ObjectSort<Object: StoredObject> {
    let property: ConditionProperty<Object>
    let isDescending: Bool

    /// The least value first.
    public static func ascending<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) -> ObjectSort {
        ObjectSort(property: ConditionProperty(keyPath), isDescending: false)
    }

    /// The greatest value first, `nil` last.
    public static func descending<Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) -> ObjectSort {
        ObjectSort(property: ConditionProperty(keyPath), isDescending: true)
    }
}

/// How results follow one another.
struct SortOrder<Object: StoredObject> {
    let sorts: [ObjectSort<Object>]
    /// Whether the object inserted last comes first among equals.
    var isReversed: Bool { sorts.last?.isDescending ?? false }

    var text: String { sorts.map { $0.isDescending ? "\($0.property.name) descending" : $0.property.name }.joined(separator: ", ") }

    /// Makes bytes of an object that sort as objects are to.
    ///
    /// The bytes of a descending property are complemented. With such a one among them each is closed by a byte: the key of "a" is the
    /// beginning of that of "a\0", and what follows must not tell which comes first.
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
