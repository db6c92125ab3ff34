import CairnCore

/// What objects are sorted by: a property, and the direction.
///
/// ```swift
/// try context.fetch(Song.self, sortedBy: [.ascending(\.artist), .descending(\.seconds)])
/// ```
///
/// The order is that of keys (``CairnCore/KeyCodable``), with an index and without one: `nil` first; text by its Unicode scalars, so that
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

    /// Bytes that sort as objects are to.
    ///
    /// The bytes of a descending property are complemented. With such a one among them each is closed by a byte: the key of "a" is the
    /// beginning of that of "a\0", and what follows must not tell which comes first.
    func key(_ object: Object, _ encoder: inout KeyEncoder) -> [UInt8] {
        guard sorts.contains(where: \.isDescending) else {
            encoder.removeAll()
            for sort in sorts { sort.property.encode(object, &encoder) }
            return encoder.bytes
        }
        var key: [UInt8] = []
        for sort in sorts {
            encoder.removeAll()
            sort.property.encode(object, &encoder)
            if sort.isDescending {
                for byte in encoder.bytes { key.append(~byte) }
                key.append(0xFF)
            } else {
                key += encoder.bytes
                key.append(0)
            }
        }
        return key
    }

    func precedes(_ one: (key: [UInt8], id: ObjectID), _ other: (key: [UInt8], id: ObjectID)) -> Bool {
        let order = one.key.order(to: other.key)
        if order == 0 { return isReversed ? other.id < one.id : one.id < other.id }
        return order < 0
    }
}
