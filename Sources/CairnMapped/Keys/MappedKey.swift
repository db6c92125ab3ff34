/// A key with the type of its value and a default to return if there is none.
///
/// ```swift
/// extension MappedKey<Int> { static var launches: Self { Self("launches", default: 0) } }
/// extension MappedKey<String?> { static var token: Self { Self("token") } }
///
/// let launches = try store.get(.launches)     // Int
/// try store.set("abc", for: .token)
/// try store.set(nil, for: .token)             // removes it
/// ```
///
/// The default is not stored. A stored value that cannot be read is an error and does not return the default.
public struct MappedKey<Value: MappedContent & Sendable>: Sendable {
    /// The key in the store.
    public let name: String
    /// The value that reading returns if nothing is stored.
    public let defaultValue: Value

    /// Creates a key with a default.
    @inlinable
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }

    /// Creates a key of an optional value, which is `nil` if nothing is stored.
    @inlinable
    public init(_ name: String) where Value: ExpressibleByNilLiteral { self.init(name, default: nil) }
}

extension MappedKey: Equatable where Value: Equatable {}
extension MappedKey: Hashable where Value: Hashable {}

extension MappedStore {
    /// Returns the value for `key`, or the key's default if there is none.
    ///
    /// - Throws: Same as ``get(_:as:)``.
    @inlinable
    public func get<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Value {
        Value.mappedContent(try get(key.name, as: Value.Stored.self), default: key.defaultValue)
    }

    /// The value for `key`, or the key's default if there is none: `try store[.launches]`. Read-only, because a subscript's setter cannot throw; use
    /// ``set(_:for:expiresAfter:)-(Value,_,_)`` instead.
    ///
    /// - Throws: Same as ``get(_:as:)``.
    @inlinable
    public subscript<Value>(key: MappedKey<Value>) -> Value {
        get throws(MappedStoreError) { try get(key) }
    }

    /// Sets the value for `key`; `nil`, if the key allows it, removes the stored value.
    ///
    /// - Throws: Same as for string keys.
    @inlinable
    public func set<Value>(
        _ value: Value,
        for key: MappedKey<Value>,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        try set(Value.mappedValue(of: value), for: key.name, expiresAfter: lifetime)
    }

    /// Removes the value for `key`, so that its default applies again.
    ///
    /// - Returns: Whether there was a value, even an expired one.
    /// - Throws: Same as for string keys.
    @discardableResult
    public func remove<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Bool { try remove(key.name) }

    /// Returns whether there is a value for `key` that has not expired; a default does not count.
    ///
    /// - Throws: Same as for string keys.
    public func contains<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Bool { try contains(key.name) }

    /// Updates the value for `key` atomically: it cannot change between the read and the write.
    ///
    /// ```swift
    /// try store.update(.launches) { $0 += 1 }
    /// ```
    ///
    /// A value that expires keeps its deadline, unless `lifetime` gives another.
    ///
    /// - Throws: What `body` throws, in which case nothing was changed; the same errors as for string keys.
    public func update<Value, Result>(
        _ key: MappedKey<Value>,
        expiresAfter lifetime: Duration? = nil,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try transaction { changes in
            let deadline = try deadline(of: key.name)
            let isThere = try changes.contains(key.name)
            var value = try changes.get(key)
            let result = try body(&value)
            try changes.update(Value.mappedValue(of: value), for: key.name, expiresAfter: lifetime, keeping: isThere ? deadline : nil)
            return result
        }
    }
}

extension MappedTransaction {
    /// Returns the value for `key` within the transaction, or the key's default if there is none.
    ///
    /// - Throws: Same as ``MappedStore/get(_:as:)``.
    public func get<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Value {
        Value.mappedContent(try get(key.name, as: Value.Stored.self), default: key.defaultValue)
    }

    /// Sets the value for `key` when the transaction ends; `nil`, if the key allows it, removes the stored value.
    ///
    /// - Throws: Same as for string keys.
    public mutating func set<Value>(
        _ value: Value,
        for key: MappedKey<Value>,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        try set(Value.mappedValue(of: value), for: key.name, expiresAfter: lifetime)
    }

    /// Removes the value for `key` when the transaction ends.
    public mutating func remove<Value>(_ key: MappedKey<Value>) { remove(key.name) }
}
