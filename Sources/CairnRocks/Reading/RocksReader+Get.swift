public import CairnCore

extension RocksReader {
    /// The value of `key`, or `nil` if the key is missing.
    ///
    /// - Throws: ``RocksError/Code/corruption`` if what is stored is damaged or cannot be merged, ``RocksError/Code/ioError``,
    ///   ``RocksError/Code/incomplete`` where ``ReadOptions/tier`` forbids to look further, ``RocksError/Code/closed``.
    /// - Complexity: At most one memtable and one file per level are searched; copies the value once.
    @inlinable
    public func get(_ key: some ByteSource & ~Escapable, options: ReadOptions? = nil) throws(RocksError) -> [UInt8]? {
        var value: [UInt8]?
        _ = try key.withBytes { (key) throws(RocksError) in
            try lendValue(for: key, options: options) { value = [UInt8](copying: $0) }
        }
        return value
    }

    /// The value of `key` as a `String`, `Data` or other `ByteResult`, or `nil` if the key is missing.
    ///
    /// - Throws: As ``get(_:options:)``, and ``RocksError/Code/codec`` if the value has no such form (text that is not UTF-8).
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

    /// Lends the value of `key` to `body` without copying it and returns what `body` returns, or `nil` if the key is missing.
    ///
    /// ```swift
    /// let size = try db.withValue(for: "cover") { $0.byteCount }
    /// ```
    ///
    /// The span is valid until `body` returns and cannot escape it. The database cannot be closed meanwhile.
    ///
    /// - Throws: As ``get(_:options:)``, or what `body` throws.
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

    /// Whether `key` is there. Costs as much as reading its value, less the copy.
    @inlinable
    public func contains(_ key: some ByteSource & ~Escapable, options: ReadOptions? = nil) throws(RocksError) -> Bool {
        try key.withBytes { (key) throws(RocksError) in try lendValue(for: key, options: options) { _ in } }
    }

    /// False if the key is certainly missing, by what is in memory alone; true if it may be there. Never reads a file.
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
