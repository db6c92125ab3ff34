public import CairnCore

/// A snapshot of the data in a ``StorageEngine``: later commits are not visible.
///
/// Can be used from any thread. Keeps its engine alive and open. The three required methods lend bytes; methods that copy, or whose closures can throw,
/// are built on them.
public protocol EngineView: AnyObject, Sendable {
    /// The version of the data: that of the latest commit that the view sees.
    var version: EngineVersion { get }

    /// Lends the value of `key` to `body`, or returns false without calling it if the key is missing.
    ///
    /// The span is valid until `body` returns.
    ///
    /// - Throws: ``EngineError/Code/corruption``, ``EngineError/Code/ioError``; ``EngineError/Code/expired`` if the view is too old: never other data;
    ///   ``EngineError/Code/unavailable``.
    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool

    /// Lends the values of all `keys` to `body`, one by one and in list order, with the index of the key; `nil` for a missing key.
    ///
    /// - Throws: Same as ``lendValue(for:to:)``; some values may have been lent before.
    /// - Complexity: Less than single reads, if the engine reads keys together.
    func lendValues(for keys: KeyList, to body: (_ index: Int, _ value: RawSpan?) -> Void) throws(EngineError)

    /// Lends the entries of `range` to `body`, one by one and in key order, until it returns false.
    ///
    /// - Parameters:
    ///   - range: The range of keys; it is empty if its end is not greater than its start.
    ///   - reverse: Whether to iterate from the last entry to the first.
    ///   - body: Returns whether to continue. The spans are valid until it returns.
    /// - Throws: Same as ``lendValue(for:to:)``; some entries may have been lent before. Never ends early without an error.
    func lendEntries(in range: KeyRange, reverse: Bool, to body: (_ key: RawSpan, _ value: RawSpan) -> Bool) throws(EngineError)

    /// Lends the entries of several ranges to `body`, one by one: those of the first range, then those of the second, and so on, until it returns false.
    ///
    /// - Parameters:
    ///   - ranges: The ranges, in any order. Some may be empty or overlap.
    ///   - reverse: Whether to iterate over each range from its last entry to its first.
    ///   - body: Gets the index of the range too. Returns whether to continue. The spans are valid until it returns.
    /// - Throws: Same as ``lendEntries(in:reverse:to:)``.
    /// - Complexity: Less than one scan after the other, if the engine reads ranges together, as engines behind a network do. They may then read entries that
    ///   are not lent. Need not be implemented.
    func lendEntries(
        inEach ranges: [KeyRange],
        reverse: Bool,
        to body: (_ index: Int, _ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(EngineError)

    /// Same as ``lendEntries(in:reverse:to:)`` in ascending order, for a range that may be most of the store: an engine with a cache should not evict
    /// other data from it. Need not be implemented.
    func lendAllEntries(in range: KeyRange, to body: (_ key: RawSpan, _ value: RawSpan) -> Bool) throws(EngineError)
}

extension EngineView {
    public func lendAllEntries(in range: KeyRange, to body: (_ key: RawSpan, _ value: RawSpan) -> Bool) throws(EngineError) {
        try lendEntries(in: range, reverse: false, to: body)
    }

    public func lendEntries(
        inEach ranges: [KeyRange],
        reverse: Bool,
        to body: (_ index: Int, _ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(EngineError) {
        try lendOneByOne(ranges, reverse: reverse, to: body)
    }

    /// Lends the entries of several ranges, each of which is read by itself.
    package func lendOneByOne(
        _ ranges: [KeyRange],
        reverse: Bool,
        to body: (_ index: Int, _ key: RawSpan, _ value: RawSpan) -> Bool
    ) throws(EngineError) {
        var goesOn = true
        for (index, range) in ranges.enumerated() {
            try lendEntries(in: range, reverse: reverse) { key, value in
                goesOn = body(index, key, value)
                return goesOn
            }
            guard goesOn else { return }
        }
    }

    /// Returns the value of `key`, or `nil` if the key is missing.
    ///
    /// - Throws: Same as ``lendValue(for:to:)``.
    @inlinable
    public func get(_ key: some ByteSource & ~Escapable) throws(EngineError) -> [UInt8]? {
        var value: [UInt8]?
        _ = try key.withBytes { (key) throws(EngineError) in try lendValue(for: key) { value = [UInt8](copying: $0) } }
        return value
    }

    /// Returns whether `key` exists.
    ///
    /// - Throws: Same as ``lendValue(for:to:)``.
    @inlinable
    public func contains(_ key: some ByteSource & ~Escapable) throws(EngineError) -> Bool {
        try key.withBytes { (key) throws(EngineError) in try lendValue(for: key) { _ in } }
    }

    /// Lends the value of `key` to `body` and returns its result, or `nil` if the key is missing. The bytes are valid until `body` returns.
    ///
    /// - Throws: Any error that `body` throws; same as ``lendValue(for:to:)``.
    @inlinable
    public func withValue<Value>(
        for key: some ByteSource & ~Escapable,
        _ body: (RawSpan) throws -> Value
    ) throws -> Value? {
        var outcome: Result<Value, any Error>?
        _ = try key.withBytes { (key) throws(EngineError) in
            try lendValue(for: key) { bytes in outcome = Result { try body(bytes) } }
        }
        return try outcome?.get()
    }

    /// Returns the values of all `keys`, in order, with `nil` for missing keys.
    ///
    /// - Throws: Same as ``lendValues(for:to:)``.
    @inlinable
    public func multiGet(_ keys: KeyList) throws(EngineError) -> [[UInt8]?] {
        var values: [[UInt8]?] = []
        values.reserveCapacity(keys.count)
        try lendValues(for: keys) { _, bytes in
            if let bytes { values.append([UInt8](copying: bytes)) } else { values.append(nil) }
        }
        return values
    }

    /// Lends the values of all `keys` to `body`, as ``lendValues(for:to:)`` does, until `body` throws.
    @inlinable
    public func withValues(for keys: KeyList, _ body: (_ index: Int, _ value: RawSpan?) throws -> Void) throws {
        var failure: (any Error)?
        try lendValues(for: keys) { index, bytes in
            guard failure == nil else { return }
            do { try body(index, bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Lends the entries of `range` to `body`, as ``lendEntries(in:reverse:to:)`` does, until `body` returns false or throws.
    @inlinable
    public func scan(
        _ range: KeyRange = .all,
        reverse: Bool = false,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
    ) throws {
        var failure: (any Error)?
        try lendEntries(in: range, reverse: reverse) { key, value in
            do { return try body(key, value) } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }

    /// Returns copies of the entries of `range`, at most `limit` of them; `nil`: all.
    ///
    /// - Throws: Same as ``lendEntries(in:reverse:to:)``.
    public func entries(
        _ range: KeyRange = .all,
        reverse: Bool = false,
        limit: Int? = nil
    ) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        if let limit, limit <= 0 { return entries }
        try lendEntries(in: range, reverse: reverse) { key, value in
            entries.append(([UInt8](copying: key), [UInt8](copying: value)))
            return entries.count != limit
        }
        return entries
    }
}
