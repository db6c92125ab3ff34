public import CairnCore

extension CDBReader {
    /// Returns the first values of all `keys`, in the order of the keys, with `nil` for missing keys.
    ///
    /// - Throws: Same as ``get(_:)``, for the first key that fails.
    /// - Complexity: Several times as fast as single lookups in a file larger than the processor's caches, because the lookups wait for
    ///   memory in parallel.
    public func multiGet(_ keys: KeyList) throws(CDBError) -> [[UInt8]?] {
        var values: [[UInt8]?] = []
        values.reserveCapacity(keys.count)
        try locating(keys) { _, location throws(CDBError) in
            if let location { values.append(try copy(location)) } else { values.append(nil) }
        }
        return values
    }

    /// Same as `multiGet(_:)`, for any sequence of keys.
    @inlinable
    public func multiGet(_ keys: some Sequence<some ByteSource>) throws(CDBError) -> [[UInt8]?] { try multiGet(KeyList(keys)) }

    /// Same as `multiGet(_:)`, with values as `String`, `Data` or another `ByteResult`.
    public func multiGet<Value: ByteResult>(
        _ keys: some Sequence<some ByteSource>,
        as type: Value.Type
    ) throws(CDBError) -> [Value?] {
        var values: [Value?] = []
        try locating(KeyList(keys)) { _, location throws(CDBError) in
            if let location { values.append(try decode(location, as: type)) } else { values.append(nil) }
        }
        return values
    }

    /// Calls `body` with the index of each key and its first value or `nil`, without copying the values.
    ///
    /// Spans are valid until `body` returns and cannot escape it.
    ///
    /// - Throws: Same as ``get(_:)``, or the first error that `body` throws, which ends the iteration.
    public func withValues(for keys: KeyList, _ body: (_ index: Int, _ value: RawSpan?) throws -> Void) throws {
        guard let base = unsafe base else {
            return try locatingPositioned(keys) { index, location in
                guard let location else { return try body(index, nil) }
                try lend(location) { try body(index, $0) }
            }
        }
        try unsafe locateAll(keys, base) { index, location in
            guard let location else { return try body(index, nil) }
            try unsafe body(index, RawSpan(_unsafeStart: base + location.start, byteCount: location.count))
        }
        withExtendedLifetime(self) {}
    }

    /// Same as `locateAll`, mapped or not, for bodies that throw this module's errors.
    private func locating(_ keys: KeyList, _ body: (Int, CDBLocation?) throws(CDBError) -> Void) throws(CDBError) {
        do {
            if let base = unsafe base {
                try unsafe locateAll(keys, base) { try body($0, $1) }
            } else {
                try locatingPositioned(keys) { try body($0, $1) }
            }
        } catch let error as CDBError {
            throw error
        } catch {
            preconditionFailure("a body with typed errors threw \(error)")
        }
    }

    private func locatingPositioned(_ keys: KeyList, _ body: (Int, CDBLocation?) throws -> Void) throws {
        var start = 0
        for (index, end) in keys.ends.enumerated() {
            try body(index, try locate(unsafe keys.bytes.span.bytes.extracting(start..<end)))
            start = end
        }
    }
}
