import CairnCore

extension MappedStore {
    /// Sets the value for `key`, replacing any existing value; `nil` removes it. When this returns, the change survives what
    /// ``MappedStoreOptions/durability`` says, by default the death of the process.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` to remove it.
    ///   - key: Text of at most 65,535 bytes; it may be empty.
    ///   - lifetime: How long until the value counts as missing. By default ``MappedStoreOptions/expiresAfter``.
    /// - Throws: ``MappedStoreError``: `tooLarge` for a key of more than 65,535 bytes or a value of more than 1 GiB, `noSpace`, `readOnly`,
    ///   `codec`, `closed`, `busy` within the closure of a transaction; the store is then unchanged. After `truncated`, and after `ioError`
    ///   in a `.synced` store, the change may have been made, and may or may not survive. `replaced` once it is known that others removed
    ///   or replaced the file: the change is not in the file at the path.
    /// - Complexity: O(1), occasionally more: when the file or the index has to grow.
    @inlinable
    public func set<Value: MappedValue>(
        _ value: Value?,
        for key: String,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        guard let value else {
            try remove(key)
            return
        }
        try value.withStoredBytes { bytes, type throws(MappedStoreError) in try write(bytes, type, for: key, lifetime) }
    }

    /// Removes the value for `key`, even a damaged one.
    ///
    /// - Returns: Whether there was a value, even an expired one, or a damaged record that may have held one.
    /// - Throws: Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``.
    @discardableResult
    public func remove(_ key: String) throws(MappedStoreError) -> Bool {
        var wasThere = false
        unsafe try key.withLentBytes { key throws(MappedStoreError) in
            var hash: UInt64 = 0
            try writing(preparing: { unsafe hash = prepare(key, $0) }) { view throws(MappedStoreError) in
                let change = unsafe Change(
                    key: key,
                    value: UnsafeRawBufferPointer(start: nil, count: 0),
                    type: MappedValueType(rawValue: 0),
                    deadline: nil,
                    flags: .removed
                )
                let aftermath = try make(change, hash: hash, view)
                wasThere = (aftermath?.end ?? 0) > 0
                return aftermath
            }
        }
        return wasThere
    }

    /// Stores bytes for a key.
    @usableFromInline
    func write(
        _ bytes: RawSpan,
        _ type: MappedValueType,
        for key: String,
        _ lifetime: Duration?
    ) throws(MappedStoreError) {
        let deadline = deadline(after: lifetime)
        unsafe try bytes.withUnsafeBytes { value throws(MappedStoreError) in
            unsafe try key.withLentBytes { key throws(MappedStoreError) in
                unsafe try Self.check(key, value)
                var hash: UInt64 = 0
                try writing(preparing: { unsafe hash = prepare(key, $0) }) { view throws(MappedStoreError) in
                    unsafe try make(
                        Change(key: key, value: value, type: type, deadline: deadline, flags: deadline == nil ? [] : .expires),
                        hash: hash,
                        view
                    )
                }
            }
        }
    }

    @inline(__always)
    static func check(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(MappedStoreError) {
        guard key.count <= MappedLayout.largestKey, value.count <= MappedLayout.largestValue else {
            throw MappedStoreError(
                .tooLarge,
                "a key of \(key.count) bytes with a value of \(value.count) bytes is too large: the limits are 65,535 bytes and 1 GiB"
            )
        }
    }

    /// Returns milliseconds since 1970; `nil` if the value does not expire.
    @inline(__always)
    @usableFromInline
    package func deadline(after lifetime: Duration?) -> Int64? {
        guard let lifetime = lifetime ?? options.expiresAfter else { return nil }
        let length = lifetime.clampedMilliseconds
        let (end, isLate) = milliseconds.addingReportingOverflow(length)
        // A lifetime too long to be represented never ends.
        return isLate || length == .max || length == .min ? (length < 0 ? 0 : nil) : end
    }
}
