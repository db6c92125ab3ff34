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

/// What ``MappedStore/forEachIntact(_:)`` left out because it is damaged.
public struct MappedOmissions: Hashable, Sendable {
    /// Keys whose value is damaged, where the key can be read. Setting or removing the key repairs it.
    public internal(set) var damagedKeys: [String] = []
    /// The number of entries whose key cannot be read. A backup leaves them out, so restoring it removes them.
    public internal(set) var unreadableCount = 0

    /// Whether nothing was left out.
    public var isEmpty: Bool { damagedKeys.isEmpty && unreadableCount == 0 }

    mutating func add(_ entry: DamagedEntry) {
        switch entry {
        case .value(of: let key): damagedKeys.append(key)
        case .unreadable: unreadableCount += 1
        case .unlisted(let count): unreadableCount += count
        }
    }
}

extension MappedStore {
    /// The number of keys with a value that has not expired.
    ///
    /// Damaged values count as values.
    ///
    /// - Throws: ``MappedStoreError``: `truncated`, `ioError`, `closed`; `busy` as for ``keys()``, if there are values that expire.
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

    /// Returns all keys, in the order in which their values were set, oldest first. Within a transaction, it sees none of the transaction's changes.
    ///
    /// - Throws: ``MappedStoreError``: `corruption` if a value or a key is damaged, or the index of a store opened for reading only; `truncated`,
    ///   `ioError`, `closed`; `busy` if the index has to be repaired, or a change ends, while others change the store for longer than
    ///   ``MappedStoreOptions/busyTimeout``. ``forEachIntact(_:)`` skips what is damaged.
    /// - Complexity: O(n log n), and reads every value to compare it with its checksum.
    public func keys() throws(MappedStoreError) -> [String] { try keys(withPrefix: "") }

    /// Returns the keys that begin with `prefix`, in the order in which their values were set, oldest first. Keys are compared by their UTF-8 bytes.
    ///
    /// - Throws: Same as ``keys()``.
    /// - Complexity: Same as ``keys()``: the index is not sorted, so the whole store is read.
    public func keys(withPrefix prefix: String) throws(MappedStoreError) -> [String] {
        var keys: [String] = []
        try forEachListed { record, view in
            if excludes(record, prefix, view) { return true }
            guard let key = keyOfIntact(record, view) else { return false }
            if key.utf8.starts(with: prefix.utf8) { keys.append(key) }
            return true
        }
        return keys
    }

    /// Returns all entries as of one instant, in the order in which they were set, oldest first.
    ///
    /// - Throws: Same as ``keys()``.
    /// - Complexity: O(n log n), and copies the values; ``forEach(_:)`` keeps only one at a time in memory.
    public func entries() throws(MappedStoreError) -> [MappedEntry] { try entries(withPrefix: "") }

    /// Returns the entries whose key begins with `prefix`, as of one instant, in the order in which they were set, oldest first. Keys are compared by
    /// their UTF-8 bytes.
    ///
    /// - Throws: Same as ``keys()``.
    /// - Complexity: Same as ``keys()``, and copies the values returned.
    public func entries(withPrefix prefix: String) throws(MappedStoreError) -> [MappedEntry] {
        var entries: [MappedEntry] = []
        try forEachListed { record, view in
            if excludes(record, prefix, view) { return true }
            guard let entry = entryOfIntact(record, view) else { return false }
            if entry.key.utf8.starts(with: prefix.utf8) { entries.append(entry) }
            return true
        }
        return entries
    }

    /// Whether the key of a record is known not to begin with `prefix`: those of encrypted ones are not known yet.
    private func excludes(_ record: MappedRecord, _ prefix: String, _ view: MappedView) -> Bool {
        unsafe !record.isSealed && !record.key(in: view.base).starts(with: prefix.utf8)
    }

    /// Calls `body` with each entry that ``entries()`` would return, one at a time. Values set during the iteration are not included. `body` may change the
    /// store, but not close it.
    ///
    /// - Throws: What `body` throws, which ends the iteration; the errors of ``keys()``, after `body` was called with the entries before the damaged one.
    /// - Complexity: O(n log n); 8 bytes of memory per entry.
    public func forEach(_ body: (MappedEntry) throws -> Void) throws { try forEachEntry(damaged: nil, body) }

    /// Same as ``forEach(_:)``, but skips entries that are damaged, and returns what it skipped.
    ///
    /// ```swift
    /// var entries: [MappedEntry] = []
    /// let omissions = try store.forEachIntact { entries.append($0) }
    /// if !omissions.isEmpty { print("damaged:", omissions.damagedKeys, "and", omissions.unreadableCount, "more") }
    /// ```
    ///
    /// Entries that were already lost when the store was opened are not among the omissions: see ``openReport``.
    ///
    /// - Throws: What `body` throws, which ends the iteration; the errors of ``count``.
    /// - Complexity: O(n log n); 8 bytes of memory per entry.
    public func forEachIntact(_ body: (MappedEntry) throws -> Void) throws -> MappedOmissions {
        var omissions = MappedOmissions()
        try forEachEntry(damaged: { omissions.add($0) }, body)
        return omissions
    }

    /// Returns the intact entries at once, and what was left out.
    package func intactEntries() throws(MappedStoreError) -> (entries: [MappedEntry], omissions: MappedOmissions) {
        var omissions = MappedOmissions()
        var entries: [MappedEntry] = []
        try forEachListed(damaged: { omissions.add($0) }) { record, view in
            guard let entry = entryOfIntact(record, view) else { return false }
            entries.append(entry)
            return true
        }
        return (entries, omissions)
    }

    private func forEachEntry(damaged: ((DamagedEntry) -> Void)?, _ body: (MappedEntry) throws -> Void) throws {
        var failure: (any Error)?
        do throws(MappedStoreError) {
            try forEachListed(damaged: damaged) { record, view throws(MappedStoreError) in
                guard let entry = entryOfIntact(record, view) else { return false }
                do { try body(entry) } catch {
                    failure = error
                    throw MappedStoreError(.cancelled, "the iteration over \(path) was cancelled")
                }
                return true
            }
        } catch {
            throw failure ?? error
        }
    }
}
