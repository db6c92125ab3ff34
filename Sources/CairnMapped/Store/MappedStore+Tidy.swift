import CairnCore

extension MappedStore {
    /// Removes values that have expired: they read as missing anyway, but take space until the file is compacted. Their space becomes waste, so the
    /// file is then compacted as ``MappedStoreOptions/compaction`` says.
    ///
    /// ```swift
    /// try sessions.removeExpired(limit: 10_000)
    /// ```
    ///
    /// A value that is set again in the meantime stays. Several threads and processes may do this at once.
    ///
    /// - Parameter limit: The maximum number of values to remove.
    /// - Returns: How many were removed. Damaged values stay.
    /// - Throws: Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``; what was removed before stays removed.
    /// - Complexity: O(n) to find them, without blocking anyone, or O(1) if no value expires; then one transaction for every 64 values
    ///   removed.
    @discardableResult
    public func removeExpired(limit: Int = .max) throws(MappedStoreError) -> Int {
        try remove(expiredKeys(limit)) { record, view, now in unsafe record.expires && record.deadline(in: view.base) <= now }
    }

    /// Removes the values that were set longest ago until the live data takes at most `size`, or nothing is left: for caches, where any
    /// value may be missing. Setting a value again makes it the newest; reading it does not.
    ///
    /// ```swift
    /// if try cache.liveSize > .mebibytes(64) { try cache.removeOldest(downTo: .mebibytes(48)) }
    /// ```
    ///
    /// A value that is set again in the meantime stays. Several threads and processes may do this at once. The index counts as live data
    /// too, and does not shrink until the file is compacted.
    ///
    /// - Returns: How many were removed. Damaged values stay.
    /// - Throws: Same as ``set(_:for:expiresAfter:)-(Value?,_,_)``; what was removed before stays removed.
    /// - Complexity: O(n log n) in the number of values. Others wait while the index is scanned, and during one transaction for every 64
    ///   values removed.
    @discardableResult
    public func removeOldest(downTo size: ByteCount) throws(MappedStoreError) -> Int {
        let (excess, isAll) = try liveSize.bytes.subtractingReportingOverflow(size.bytes)
        guard isAll || excess > 0 else { return 0 }
        return try remove(oldestKeys(isAll ? .max : excess)) { _, _, _ in true }
    }

    /// Keys of the values that were set first and take `size` bytes together, with the offsets of their records.
    private func oldestKeys(_ size: Int64) throws(MappedStoreError) -> [(String, Int)] {
        // Not a scope: closing waits for this, and then ends the removal.
        let slot = gate.enter()
        defer { gate.leave(slot) }
        var keys: [(String, Int)] = []
        var found: Int64 = 0
        let snapshot = try snapshot()
        for offset in snapshot.offsets where found < size {
            guard let record = snapshot.view.record(at: offset), let key = key(of: record, snapshot.view) else { continue }
            keys.append((key, offset))
            found += Int64(record.size)
        }
        return keys
    }

    /// Keys of values that have expired, with the offsets of their records. Values set meanwhile may be missing.
    private func expiredKeys(_ limit: Int) throws(MappedStoreError) -> [(String, Int)] {
        let slot = gate.enter()
        defer { gate.leave(slot) }
        let now = milliseconds
        return try reading { view -> [(String, Int)]? in
            var keys: [(String, Int)] = []
            guard limit > 0, view.totals.expiring > 0 else { return keys }
            for position in 0..<(unsafe view.table.count) {
                let slot = unsafe view.table[position]
                guard slot != 0, let record = unsafe view.record(at: IndexTable.offset(of: slot)), record.expires, !record.isRemoved,
                    unsafe record.deadline(in: view.base) <= now, let key = key(of: record, view)
                else { continue }
                keys.append((key, record.offset))
                if keys.count == limit { break }
            }
            return keys
        }
    }

    /// Removes values, a few in one transaction, if their record is still at the given offset and `isDue` returns true; returns how many.
    private func remove(
        _ keys: [(String, Int)],
        where isDue: (MappedRecord, MappedView, _ now: Int64) -> Bool
    ) throws(MappedStoreError) -> Int {
        var count = 0
        let now = milliseconds
        for start in stride(from: 0, to: keys.count, by: 64) {
            try writing { view throws(MappedStoreError) in
                var changes = OwnedChanges()
                for (key, offset) in keys[start..<min(start + 64, keys.count)] {
                    let found = unsafe key.withLentBytes { unsafe view.find($0, hash: view.hash($0)) }
                    if let record = found?.record, record.offset == offset, isDue(record, view, now) { changes.remove(key) }
                }
                guard !changes.isEmpty else { return Aftermath() }
                let aftermath = try makeAtOnce(changes, view)
                count += aftermath.count
                return aftermath
            }
        }
        return count
    }
}
