import CairnCore

extension MappedStore {
    /// Puts `value` under `key`, in place of what was there; `nil` removes it. Survives the death of the process when this returns, or as
    /// ``MappedStoreOptions/durability`` says.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` for none.
    ///   - key: Text of 65,535 bytes at most; it may be empty.
    ///   - lifetime: After which the value counts as missing. By default that of ``MappedStoreOptions/expiresAfter``.
    /// - Throws: ``MappedStoreError``: `limitExceeded` for a key of more than 65,535 bytes or a value of more than 1 GiB, `noSpace`, `readOnly`,
    ///   `codec`, `closed`, `busy` within the closure of a transaction: the store is then as it was. After `truncated`, and after `ioError` of a
    ///   `.synced` store, the change may have happened; whether it survives is not known.
    /// - Complexity: O(1), now and then more: when the file or the index has to grow.
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

    /// Removes the value under `key`.
    ///
    /// - Returns: Whether there was one, be it expired.
    /// - Throws: As ``set(_:for:expiresAfter:)-(Value?,_,_)``.
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

    /// Puts bytes under a key.
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
                unsafe try check(key, value)
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
    func check(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(MappedStoreError) {
        guard key.count <= MappedLayout.largestKey, value.count <= MappedLayout.largestValue else {
            throw MappedStoreError(
                .limitExceeded,
                "a key of \(key.count) bytes with a value of \(value.count); keys may have 65,535 bytes, and values 1 GiB"
            )
        }
    }

    /// Milliseconds since 1970; `nil` for what does not expire.
    @inline(__always)
    func deadline(after lifetime: Duration?) -> Int64? {
        guard let lifetime = lifetime ?? options.expiresAfter else { return nil }
        let (seconds, attoseconds) = lifetime.components
        let (whole, isLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (end, isLate) = milliseconds.addingReportingOverflow(whole &+ attoseconds / 1_000_000_000_000_000)
        // What lives longer than time is counted does not expire.
        return isLong || isLate ? (seconds < 0 ? 0 : nil) : end
    }
}
