public import CairnCore

/// What ``MappedStore/verify(progress:)`` found.
public struct MappedVerification: Hashable, Sendable {
    /// The number of keys with an intact value, including expired ones.
    public internal(set) var intactCount = 0
    /// Keys whose value is damaged, where the key can be read. Setting or removing the key repairs it.
    public internal(set) var damagedKeys: [String] = []
    /// The number of keys that cannot be identified, because they are damaged themselves.
    public internal(set) var unreadableCount = 0
    /// The bytes missing at the end of the file if it was truncated: from its actual end to where, according to its header, the records
    /// end; `nil` if none are missing. For a store opened for writing, only ``MappedOpenReport/missingRange`` reports them, because opening
    /// it kept only the records that were left.
    public internal(set) var missingRange: Range<Int>?
    /// Whether the totals in the header and the checksum of the index are correct.
    public internal(set) var indexIsIntact = true

    /// Whether nothing is damaged or missing.
    public var isIntact: Bool { damagedKeys.isEmpty && unreadableCount == 0 && indexIsIntact && missingRange == nil }
}

extension MappedStore {
    /// Reads and checks every value and the index. Changes nothing. Writers wait only while the index is scanned.
    /// Within a transaction, it sees none of the transaction's changes.
    ///
    /// - Parameter progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `truncated`, `ioError`, `closed`; `replaced` if the file was removed or replaced by another; `busy` as for
    ///   ``MappedStore/keys()``. Damage is not an error but part of the result.
    /// - Complexity: O(n).
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) -> MappedVerification {
        try verifying { part throws(MappedStoreError) in progress(part) }
    }

    /// Same as ``verify(progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``verify(progress:)``, and `cancelled`.
    public func verifyInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) -> MappedVerification {
        try await offPool("verify", progress) { step throws(MappedStoreError) in try self.verifying(step) }
    }

    func verifying(_ step: (Double) throws(MappedStoreError) -> Void) throws(MappedStoreError) -> MappedVerification {
        var result = MappedVerification()
        let scope = gate.enter(isScope: true)
        defer { gate.leave(scope, isScope: true) }
        let snapshot = try snapshot(repairs: false, isWhole: true)
        let (view, offsets) = (snapshot.view, snapshot.offsets)
        let damaged = DamagedRecords(view)
        // Whether superseded records are counted in the totals is unknown: their flags may be damaged.
        var (count, superseded) = (0, 0)
        for (index, offset) in offsets.enumerated() {
            if index % 1024 == 0 { try step(Double(index) / Double(offsets.count)) }
            let record = view.record(at: offset)
            let isLive = record.map { !$0.isRemoved } ?? false
            if let record, view.isIntact(record), !record.isSealed || MappedSealed.open(record, view) != nil {
                if isLive { result.intactCount += 1 }
            } else if damaged.isSuperseded(offset) {
                superseded += 1
                continue
            } else if let key = damagedKey(offset, view) {
                result.damagedKeys.append(key)
            } else {
                result.unreadableCount += 1
            }
            if isLive { count += 1 }
        }
        result.indexIsIntact = isIndexIntact(counts: count...count + superseded, snapshot)
        result.missingRange = try view.missingRange()
        guard view.isIntact else { throw truncatedError }
        try requirePlace(view)
        try step(1)
        return result
    }

    /// Whether the totals match each other and the index, which leads to `counts` values.
    private func isIndexIntact(counts: ClosedRange<Int>, _ snapshot: Snapshot) -> Bool {
        // One that a reader has built in memory is.
        snapshot.view.privateTable != nil || snapshot.isIndexIntact && counts.contains(snapshot.totals.count)
    }

    /// The size of the file, including reserved space.
    ///
    /// - Throws: ``MappedStoreError``: `truncated`, `ioError`, `closed`.
    /// - Complexity: A system call.
    public var fileSize: ByteCount {
        get throws(MappedStoreError) {
            try reading { view throws(MappedStoreError) in
                try MappedStoreError.translating { () throws(FileError) in .bytes(try view.file.status().size) }
            }
        }
    }

    /// The size of the live data: header, index and the current records of keys. The rest of ``fileSize`` is waste, which ``compact(progress:)``
    /// reclaims, and room to grow.
    ///
    /// - Throws: Same as ``fileSize``.
    /// - Complexity: O(1).
    public var liveSize: ByteCount {
        get throws(MappedStoreError) {
            try reading { view in
                .bytes(Int64(MappedLayout.headerSize + view.totals.liveBytes + (unsafe Int(view.table.count)) * 8))
            }
        }
    }
}
