import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension MappedStore {
    /// Returns the value for `key`, or `nil` if there is none or it has expired.
    ///
    /// - Throws: ``MappedStoreError``: `typeMismatch` if the value has another type, `corruption` if it is damaged, `codec`, `truncated`, `closed`.
    /// - Complexity: O(1); computes the checksum of the record. Never waits.
    @inlinable
    public func get<Value: MappedValue>(_ key: String, as type: Value.Type = Value.self) throws(MappedStoreError) -> Value? {
        let found = find(key)
        guard found.isThere else { return found.isMissing ? nil : try getLongWay(key) }
        defer { if found.isLent { leave() } }
        return try found.value(of: key)
    }

    /// Same as ``get(_:as:)``, for a store in any state.
    @inlinable
    @inline(never)
    func getLongWay<Value: MappedValue>(_ key: String) throws(MappedStoreError) -> Value? {
        var result: Value?
        try read(key) { bytes, type throws(MappedStoreError) in result = try Value(stored: bytes, as: type) }
        return result
    }

    /// Returns the value for `key`, or `fallback` if there is none. Does not store `fallback`.
    ///
    /// - Throws: Same as ``get(_:as:)``: a value that cannot be read is an error and does not return the fallback.
    @inlinable
    public func get<Value: MappedValue>(_ key: String, default fallback: @autoclosure () -> Value) throws(MappedStoreError) -> Value {
        try get(key, as: Value.self) ?? fallback()
    }

    /// Calls `body` with the bytes of the value for `key` and their type, without copying them. Returns `nil` if there is none.
    ///
    /// The bytes do not change while `body` runs, even if the key is set again. For an encrypted store they are a copy. `body` may use the store, but
    /// not close it.
    ///
    /// - Throws: What `body` throws; the errors of ``get(_:as:)``, except for the type.
    @inlinable
    public func withValue<Result>(
        for key: String,
        _ body: (RawSpan, MappedValueType) throws -> Result
    ) throws -> Result? {
        let scope = enterScope()
        defer { leaveScope(scope) }
        let found = find(key)
        guard found.isThere else { return found.isMissing ? nil : try lendLongWay(key, body) }
        // The scope keeps the bytes where they are.
        if found.isLent { leave() }
        return try found.withBytes { try body($0, found.type) }
    }

    /// Same as ``withValue(for:_:)``, for a store in any state, within a scope.
    @usableFromInline
    func lendLongWay<Result>(_ key: String, _ body: (RawSpan, MappedValueType) throws -> Result) throws -> Result? {
        var outcome: Swift.Result<Result, any Error>?
        try read(key) { bytes, type throws(MappedStoreError) in
            do { outcome = .success(try body(bytes, type)) } catch { outcome = .failure(error) }
        }
        return try outcome?.get()
    }

    /// Returns whether there is a value for `key` that has not expired.
    ///
    /// - Throws: Same as ``get(_:as:)``, except for the type. A damaged value counts as a value.
    public func contains(_ key: String) throws(MappedStoreError) -> Bool { try valueType(of: key) != nil }

    /// Returns the type of the value stored for `key`, or `nil` if there is none.
    ///
    /// - Throws: Same as ``get(_:as:)``, except for the type.
    public func valueType(of key: String) throws(MappedStoreError) -> MappedValueType? {
        let found = find(key)
        if found.isThere {
            if found.isLent { leave() }
            return found.type
        }
        var type: MappedValueType?
        if found.isUnknown { try read(key) { _, stored in type = stored } }
        return type
    }

    /// Returns the size in bytes of the value for `key`, or `nil` if there is none.
    ///
    /// - Throws: Same as ``get(_:as:)``, except for the type.
    public func valueSize(of key: String) throws(MappedStoreError) -> Int? {
        let found = find(key)
        if found.isThere {
            if found.isLent { leave() }
            return found.count
        }
        var size: Int?
        if found.isUnknown { try read(key) { bytes, _ in size = bytes.byteCount } }
        return size
    }

    /// Returns when the value for `key` expires, or `nil` if there is none or it does not expire.
    ///
    /// - Throws: Same as ``get(_:as:)``, except for the type.
    public func expiry(of key: String) throws(MappedStoreError) -> Date? {
        try deadline(of: key).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Same as ``expiry(of:)``, in milliseconds since 1970.
    package func deadline(of key: String) throws(MappedStoreError) -> Int64? {
        try reading { view throws(MappedStoreError) -> Int64?? in
            let hash = unsafe key.withLentBytes { unsafe view.hash($0) }
            guard let found = unsafe key.withLentBytes({ unsafe view.find($0, hash: hash) }) else { return nil }
            let isDamaged: Bool =
                if view.cipher != nil {
                    found.value != 0 && found.opened == nil
                } else {
                    found.record.map { !view.isIntact($0) } ?? view.isSuspect(hash: hash)
                }
            guard !isDamaged else { throw damage(view).about(key) }
            guard let record = found.record, !record.isRemoved, record.expires, !isExpired(record, view) else { return .some(nil) }
            return unsafe record.deadline(in: view.base)
        }
    }

    /// Lends the value for `key` to `body`, which is not called if there is none.
    @usableFromInline
    func read(
        _ key: String,
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        do throws(MappedStoreError) {
            try reading { view throws(MappedStoreError) -> Void? in
                try unsafe key.withLentBytes { key throws(MappedStoreError) in unsafe try lend(key, view, body) }
            }
        } catch {
            throw error.about(key)
        }
    }

    /// Same as ``read(_:_:)``, on a view; returns `nil` if another view is needed.
    @inline(__always)
    func lend(
        _ key: UnsafeRawBufferPointer,
        _ view: MappedView,
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) -> Void? {
        let hash = unsafe view.hash(key)
        if view.isEncrypted { return unsafe try lendSealed(key, hash, view, body) }
        var position: UInt64 = 0
        let offset = unsafe view.locate(key, hash: hash, position: &position)
        guard offset > 0 else {
            guard view.isIntact else { throw truncatedError }
            // The key itself may be damaged.
            guard offset < 0 || !view.isSuspect(hash: hash) else { throw damage(view) }
            return offset < 0 ? nil : ()
        }
        let record = unsafe MappedRecord(at: offset, in: view.base)
        guard view.isIntact(record) else { throw damage(view) }
        if record.isRemoved || (record.expires && isExpired(record, view)) { return () }
        unsafe try body(RawSpan(_unsafeBytes: record.value(in: view.base)), record.type)
        return ()
    }

    private func lendSealed(
        _ key: UnsafeRawBufferPointer,
        _ hash: UInt64,
        _ view: MappedView,
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) -> Void? {
        guard let found = unsafe view.find(key, hash: hash) else { return nil }
        guard view.isIntact else { throw truncatedError }
        guard found.value != 0 else { return () }
        guard let record = found.record, let content = found.opened else { throw damage(view) }
        if record.isRemoved || isExpired(record, view) { return () }
        unsafe try body(content.value.span.bytes, content.type)
        return ()
    }

    func damage(_ view: MappedView) -> MappedStoreError {
        guard view.isIntact else { return truncatedError }
        return MappedStoreError(.corruption, "a value of \(path) is damaged; set or remove it. Other values are not affected")
    }

    func isExpired(_ record: MappedRecord, _ view: MappedView) -> Bool {
        unsafe record.expires && record.deadline(in: view.base) <= milliseconds
    }

    /// The current time in milliseconds since 1970.
    package var milliseconds: Int64 { Int64(exactly: (options.now().timeIntervalSince1970 * 1000).rounded(.down)) ?? .max }
}
