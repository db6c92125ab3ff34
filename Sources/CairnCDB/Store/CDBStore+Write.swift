import CairnCore
import Synchronization

extension CDBStore {
    /// Sets a value, in memory until the next save. The value is encoded at once: later changes to an object have no effect.
    ///
    /// Setting a value whose bytes equal the stored ones is not a change.
    ///
    /// - Throws: ``CDBError/Code/codec`` if the key or value cannot be encoded, ``CDBError/Code/corruption`` if the value in the file cannot be
    ///   looked up, ``CDBError/Code/closed``.
    public func put(_ value: Value, for key: Key) throws(CDBError) {
        let bytes = try bytes(of: key)
        try core.set(bytes, to: try encode(value, for: key))
        cache.withLock { $0.remove(bytes) }
    }

    /// Updates the value of `key` atomically: no other thread can change it between the read and the write.
    ///
    /// ```swift
    /// try plays.update("katrina", default: 0) { $0 += 1 }
    /// ```
    ///
    /// If another thread changes any key meanwhile, `body` is called again with the new value. `body` can read the store, but not change it: that
    /// throws ``CDBError/Code/busy``. Nor may it wait for another thread that changes the store: `body` would be called again and again.
    ///
    /// - Throws: What `body` throws, in which case nothing was changed; the errors of ``get(_:)`` and ``put(_:for:)``.
    @discardableResult
    public func update<Result>(
        _ key: Key,
        default fallback: @autoclosure () -> Value,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        let bytes = try bytes(of: key)
        while true {
            let version = core.version
            let (result, new) = try core.computing {
                var value = try core.lend(bytes) { span, _ in try decode(span, for: key) } ?? fallback()
                let result = try body(&value)
                return (result, try encode(value, for: key))
            }
            guard try core.set(bytes, to: new, ifVersion: version) else { continue }
            cache.withLock { $0.remove(bytes) }
            return result
        }
    }

    /// Deletes a key, in memory until the next save.
    ///
    /// - Returns: Whether the key existed.
    /// - Throws: Same as ``put(_:for:)``.
    @discardableResult
    public func delete(_ key: Key) throws(CDBError) -> Bool {
        let bytes = try bytes(of: key)
        let wasThere = try core.set(bytes, to: nil)
        cache.withLock { $0.remove(bytes) }
        return wasThere
    }

    /// Deletes all keys, in memory until the next save.
    public func removeAll() throws(CDBError) { try core.removeAll() }

    /// Whether there is something to save.
    public var hasChanges: Bool { core.hasChanges }

    /// Returns the keys that were set or deleted since the last save, in the order in which they were first changed. After ``removeAll()``, those of
    /// the file come first.
    ///
    /// - Throws: ``CDBError/Code/closed``; after ``removeAll()``, the errors of ``keys()``.
    public func changedKeys() throws(CDBError) -> [Key] {
        let (changes, view) = try core.snapshot("list the changes of")
        var keys: [Key] = []
        try typed {
            if changes.hidesFile {
                try view.forEach { bytes, _ in
                    if changes[[UInt8](copying: bytes)] == nil { keys.append(try key(bytes)) }
                    return true
                }
            }
            for change in changes.all { keys.append(try unsafe key(change.key.span.bytes)) }
        }
        return keys
    }
}
