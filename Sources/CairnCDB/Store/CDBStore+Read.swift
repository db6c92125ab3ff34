import CairnCore
import Synchronization

extension CDBStore {
    /// The value of `key`, or `nil` if the key is missing. See ``get(_:)``.
    ///
    /// Read-only: reading can fail, and Swift allows no setter on a subscript that throws. Write with ``put(_:for:)`` and ``delete(_:)``.
    public subscript(key: Key) -> Value? {
        get throws(CDBError) { try get(key) }
    }

    /// The value of `key`, or `value` if the key is missing.
    public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
        get throws(CDBError) { try get(key) ?? value() }
    }

    /// Returns the value of `key`, from the unsaved changes or from the file, or `nil` if the key is missing.
    ///
    /// - Throws: ``CDBError/Code/corruption`` if the path to the key is damaged, ``CDBError/Code/codec`` if the value cannot be decoded,
    ///   ``CDBError/Code/closed``.
    /// - Complexity: A lookup in the file, and decoding; neither for a cached value.
    public func get(_ key: Key) throws(CDBError) -> Value? {
        let bytes = try bytes(of: key)
        let generation = try core.with("read") { state throws(CDBError) in state.generation }
        if let value = cache.withLock({ $0.value(for: bytes, generation) }) { return value }
        return try typed {
            try core.lend(bytes) { span, version in
                let value = try decode(span, for: key)
                cache.withLock { cache in
                    // If the value has changed since, it is not the one that was decoded.
                    if core.version == version { cache.insert(value, for: bytes, cost: bytes.count + span.byteCount, generation) }
                }
                return value
            }
        }
    }

    /// Calls `body` with the stored form of a value, without copying it, and returns what `body` returns, or `nil` if the key is missing.
    ///
    /// The bytes are valid until `body` returns, even if the store is saved, reverted or closed meanwhile.
    ///
    /// - Throws: Same as ``get(_:)``, or what `body` throws.
    public func withValue<Result>(for key: Key, _ body: (RawSpan) throws -> Result) throws -> Result? {
        let key = try bytes(of: key)
        return try core.lend(key) { span, _ in try body(span) }
    }

    /// Returns whether `key` exists; its value is not decoded.
    public func contains(_ key: Key) throws(CDBError) -> Bool {
        switch try core.find(try bytes(of: key)).found {
        case .missing: false
        case .changed, .stored: true
        }
    }

    /// The number of keys.
    ///
    /// - Complexity: O(1) after a save or an earlier call; otherwise O(keys), a pass over the hash tables.
    public var count: Int {
        get throws(CDBError) { try core.count() }
    }

    /// Whether there are no keys.
    public var isEmpty: Bool {
        get throws(CDBError) { try core.count() == 0 }
    }

    /// Calls `body` with each key and value, in the order that ``CDBStore`` describes, as of the beginning of the iteration. To stop early, throw.
    ///
    /// - Throws: Same as ``get(_:)``; ``CDBError/Code/corruption`` if the file is damaged anywhere; or what `body` throws.
    public func forEach(_ body: (_ key: Key, _ value: Value) throws -> Void) throws {
        try core.forEach { bytes, value in
            let key = try key(bytes)
            try body(key, decode(value, for: key))
        }
    }

    /// Returns all keys, in the order that ``CDBStore`` describes.
    ///
    /// - Throws: Same as ``forEach(_:)``. An error in the middle never looks like the end.
    public func keys() throws(CDBError) -> [Key] {
        var keys: [Key] = []
        try typed { try core.forEach { bytes, _ in keys.append(try key(bytes)) } }
        return keys
    }

    /// Returns all values, in the order of ``keys()``.
    public func values() throws(CDBError) -> [Value] {
        var values: [Value] = []
        try typed { try forEach { _, value in values.append(value) } }
        return values
    }

    /// Returns all keys and values, in the order of ``keys()``.
    public func entries() throws(CDBError) -> [(key: Key, value: Value)] {
        var entries: [(key: Key, value: Value)] = []
        try typed { try forEach { entries.append(($0, $1)) } }
        return entries
    }

    /// Drops all decoded values from memory.
    public func emptyCache() { cache.withLock { $0.removeAll() } }
}
