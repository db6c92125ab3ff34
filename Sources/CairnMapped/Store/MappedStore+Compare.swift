import CairnCore

extension MappedStore {
    /// Sets the value for `key` only if the stored value is `expected`, atomically: it cannot change between the comparison and the write.
    ///
    /// ```swift
    /// if try store.set("running", for: "state", replacing: "idle") { start() }
    /// if try store.set(1, for: "owner", replacing: nil) { … }         // where there is none yet
    /// ```
    ///
    /// Stored values are equal if they have the same type and the same bytes: a `Double` does not equal a `Float`, nor 0.0 equal -0.0; a NaN equals
    /// the same NaN. Integers are equal regardless of their widths. `Codable` types are compared by their JSON.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The new value; `nil` removes the stored one.
    ///   - expected: The value that must be stored; `nil` for no value or an expired one.
    ///   - lifetime: Same as in ``set(_:for:expiresAfter:)-(Value?,_,_)``.
    /// - Returns: Whether the stored value was `expected`. If not, nothing was changed.
    /// - Throws: Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``; `corruption` if the stored value is damaged.
    @discardableResult
    public func set<Value: MappedValue>(
        _ value: Value?,
        for key: String,
        replacing expected: Value?,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) -> Bool {
        try replace(
            key,
            try expected.map { value throws(MappedStoreError) in try StoredValue(value) },
            with: try value.map { value throws(MappedStoreError) in try StoredValue(value) },
            lifetime
        )
    }

    /// A value in its stored form.
    private struct StoredValue: Equatable {
        var type: MappedValueType
        var bytes: [UInt8]

        init(_ type: MappedValueType, _ bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }

        init(_ value: some MappedValue) throws(MappedStoreError) {
            self = try value.withStoredBytes { bytes, type in StoredValue(type, [UInt8](copying: bytes)) }
        }
    }

    private func replace(
        _ key: String,
        _ expected: StoredValue?,
        with new: StoredValue?,
        _ lifetime: Duration?
    ) throws(MappedStoreError) -> Bool {
        let deadline = new == nil ? nil : deadline(after: lifetime)
        let value = new?.bytes ?? []
        var isEqual = false
        try unsafe key.withLentBytes { key throws(MappedStoreError) in
            try unsafe value.withLentBytes { value throws(MappedStoreError) in
                unsafe try Self.check(key, value)
                let flags: MappedRecord.Flags = new == nil ? .removed : deadline == nil ? [] : .expires
                let change = unsafe Change(
                    key: key,
                    value: value,
                    type: new?.type ?? MappedValueType(rawValue: 0),
                    deadline: deadline,
                    flags: flags
                )
                try writing { view throws(MappedStoreError) in
                    var found: StoredValue?
                    let outcome: Void? = unsafe try lend(key, view) { bytes, type in found = StoredValue(type, [UInt8](copying: bytes)) }
                    guard outcome != nil else { return nil }
                    isEqual = found == expected
                    return isEqual ? try make(change, hash: unsafe view.hash(key), view) : Aftermath()
                }
            }
        }
        return isEqual
    }
}
