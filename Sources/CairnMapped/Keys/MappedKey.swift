/// A key that knows the type of its value, and what to return where there is none.
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
/// A default is not stored. A stored value that cannot be read is an error, not the default.
public struct MappedKey<Value: MappedContent & Sendable>: Sendable {
    /// The key in the store.
    public let name: String
    /// What reading returns where nothing is stored.
    public let defaultValue: Value

    /// A key with a default.
    @inlinable
    public init(_ name: String, default defaultValue: Value) {
        self.name = name
        self.defaultValue = defaultValue
    }

    /// A key of an optional value, which is `nil` where nothing is stored.
    @inlinable
    public init(_ name: String) where Value: ExpressibleByNilLiteral { self.init(name, default: nil) }
}

extension MappedKey: Equatable where Value: Equatable {}
extension MappedKey: Hashable where Value: Hashable {}

extension MappedStore {
    /// The value under `key`, or its default.
    ///
    /// - Throws: As ``get(_:as:)``.
    @inlinable
    public func get<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Value {
        Value.mappedContent(try get(key.name, as: Value.Stored.self), default: key.defaultValue)
    }

    /// The value under `key`, or its default: `try store[.launches]`. Read only, since a subscript cannot throw when it sets;
    /// ``set(_:for:expiresAfter:)-(Value,_,_)`` can.
    ///
    /// - Throws: As ``get(_:as:)``.
    @inlinable
    public subscript<Value>(key: MappedKey<Value>) -> Value {
        get throws(MappedStoreError) { try get(key) }
    }

    /// Puts `value` under `key`; `nil`, where the key allows it, removes what is there.
    ///
    /// - Throws: As for keys that are strings.
    @inlinable
    public func set<Value>(
        _ value: Value,
        for key: MappedKey<Value>,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        try set(Value.mappedValue(of: value), for: key.name, expiresAfter: lifetime)
    }

    /// Removes the value under `key`: its default counts from then on.
    ///
    /// - Returns: Whether there was one, be it expired.
    /// - Throws: As for keys that are strings.
    @discardableResult
    public func remove<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Bool { try remove(key.name) }

    /// Whether there is a value under `key` that has not expired; a default is none.
    ///
    /// - Throws: As for keys that are strings.
    public func contains<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Bool { try contains(key.name) }

    /// Changes the value under `key` in one step: no one else changes it between the reading and the writing.
    ///
    /// ```swift
    /// try store.update(.launches) { $0 += 1 }
    /// ```
    ///
    /// A value that expires keeps its time, unless `lifetime` gives another.
    ///
    /// - Throws: What `body` throws: nothing was changed then. As for keys that are strings.
    public func update<Value, Result>(
        _ key: MappedKey<Value>,
        expiresAfter lifetime: Duration? = nil,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try transaction { changes in
            var value = try changes.get(key)
            let result = try body(&value)
            try changes.update(Value.mappedValue(of: value), for: key.name, expiresAfter: lifetime)
            return result
        }
    }
}

extension MappedTransaction {
    /// The value under `key`, as the transaction has it, or its default.
    ///
    /// - Throws: As ``MappedStore/get(_:as:)``.
    public func get<Value>(_ key: MappedKey<Value>) throws(MappedStoreError) -> Value {
        Value.mappedContent(try get(key.name, as: Value.Stored.self), default: key.defaultValue)
    }

    /// Puts `value` under `key` when the transaction ends; `nil`, where the key allows it, removes what is there.
    ///
    /// - Throws: As for keys that are strings.
    public mutating func set<Value>(
        _ value: Value,
        for key: MappedKey<Value>,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        try set(Value.mappedValue(of: value), for: key.name, expiresAfter: lifetime)
    }

    /// Removes the value under `key` when the transaction ends.
    public mutating func remove<Value>(_ key: MappedKey<Value>) { remove(key.name) }
}
