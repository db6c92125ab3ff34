import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key and its value, of any type.
public struct MappedEntry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value, in the type it is stored as.
    public var value: MappedVariant
    /// When the value expires; `nil` if it does not.
    public var expires: Date?

    /// Creates an entry.
    public init(key: String, value: MappedVariant, expires: Date? = nil) {
        self.key = key
        self.value = value
        self.expires = expires
    }
}

extension MappedStore {
    /// The number of keys with a value that has not expired.
    ///
    /// - Throws: ``MappedStoreError``: `truncated`, `ioError`, `closed`.
    /// - Complexity: O(1); if there are values that expire, a pass over the index and those values.
    public var count: Int {
        get throws(MappedStoreError) {
            let totals = try reading { $0.totals }
            guard totals.expiring > 0 else { return totals.count }
            var count = 0
            try forEachRecord { _, _ in count += 1 }
            return count
        }
    }

    /// Whether the store has no values.
    ///
    /// - Throws: Same as ``count``.
    public var isEmpty: Bool {
        get throws(MappedStoreError) { try count == 0 }
    }

    /// Returns all keys, in the order in which their values were set, oldest first. Keys of damaged values are left out.
    ///
    /// - Throws: Same as ``count``.
    /// - Complexity: O(n log n).
    public func keys() throws(MappedStoreError) -> [String] {
        var keys: [String] = []
        try forEachRecord { record, view in
            if let key = key(of: record, view) { keys.append(key) }
        }
        return keys
    }

    /// Returns all entries as they are at one instant, in the order in which they were set, oldest first. Damaged entries are left out;
    /// ``verify(progress:)`` lists them.
    ///
    /// - Throws: Same as ``count``.
    /// - Complexity: O(n log n), and copies the values; ``forEach(_:)`` keeps only one at a time in memory.
    public func entries() throws(MappedStoreError) -> [MappedEntry] {
        var entries: [MappedEntry] = []
        try forEachRecord { record, view in
            if let entry = entry(of: record, view) { entries.append(entry) }
        }
        return entries
    }

