import CairnCore
import Synchronization

extension CDBStore {
    /// Puts a value, in memory until the next save. It is encoded at once: later changes of an object do not count.
    ///
    /// A value that is stored already in the same bytes is no change.
    ///
    /// - Throws: ``CDBError/Code/codec`` where key or value cannot be encoded, ``CDBError/Code/corruption`` where the file's own value cannot be
    ///   looked up, ``CDBError/Code/closed``.
    public func put(_ value: Value, for key: Key) throws(CDBError) {
        let bytes = try bytes(of: key)
        try core.set(bytes, to: try encode(value, for: key))
        cache.withLock { $0.remove(bytes) }
    }

    /// Changes the value of `key` in one step: no other thread changes it between the reading and the writing.
    ///
    /// ```swift
    /// try plays.update("katrina", default: 0) { $0 += 1 }
    /// ```
    ///
    /// Where another thread was faster, whichever key it changed, `body` is called again with the value of then.
    ///
    /// - Throws: What `body` throws: nothing was changed then. As ``get(_:)`` and ``put(_:for:)``.
    @discardableResult
    public func update<Result>(
        _ key: Key,
        default fallback: @autoclosure () -> Value,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        let bytes = try bytes(of: key)
        while true {
            let version = core.version
            var value = try core.lend(bytes) { span, _ in try decode(span, for: key) } ?? fallback()
            let result = try body(&value)
            guard try core.set(bytes, to: try encode(value, for: key), ifVersion: version) else { continue }
            cache.withLock { $0.remove(bytes) }
            return result
        }
    }

    /// Deletes a key, in memory until the next save.
    ///
    /// - Returns: Whether the key was there.
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

    /// The keys that were put or deleted since the last save, in the order in which they were first changed. After ``removeAll()`` those of the
    /// file come first.
    ///
    /// - Throws: ``CDBError/Code/closed``; after ``removeAll()``, as ``keys()``.
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
