import CairnCore

/// Many keys in one call.
extension MappedStore {
    /// Returns the values for several keys, in the order of the keys; `nil` for those without a value.
    ///
    /// ```swift
    /// let names = try store.multiGet(["first name", "last name"], as: String.self)
    /// ```
    ///
    /// Faster than calling ``get(_:as:)`` for each key if the store is larger than the processor's caches, because the memory of several
    /// keys is fetched at once. Changes that others make during the call may be visible for only some of the keys; a ``transaction(_:)``
    /// sees all keys as of one instant.
    ///
    /// - Throws: Same as ``get(_:as:)``, for the first value that cannot be read.
    /// - Complexity: O(*n*). Never waits.
    @inlinable
    public func multiGet<Value: MappedValue>(
        _ keys: some Sequence<String>,
        as type: Value.Type = Value.self
    ) throws(MappedStoreError) -> [Value?] {
        let keys = Array(keys)
        guard !keys.isEmpty else {
            try requireOpen()
            return []
        }
        var values: [Value?] = []
        values.reserveCapacity(keys.count)
        var batch = LookupBatch()
        while values.count < keys.count {
            let few = keys[values.count..<min(values.count + LookupBatch.size, keys.count)]
            guard batch.begin(few, in: self) else {
                for key in few { values.append(try getLongWay(key)) }
                continue
            }
            var unknown: [Int] = []
            do {
                defer { batch.leave(self) }
                for place in few.indices {
                    let found = batch.find(few[place], at: place - few.startIndex, in: self)
                    if found.isUnknown { unknown.append(place) }
                    values.append(found.isThere ? try found.value(of: few[place]) : nil)
                }
            }
            for place in unknown { values[place] = try getLongWay(keys[place]) }
        }
        return values
    }

    /// Sets the values for several keys, replacing existing ones: all of them, or none, even if the process or the machine dies in the
    /// middle. If a key occurs more than once, its last value is stored.
    ///
    /// ```swift
    /// try store.set(contentsOf: ["width": 640, "height": 480])
    /// ```
    ///
    /// - Parameters:
    ///   - values: The keys and their values: a dictionary, or an array of pairs.
    ///   - lifetime: How long until the values count as missing. By default ``MappedStoreOptions/expiresAfter``.
    /// - Throws: Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``; the store is then unchanged.
    /// - Complexity: O(*n*). Copies keys and values before it takes the writers' lock.
    @inlinable
    public func set<Value: MappedValue>(
        contentsOf values: some Sequence<(key: String, value: Value)>,
        expiresAfter lifetime: Duration? = nil
    ) throws(MappedStoreError) {
        let deadline = deadline(after: lifetime)
        var changes = OwnedChanges()
        for (key, value) in values {
            try value.withStoredBytes { bytes, type throws(MappedStoreError) in try changes.set(bytes, type, for: key, deadline: deadline) }
        }
        _ = try make(changes)
    }

    /// Removes the values for several keys: all of them, or none, even if the process or the machine dies in the middle.
    ///
    /// - Returns: The number of keys that had a value, even an expired one, or a damaged record that may have held one.
    /// - Throws: Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``; the store is then unchanged.
    /// - Complexity: O(*n*).
    @discardableResult
    public func remove(contentsOf keys: some Sequence<String>) throws(MappedStoreError) -> Int {
        var changes = OwnedChanges()
        for key in keys { changes.remove(key) }
        return try make(changes)
    }

    /// Removes the values for all keys that begin with `prefix` when this is called: all of them, or none.
    ///
    /// - Returns: The number of keys that had a value.
    /// - Throws: Same as ``keys(withPrefix:)`` and ``set(_:for:expiresAfter:)-(Value?,_,_)``; the store is then unchanged.
    /// - Complexity: Same as ``keys(withPrefix:)``.
    @discardableResult
    public func remove(withPrefix prefix: String) throws(MappedStoreError) -> Int { try remove(contentsOf: keys(withPrefix: prefix)) }

    /// Reserves space for more keys and values in the index and the file, which otherwise grow in steps as values are set. This shows
    /// before many values are set whether the disk has room for them; it does not make setting them faster.
    ///
    /// - Parameters:
    ///   - keyCount: The number of keys to be added that are not in the store yet.
    ///   - size: The total size of the records to be written: for each, the sizes of its key and its value, 12 to 15 bytes, and what a
    ///     cipher adds.
    /// - Throws: ``MappedStoreError``: `noSpace`, `tooLarge` beyond ``MappedStoreOptions/maximumSize``, for more than 1 TiB or for negative numbers, `readOnly`,
    ///   `replaced` if others removed or replaced the file, `busy`, `closed`; the store's values are then unchanged.
    /// - Complexity: O(*n*) in the number of existing keys. A compaction releases space that is unused at that time.
    public func reserveCapacity(keyCount: Int, size: ByteCount) throws(MappedStoreError) {
        let limit = options.maximumSize?.bytes ?? 1 << 40
        let attempt = "could not make room for \(keyCount) keys and \(size) in \(path)"
        guard keyCount >= 0, size.bytes >= 0 else {
            throw MappedStoreError(.tooLarge, "\(attempt): the \(keyCount < 0 ? "number of keys" : "size") is negative")
        }
        guard keyCount < limit / 8, size.bytes < limit else {
            let reason = options.maximumSize.map { "the maximum size of the store is \($0)" } ?? "a store can reserve at most 1 TiB"
            throw MappedStoreError(.tooLarge, "\(attempt): \(reason)")
        }
        try writing { view throws(MappedStoreError) in
            let totals = unsafe view.header.totals
            return try makeRoom(view, totals, size: Int(size.bytes), newKeys: keyCount) ? Aftermath() : nil
        }
    }

    /// Makes the changes; returns how many had an effect.
    @usableFromInline
    func make(_ changes: OwnedChanges) throws(MappedStoreError) -> Int {
        guard !changes.isEmpty else {
            try requireOpen()
            return 0
        }
        var count = 0
        try writing { view throws(MappedStoreError) in
            let aftermath = try makeAtOnce(changes, view)
            count = aftermath.count
            return aftermath
        }
        return count
    }
}
