/// A property whose value is in a ``MappedStore``.
///
/// ```swift
/// struct Settings {
///     @Mapped("launches", in: store) var launches = 0
///     @Mapped("token", in: store) var token: String?
///     @Mapped(.theme, in: store) var theme
/// }
///
/// settings.launches += 1
/// try settings.$launches.update { $0 += 1 }       // in one step, and failing aloud
/// ```
///
/// Every reading reads the store, every writing writes to it, with what that costs: there is no copy that could be out of date.
///
/// **Errors.** A property cannot throw. Where reading fails, it is the default; where writing fails, the store is as it was; both call
/// ``MappedStoreOptions/onError``, which prints a line unless told otherwise. `$launches` reads and writes too, and throws.
///
/// **Reading and writing** are two steps: `launches += 1` on two threads may count one. ``update(expiresAfter:_:)`` is one step.
///
/// **Places.** Structures, classes, actors, local variables. For static properties Swift wants the type they are in to belong to a global
/// actor (`@MainActor enum Settings`); elsewhere, let a structure have the properties, and a `static let` the structure.
@propertyWrapper
public struct Mapped<Value: MappedContent & Sendable>: Sendable {
    /// The key, with the default.
    public let key: MappedKey<Value>
    /// Where the value is.
    public let store: MappedStore

    /// A property for a key.
    public init(_ key: MappedKey<Value>, in store: MappedStore) {
        self.key = key
        self.store = store
    }

    /// A property for the value under `name`, with its default.
    public init(wrappedValue: Value, _ name: String, in store: MappedStore) {
        self.init(MappedKey(name, default: wrappedValue), in: store)
    }

    /// A property for the value under `name`, `nil` where there is none.
    public init(_ name: String, in store: MappedStore) where Value: ExpressibleByNilLiteral { self.init(MappedKey(name), in: store) }

    /// The value in the store, or the default where there is none, or it could not be read.
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

    /// The value in the store, or the default where there is none.
    ///
    /// - Throws: As ``MappedStore/get(_:as:)``.
    public func get() throws(MappedStoreError) -> Value { try store.get(key) }

    /// Stores `value`; `nil`, where the property is optional, removes what is there.
    ///
    /// - Throws: As `MappedStore.set`.
    public func set(_ value: Value, expiresAfter lifetime: Duration? = nil) throws(MappedStoreError) {
        try store.set(value, for: key, expiresAfter: lifetime)
    }

    /// Removes the value: the default counts from then on.
    ///
    /// - Returns: Whether there was one, be it expired.
    /// - Throws: As ``MappedStore/remove(_:)-(String)``.
    @discardableResult
    public func remove() throws(MappedStoreError) -> Bool { try store.remove(key) }

    /// Whether there is a value that has not expired; the default is none.
    ///
    /// - Throws: As ``MappedStore/contains(_:)-(String)``.
    public func isStored() throws(MappedStoreError) -> Bool { try store.contains(key) }

    /// Changes the value in one step. One that expires keeps its time, unless `lifetime` gives another.
    ///
    /// - Throws: What `body` throws: nothing was changed then. As ``get()`` and ``set(_:expiresAfter:)``.
    public func update<Result>(expiresAfter lifetime: Duration? = nil, _ body: (inout Value) throws -> Result) throws -> Result {
        try store.update(key, expiresAfter: lifetime, body)
    }

    /// The value now, and after each change by anyone; see ``MappedStore/values(of:)``.
    ///
    /// - Throws: As ``MappedStore/changes(limit:)``.
    public func values() throws(MappedStoreError) -> MappedValues<Value> { try store.values(of: key) }
}
