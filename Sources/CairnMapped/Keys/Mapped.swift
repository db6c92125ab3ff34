/// A property whose value is stored in a ``MappedStore``.
///
/// ```swift
/// struct Settings {
///     @Mapped("launches", in: store) var launches = 0
///     @Mapped("token", in: store) var token: String?
///     @Mapped(.theme, in: store) var theme
/// }
///
/// settings.launches += 1
/// try settings.$launches.update { $0 += 1 }       // atomic, and throws errors
/// ```
///
/// Every read reads the store and every write writes to it, at the cost of such a call: there is no copy that could be out of date.
///
/// **Errors.** A property cannot throw. If a read fails, it returns the default; if a write fails, the store is unchanged. Both call
/// ``MappedStoreOptions/onError``, which prints a line by default. `$launches` reads and writes too, and throws.
///
/// **Reading and writing** are two steps: `launches += 1` on two threads may count only one. ``update(expiresAfter:_:)`` is one step.
///
/// **Where to use it.** In structures, classes, actors and as local variables. For static properties, Swift requires the enclosing type to be
/// isolated to a global actor (`@MainActor enum Settings`); otherwise, declare the properties in a structure and keep the structure in a
/// `static let`.
@propertyWrapper
public struct Mapped<Value: MappedContent & Sendable>: Sendable {
    /// The key and its default.
    public let key: MappedKey<Value>
    /// The store that holds the value.
    public let store: MappedStore

    /// Creates a property for a key.
    public init(_ key: MappedKey<Value>, in store: MappedStore) {
        self.key = key
        self.store = store
    }

    /// Creates a property for the value of the key `name`, with its default.
    public init(wrappedValue: Value, _ name: String, in store: MappedStore) {
        self.init(MappedKey(name, default: wrappedValue), in: store)
    }

    /// Creates a property for the value of the key `name`, which is `nil` if there is none.
    public init(_ name: String, in store: MappedStore) where Value: ExpressibleByNilLiteral { self.init(MappedKey(name), in: store) }

    /// The stored value, or the default if there is none or it could not be read.
    public var wrappedValue: Value {
        get {
            do throws(MappedStoreError) { return try get() } catch {
                store.options.onError(error)
                return key.defaultValue
            }
        }
        nonmutating set {
            do throws(MappedStoreError) { try set(newValue) } catch { store.options.onError(error) }
        }
    }

    /// This wrapper, whose methods throw.
    public var projectedValue: Mapped { self }

    /// Returns the stored value, or the default if there is none.
    ///
    /// - Throws: Same as ``MappedStore/get(_:as:)``.
    public func get() throws(MappedStoreError) -> Value { try store.get(key) }

    /// Stores `value`; if the property is optional, `nil` removes the stored value.
    ///
    /// - Throws: Same as `MappedStore.set`.
    public func set(_ value: Value, expiresAfter lifetime: Duration? = nil) throws(MappedStoreError) {
        try store.set(value, for: key, expiresAfter: lifetime)
    }

    /// Removes the stored value, so that the default applies again.
    ///
    /// - Returns: Whether there was a value, even an expired one.
    /// - Throws: Same as ``MappedStore/remove(_:)-(String)``.
    @discardableResult
    public func remove() throws(MappedStoreError) -> Bool { try store.remove(key) }

    /// Returns whether a value is stored that has not expired; a default does not count.
    ///
    /// - Throws: Same as ``MappedStore/contains(_:)-(String)``.
    public func isStored() throws(MappedStoreError) -> Bool { try store.contains(key) }

    /// Updates the value atomically. A value that expires keeps its deadline, unless `lifetime` gives another.
    ///
    /// - Throws: What `body` throws, in which case nothing was changed; the errors of ``get()`` and ``set(_:expiresAfter:)``.
    public func update<Result>(expiresAfter lifetime: Duration? = nil, _ body: (inout Value) throws -> Result) throws -> Result {
        try store.update(key, expiresAfter: lifetime, body)
    }

    /// Returns the current value, and the value after each change by anyone; see ``MappedStore/values(of:)``.
    ///
    /// - Throws: Same as ``MappedStore/changes(limit:)``.
    public func values() throws(MappedStoreError) -> MappedValues<Value> { try store.values(of: key) }
}