    /// Calls `body` with each entry that ``entries()`` would return, one at a time. Values set during the iteration are not included. `body` may change the
    /// store, but not close it.
    ///
    /// - Throws: What `body` throws, which ends the iteration; the errors of ``count``.
    /// - Complexity: O(n log n); 8 bytes of memory per entry.
    public func forEach(_ body: (MappedEntry) throws -> Void) throws {
        var failure: (any Error)?
        do throws(MappedStoreError) {
            try forEachRecord { record, view throws(MappedStoreError) in
                guard let entry = self.entry(of: record, view) else { return }
                do { try body(entry) } catch {
                    failure = error
                    throw MappedStoreError(.cancelled, "the iteration over \(path) was cancelled")
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    // MARK: Records

    /// Calls `body` with the record of each key that has a value, in the order in which they were written. None of them changes during the iteration.
    func forEachRecord(
        _ body: (MappedRecord, MappedView) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        let scope = gate.enterScope()
        defer { gate.leaveScope(scope) }
        let (view, _, offsets) = try snapshot()
        for offset in offsets {
            guard let record = view.record(at: offset), !isExpired(record, view) else { continue }
            try body(record, view)
        }
        guard view.region.isIntact else { throw truncatedError }
    }

    /// Returns the offsets of the records of all keys that have a value, at one instant, in ascending order, and the totals of that instant.
    ///
    /// - Parameters:
    ///   - repairs: Whether to rebuild a damaged index from the records first.
    ///   - isWhole: Whether to include the records of removed keys, and offsets that no longer hold a record.
    func snapshot(
        repairs: Bool = true,
        isWhole: Bool = false
    ) throws(MappedStoreError) -> (view: MappedView, totals: SharedHeader.Totals, offsets: [Int]) {
        var result: (view: MappedView, totals: SharedHeader.Totals, offsets: [Int])?
        if options.readOnly {
            result = try reading { view throws(MappedStoreError) in
                for _ in 0..<4 {
                    let totals = view.totals
                    let offsets = offsets(in: view, isWhole: isWhole)
                    if view.privateTable != nil || (unsafe view.header.pendingEnd == 0 && view.totals == totals) {
                        return (view, totals, offsets)
                    }
                    Self.yield()
                }
                return try snapshotBesideWriters(view, isWhole: isWhole)
            }
        } else {
            try writing { view throws(MappedStoreError) in
                if repairs, try trustedTotals(view) == nil { return nil }
                let offsets = offsets(in: view, isWhole: isWhole)
                if repairs, !isWhole, offsets.count != view.totals.count {
                    // A damaged record was replaced.
                    try rebuild(view)
                    return nil
                }
                result = (view, view.totals, offsets)
                return Aftermath()
            }
        }
        guard var result else { throw closedError }
        result.offsets.sort()
        return result
    }

    /// Same as ``snapshot(repairs:isWhole:)`` while others write continuously, or one of them died in the middle of a change: takes the index as it is,
    /// and then what the records written since say. Returns `nil` if another view is needed.
    private func snapshotBesideWriters(
        _ view: MappedView,
        isWhole: Bool
    ) throws(MappedStoreError) -> (view: MappedView, totals: SharedHeader.Totals, offsets: [Int])? {
        let header = unsafe view.header
        if unsafe header.pendingEnd != 0 {
            // The index may lag behind by the change in progress, whose beginning is not known.
            let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
            var rebuild = MappedRebuild(view: view, size: size, isSameBoot: true)
            rebuild.run()
            let found = rebuild.privateView()
            return (found, found.totals, offsets(in: found, isWhole: isWhole))
        }
        let start = unsafe header.end
        var offsets = offsets(in: view, isWhole: true).filter { $0 < start }
        let end = unsafe header.end
        guard end <= view.length else { return nil }
        var newest: [String: Int] = [:]
        var offset = start
        while offset < end {
            guard let record = view.record(at: offset), record.end <= end else { throw damage(view) }
            if !record.isTable, let key = key(of: record, view) { newest[key] = offset }
            offset = record.end
        }
        if !newest.isEmpty {
            offsets.removeAll { view.record(at: $0).flatMap { key(of: $0, view) }.map { newest[$0] != nil } ?? false }
            offsets += newest.values
        }
        if !isWhole { offsets.removeAll { view.record(at: $0)?.isRemoved ?? true } }
        var totals = SharedHeader.Totals()
        for record in offsets.lazy.compactMap({ view.record(at: $0) }) where !record.isRemoved {
            totals.count += 1
            totals.liveBytes += record.size
        }
        totals.end = end
        totals.sequence = unsafe header.totals.sequence
        return (view, totals, offsets)
    }

    private func offsets(in view: MappedView, isWhole: Bool) -> [Int] {
        var offsets: [Int] = []
        offsets.reserveCapacity(view.totals.count)
        for position in 0..<(unsafe view.table.count) {
            let slot = unsafe view.table[position]
            guard slot != 0 else { continue }
            let offset = unsafe IndexTable.offset(of: slot)
            // If there is no record, one was damaged.
            if isWhole || view.record(at: offset).map({ !$0.isRemoved }) ?? false { offsets.append(offset) }
        }
        return offsets
    }

    /// Returns the key of an intact record.
    func key(of record: MappedRecord, _ view: MappedView) -> String? {
        guard view.isIntact(record) else { return nil }
        if record.isSealed { return MappedSealed.open(record, view).map { String(decoding: $0.key, as: UTF8.self) } }
        return unsafe String(decoding: record.key(in: view.base), as: UTF8.self)
    }

    /// Returns the entry of an intact record.
    func entry(of record: MappedRecord, _ view: MappedView) -> MappedEntry? {
        guard view.isIntact(record) else { return nil }
        let expires = unsafe record.expires ? Date(timeIntervalSince1970: Double(record.deadline(in: view.base)) / 1000) : nil
        if record.isSealed {
            guard let content = MappedSealed.open(record, view) else { return nil }
            return unsafe MappedEntry(
                key: String(decoding: content.key, as: UTF8.self),
                value: Self.variant(content.value.span.bytes, content.type),
                expires: expires
            )
        }
        return unsafe MappedEntry(
            key: String(decoding: record.key(in: view.base), as: UTF8.self),
            value: Self.variant(RawSpan(_unsafeBytes: record.value(in: view.base)), record.type),
            expires: expires
        )
    }

    /// A value that cannot be read as its type is kept as bytes of that type.
    private static func variant(_ bytes: RawSpan, _ type: MappedValueType) -> MappedVariant {
        do throws(MappedStoreError) { return try MappedVariant(stored: bytes, as: type) } catch {
            return .other(type, [UInt8](copying: bytes))
        }
    }
}
