import CRocks
import CairnCore

extension TableView where Space == Transaction {
    /// Returns the value for `key`, or `nil` if the key is missing, and protects the key until the transaction ends: nobody else can write
    /// to it or, with optimistic transactions, the commit throws if anyone has. See
    /// ``Transaction/getForUpdate(_:lock:validates:options:)``.
    ///
    /// ```swift
    /// try db.withTransaction { tx in
    ///     let stock = try tx.in(items).getForUpdate("apple") ?? 0
    ///     if stock > 0 { try tx.in(items).put(stock - 1, for: "apple") }
    /// }
    /// ```
    public func getForUpdate(
        _ key: Key,
        lock: Transaction.Lock = .exclusive,
        validates: Bool = true,
        options: ReadOptions? = nil
    ) throws(RocksError) -> Value? {
        var value: Result<Value, RocksError>?
        _ = try withKey(key) { (bytes) throws(RocksError) in
            try space.lend(bytes, lock: lock.shimLock, validates: validates, options: options) { bytes in
                value = Result { () throws(RocksError) in try decodeValue(bytes, for: key) }
            }
        }
        return try value?.get()
    }

    /// Reads the value for `key` for update, lets `change` change it, and writes the result.
    ///
    /// ```swift
    /// try db.withTransaction { tx in
    ///     try tx.in(items).update("apple") { $0 = ($0 ?? 0) + 1 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - change: Receives the value, or `nil` if the key is missing. Leaving `nil` deletes the key.
    /// - Returns: What `change` returns.
    /// - Throws: Same as ``getForUpdate(_:lock:validates:options:)``, or what `change` throws; nothing is then written.
    @discardableResult
    public func update<Result>(_ key: Key, _ change: (inout Value?) throws -> Result) throws -> Result {
        var value = try getForUpdate(key)
        let wasMissing = value == nil
        let result = try change(&value)
        if let value { try put(value, for: key) } else if !wasMissing { try delete(key) }
        return result
    }
}
