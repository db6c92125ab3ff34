public import CairnCore

// A key may have any number of values, in the order in which they were written.
extension CDBReader {
    /// Returns the value of `key` at `index`, counted from 0, or `nil` if there are fewer values.
    ///
    /// - Throws: Same as ``get(_:)``.
    /// - Complexity: O(`index`) slots and records.
    public func get(_ key: some ByteSource & ~Escapable, at index: Int) throws(CDBError) -> [UInt8]? {
        guard index >= 0 else { return nil }
        var number = 0
        var found: CDBLocation?
        try forEachLocation(of: key) { location throws(CDBError) in
            if number == index { found = location }
            number += 1
            return found == nil
        }
        guard let found else { return nil }
        return try copy(found)
    }

    /// Returns copies of all values of `key`; empty if the key is missing.
    ///
    /// - Throws: Same as ``get(_:)``.
    public func values(for key: some ByteSource & ~Escapable) throws(CDBError) -> [[UInt8]] {
        var values: [[UInt8]] = []
        try forEachLocation(of: key) { location throws(CDBError) in
            values.append(try copy(location))
            return true
        }
        return values
    }

    /// Returns all values of `key` as `String`, `Data` or another `ByteResult`.
    ///
    /// - Throws: Same as ``get(_:as:)``.
    public func values<Value: ByteResult>(
        for key: some ByteSource & ~Escapable,
        as type: Value.Type
    ) throws(CDBError) -> [Value] {
        var values: [Value] = []
        try forEachLocation(of: key) { location throws(CDBError) in
            values.append(try decode(location, as: type))
            return true
        }
        return values
    }

    /// Calls `body` with each value of `key`, without copying it. To stop early, throw.
    ///
    /// - Throws: Same as ``get(_:)``, or what `body` throws.
    public func forEachValue(of key: some ByteSource & ~Escapable, _ body: (RawSpan) throws -> Void) throws {
        var failure: (any Error)?
        try forEachLocation(of: key) { location throws(CDBError) in
            do { try lend(location, to: body) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
    }

    /// Returns the number of values of `key`.
    ///
    /// - Throws: Same as ``get(_:)``.
    public func valueCount(for key: some ByteSource & ~Escapable) throws(CDBError) -> Int {
        var count = 0
        try forEachLocation(of: key) { _ throws(CDBError) in
            count += 1
            return true
        }
        return count
    }

    /// Calls `body` with each value's location until it returns false.
    private func forEachLocation(
        of key: some ByteSource & ~Escapable,
        _ body: (CDBLocation) throws(CDBError) -> Bool
    ) throws(CDBError) {
        try key.withBytes { (key) throws(CDBError) in
            try unsafe key.withUnsafeBytes { (key) throws(CDBError) in
                var probe = try probe(hash: unsafe dialect.hash(key))
                while let record = try unsafe nextRecord(&probe, key) {
                    guard try body(CDBLocation(record)) else { break }
                }
            }
        }
    }

    /// The next record with the key, mapped or not.
    func nextRecord(_ probe: inout CDBProbe, _ key: UnsafeRawBufferPointer) throws(CDBError) -> CDBRecord? {
        if let base = unsafe base {
            let record = try unsafe next(&probe, key, base)
            try checkIsWhole()
            return record
        }
        return try unsafe nextPositioned(&probe, key)
    }
}
