public import CairnCore

extension RocksReader {
    /// Returns the values for all `keys`, in the order of the keys, with `nil` for each missing key. All are read as of the same moment.
    ///
    /// - Throws: Same as ``get(_:options:)``, for the first key that fails.
    /// - Complexity: Cheaper than separate reads: keys in the same file are read together.
    @inlinable
    public func multiGet(_ keys: KeyList, options: ReadOptions? = nil) throws(RocksError) -> [[UInt8]?] {
        var values: [[UInt8]?] = []
        values.reserveCapacity(keys.count)
        try lendValues(for: keys, options: options) { _, bytes in
            if let bytes { values.append([UInt8](copying: bytes)) } else { values.append(nil) }
        }
        return values
    }

    /// Same as `multiGet(_:options:)`, for any sequence of keys.
    @inlinable
    public func multiGet(_ keys: some Sequence<some ByteSource>, options: ReadOptions? = nil) throws(RocksError) -> [[UInt8]?] {
        try multiGet(KeyList(keys), options: options)
    }

    /// Same as `multiGet(_:options:)`, with values as `String`, `Data` or other `ByteResult`.
    @inlinable
    public func multiGet<Value: ByteResult>(
        _ keys: some Sequence<some ByteSource>,
        as type: Value.Type,
        options: ReadOptions? = nil
    ) throws(RocksError) -> [Value?] {
        var values: [Value?] = []
        var failure: CodecError?
        try lendValues(for: KeyList(keys), options: options) { _, bytes in
            guard let bytes else { return values.append(nil) }
            do throws(CodecError) { values.append(try Value(copying: bytes)) } catch { failure = failure ?? error }
        }
        if let failure { throw RocksError.codec("reading values as \(type)", failure) }
        return values
    }

    /// Lends the values for all `keys` to `body` without copying them: the index of each key, and its value or `nil`.
    ///
    /// Spans are valid until `body` returns and cannot escape it.
    ///
    /// - Throws: Same as ``get(_:options:)``, or the first error that `body` throws, after which it is not called again.
    @inlinable
    public func withValues(
        for keys: KeyList,
        options: ReadOptions? = nil,
        _ body: (_ index: Int, _ value: RawSpan?) throws -> Void
    ) throws {
        var failure: (any Error)?
        try lendValues(for: keys, options: options) { index, bytes in
            guard failure == nil else { return }
            do { try body(index, bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
