#if Hummingbird
import CairnMapped

/// How values are stored: as themselves if their type conforms to `MappedValue`, else as JSON. The type alone decides, not the value, so that a value is
/// read as the type that it was set as.
enum StoredForm {
    /// Calls `body` with the value to store.
    static func open<Object: Codable, Result>(_ object: Object, _ body: (any MappedValue) throws -> Result) rethrows -> Result {
        // An Optional does not conform, but a cast of the value alone would unwrap it.
        if Object.self is any MappedValue.Type, let value = object as? any MappedValue { return try body(value) }
        return try body(JSONCoded(object))
    }

    /// Reads the object of this type for a key.
    static func read<Object: Codable>(_ type: Object.Type, _ key: String, _ store: MappedStore) throws(MappedStoreError) -> Object? {
        guard let direct = type as? any MappedValue.Type else { return try readJSON(type, key, store) }
        do throws(MappedStoreError) { return try read(direct, key, store, as: type) } catch {
            // The value was set before the type conformed, or as an Optional.
            guard error.code == .typeMismatch else { throw error }
            return try readJSON(type, key, store)
        }
    }

    /// Reads a value of the same type as the object's, which a cast would look up for longer than reading takes.
    private static func read<Value: MappedValue, Object>(
        _: Value.Type,
        _ key: String,
        _ store: MappedStore,
        as _: Object.Type
    ) throws(MappedStoreError) -> Object? {
        try unsafe unsafeBitCast(store.get(key, as: Value.self), to: Object?.self)
    }

    @inline(never)
    private static func readJSON<Object: Codable>(_ type: Object.Type, _ key: String, _ store: MappedStore) throws(MappedStoreError)
        -> Object?
    {
        try store.get(key, as: JSONCoded<Object>.self)?.value
    }
}
#endif
