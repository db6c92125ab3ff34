import CairnCore

extension MappedStore {
    /// Puts `value` under `key` only if what is there is `expected`, in one step: nobody changes it between the comparison and the writing.
    ///
    /// ```swift
    /// if try store.set("running", for: "state", replacing: "idle") { start() }
    /// if try store.set(1, for: "owner", replacing: nil) { … }         // where there is none yet
    /// ```
    ///
    /// What is stored is equal if it has the same type and the same bytes: a `Double` is not equal to a `Float`, nor 0.0 to -0.0; a NaN is equal
    /// to the same NaN. Integers are equal whatever their widths. For `Codable` types it is their JSON that is compared.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The new value; `nil` removes what is there.
    ///   - expected: What must be there; `nil`: nothing, or what has expired.
    ///   - lifetime: As in ``set(_:for:expiresAfter:)-(Value?,_,_)``.
    /// - Returns: Whether it was so. Where it was not, nothing was changed.
    /// - Throws: As ``set(_:for:expiresAfter:)-(Value?,_,_)``; `corruption` where what is there is damaged.
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

    /// A value as it is stored.
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
                unsafe try check(key, value)
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
