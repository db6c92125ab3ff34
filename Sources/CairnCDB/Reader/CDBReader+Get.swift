public import CairnCore

/// The position and length of a value in a file.
@usableFromInline
struct CDBLocation {
    @usableFromInline let start: Int
    @usableFromInline let count: Int

    init(_ record: CDBRecord) {
        start = Int(truncatingIfNeeded: record.valuePosition)
        count = Int(truncatingIfNeeded: record.valueCount)
    }
}

extension CDBReader {
    /// Returns the first value of `key`, or `nil` if the key is missing.
    ///
    /// - Throws: ``CDBError/Code/corruption`` if the path to the key or its record is damaged, ``CDBError/Code/ioError`` for a file that is not
    ///   mapped.
    /// - Complexity: Usually one access to a hash table and one to the record; copies the value.
    @inlinable
    public func get(_ key: some ByteSource & ~Escapable) throws(CDBError) -> [UInt8]? {
        if unsafe base == nil { return try key.withBytes { (key) throws(CDBError) in try readValue(of: key) } }
        guard let location = try key.withBytes({ (key) throws(CDBError) in try locate(key) }) else { return nil }
        return try copy(location)
    }

    /// Returns the first value of `key` as a `String`, `Data` or other `ByteResult`, or `nil` if the key is missing.
    ///
    /// - Throws: Same as ``get(_:)``, and ``CDBError/Code/codec`` if the value cannot be converted (text that is not UTF-8).
    @inlinable
    public func get<Value: ByteResult>(
        _ key: some ByteSource & ~Escapable,
        as type: Value.Type = Value.self
    ) throws(CDBError) -> Value? {
        if unsafe base == nil {
            return try key.withBytes { (key) throws(CDBError) in try readValue(of: key) }.map { (bytes) throws(CDBError) in
                try decode(bytes, as: type)
            }
        }
        guard let location = try key.withBytes({ (key) throws(CDBError) in try locate(key) }) else { return nil }
        return try decode(location, as: type)
    }

    /// Calls `body` with the first value of `key`, without copying it, and returns what `body` returns, or `nil` if the key is missing.
    ///
    /// The span is valid until `body` returns and cannot escape it.
    ///
    /// - Throws: Same as ``get(_:)``, or what `body` throws.
    @inlinable
    public func withValue<Value>(
        for key: some ByteSource & ~Escapable,
        _ body: (RawSpan) throws -> Value
    ) throws -> Value? {
        if unsafe base == nil {
            let bytes = try key.withBytes { (key) throws(CDBError) in try readValue(of: key) }
            return try bytes.map { try unsafe body($0.span.bytes) }
        }
        guard let location = try key.withBytes({ (key) throws(CDBError) in try locate(key) }) else { return nil }
        return try lend(location, to: body)
    }

    /// Returns the first value of `key` in the file's own memory, or `nil` if the key is missing. The compiler ensures that it is not used beyond the
    /// lifetime of the reader.
    ///
    /// ```swift
    /// let reader = try CDBReader(path: "music.cdb")
    /// if let value = try reader.lentValue(for: "song/1") { print(value.byteCount) }
    /// ```
    ///
    /// - Throws: Same as ``get(_:)``; ``CDBError/Code/notSupported`` if the file is not mapped.
    @inlinable
    @_lifetime(borrow self)
    public func lentValue(for key: some ByteSource & ~Escapable) throws(CDBError) -> RawSpan? {
        guard let base = unsafe base else { throw notMapped() }
        guard let location = try key.withBytes({ (key) throws(CDBError) in try locate(key) }) else { return nil }
        let span = unsafe RawSpan(_unsafeStart: base + location.start, byteCount: location.count)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Returns whether `key` exists.
    @inlinable
    public func contains(_ key: some ByteSource & ~Escapable) throws(CDBError) -> Bool {
        try key.withBytes { (key) throws(CDBError) in try locate(key) } != nil
    }
}

extension CDBReader {
    /// Finds the first record with the key.
    @usableFromInline
    func locate(_ key: RawSpan) throws(CDBError) -> CDBLocation? {
        try unsafe key.withUnsafeBytes { (key) throws(CDBError) in
            var probe = try probe(hash: unsafe dialect.hash(key))
            if let base = unsafe base {
                let location = try unsafe next(&probe, key, base).map { CDBLocation($0) }
                try checkIsWhole()
                return location
            }
            return try unsafe nextPositioned(&probe, key).map { CDBLocation($0) }
        }
    }

    /// Throws unless the hash table of the key is within the file.
    package func checkTable(of key: some ByteSource & ~Escapable) throws(CDBError) {
        try key.withBytes { (key) throws(CDBError) in
            _ = try unsafe key.withUnsafeBytes { (key) throws(CDBError) in try probe(hash: unsafe dialect.hash(key)) }
        }
    }

    /// Calls `body` with a value.
    @inlinable @inline(__always)
    func lend<Value, Failure: Error>(
        _ location: CDBLocation,
        to body: (RawSpan) throws(Failure) -> Value
    ) throws -> Value {
        if let base = unsafe base {
            defer { withExtendedLifetime(self) {} }
            let result = try unsafe body(RawSpan(_unsafeStart: base + location.start, byteCount: location.count))
            try checkIsWhole()
            return result
        }
        let bytes = try copy(location)
        return try unsafe body(bytes.span.bytes)
    }

    @usableFromInline
    func copy(_ location: CDBLocation) throws(CDBError) -> [UInt8] {
        guard let base = unsafe base else { return try read(UInt64(location.count), at: UInt64(location.start)) }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: location.count) { bytes, count in
            if let target = bytes.baseAddress {
                unsafe UnsafeMutableRawPointer(target).copyMemory(from: base + location.start, byteCount: location.count)
            }
            count = location.count
        }
        try checkIsWhole()
        return bytes
    }

    @usableFromInline
    func decode<Value: ByteResult>(_ location: CDBLocation, as type: Value.Type) throws(CDBError) -> Value {
        var value: Value?
        do throws(CodecError) {
            if let base = unsafe base {
                value = try unsafe Value(copying: RawSpan(_unsafeStart: base + location.start, byteCount: location.count))
            }
        } catch {
            try checkIsWhole()
            throw CDBError.codec("could not read a value of \(name) as \(type)", error)
        }
        guard let value else { return try decode(try copy(location), as: type) }
        try checkIsWhole()
        return value
    }

    @usableFromInline
    func decode<Value: ByteResult>(_ bytes: [UInt8], as type: Value.Type) throws(CDBError) -> Value {
        do { return try unsafe Value(copying: bytes.span.bytes) } catch {
            throw CDBError.codec("could not read a value of \(name) as \(type)", error)
        }
    }

    @inline(never) @usableFromInline
    func notMapped() -> CDBError {
        CDBError(.notSupported, "could not lend a value of \(name) beyond a closure: the file is not mapped; use withValue(for:_:)")
    }
}
