public import CairnCore

extension RocksReader {
    /// Returns the value for `key`, or `nil` if the key is missing.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if the stored data is damaged or cannot be merged, ``RocksError/Code/ioError``,
    ///   ``RocksError/Code/incomplete`` if ``ReadOptions/tier`` forbids looking further, ``RocksError/Code/closed``.
    /// - Complexity: Searches at most one memtable and one file per level; copies the value once.
    @inlinable
    public func get(_ key: some ByteSource & ~Escapable, options: ReadOptions? = nil) throws(RocksError) -> [UInt8]? {
        var value: [UInt8]?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lendValue(for: key, options: options) { value = [UInt8](copying: $0) }
        }
        return value
    }

    /// Returns the value for `key` as a `String`, `Data` or other `ByteResult`, or `nil` if the key is missing.
    ///
    /// - Throws: Same as ``get(_:options:)``, and ``RocksError/Code/codec`` if the value cannot be converted (text that is not UTF-8).
    @inlinable
    public func get<Value: ByteResult>(
        _ key: some ByteSource & ~Escapable,
        as type: Value.Type = Value.self,
        options: ReadOptions? = nil
    ) throws(RocksError) -> Value? {
        var value: Result<Value, CodecError>?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lendValue(for: key, options: options) { bytes in
                value = Result { () throws(CodecError) in try Value(copying: bytes) }
            }
        }
        do {
            return try value?.get()
        } catch {
            throw RocksError.codec("reading a value as \(type)", error)
        }
    }

    /// Lends the value for `key` to `body` without copying it and returns what `body` returns, or `nil` if the key is missing.
    ///
    /// ```swift
    /// let size = try db.withValue(for: "cover") { $0.byteCount }
    /// ```
    ///
    /// The span is valid until `body` returns and cannot escape it. The database cannot be closed until then.
    ///
    /// - Throws: Same as ``get(_:options:)``, or what `body` throws.
    @inlinable
    public func withValue<Value>(
        for key: some ByteSource & ~Escapable,
        options: ReadOptions? = nil,
        _ body: (RawSpan) throws -> Value
    ) throws -> Value? {
        var outcome: Result<Value, any Error>?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lendValue(for: key, options: options) { bytes in outcome = Result { try body(bytes) } }
        }
        return try outcome?.get()
    }

    /// Returns whether `key` exists. Costs as much as reading its value, except for the copy.
    @inlinable
    public func contains(_ key: some ByteSource & ~Escapable, options: ReadOptions? = nil) throws(RocksError) -> Bool {
        try key.withBytes { (key) throws(RocksError) in try lendValue(for: key, options: options) { _ in } }
    }

    /// Returns false if the data in memory alone shows that the key is missing, true if it may exist. Never reads a file.
    @inlinable
    public func keyMayExist(_ key: some ByteSource & ~Escapable) throws(RocksError) -> Bool {
        try keyMayExist(key, options: nil)
    }
}

extension RocksError {
    @usableFromInline
    static func codec(_ attempt: String, _ cause: CodecError) -> RocksError {
        RocksError(.codec, attempt, cause: cause)
    }
}
