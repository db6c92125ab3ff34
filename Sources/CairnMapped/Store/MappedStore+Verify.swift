public import CairnCore

/// What ``MappedStore/verify(progress:)`` found.
public struct MappedVerification: Hashable, Sendable {
    /// Keys with a value that is whole, expired ones included.
    public internal(set) var intactCount = 0
    /// Keys whose value is damaged, as far as they can be read. Setting or removing a key mends it.
    public internal(set) var damagedKeys: [String] = []
    /// Keys that are damaged themselves, so that nobody can tell which they were.
    public internal(set) var unreadableCount = 0
    /// Whether the totals in the header and the checksum over the index are right.
    public internal(set) var indexIsIntact = true

    /// Whether everything is as it should be.
    public var isIntact: Bool { damagedKeys.isEmpty && unreadableCount == 0 && indexIsIntact }
}

extension MappedStore {
    /// Reads every value and checks it, and the index. Nothing is changed, and nobody has to wait but for a look at the index.
    ///
    /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
    /// - Throws: ``MappedStoreError``: `truncated`, `ioError`, `closed`. Damage is no error but part of the result.
    /// - Complexity: O(n).
    public func verify(progress: (_ part: Double) -> Void = { _ in }) throws(MappedStoreError) -> MappedVerification {
        try verifying { part throws(MappedStoreError) in progress(part) }
    }

    /// As ``verify(progress:)``, on a thread outside of those that tasks share; ends early when the task is cancelled.
    ///
    /// - Throws: As ``verify(progress:)``, and `cancelled`.
    public func verifyInBackground(
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) -> MappedVerification {
        try await offPool("verify", progress) { step throws(MappedStoreError) in try self.verifying(step) }
    }

    func verifying(_ step: (Double) throws(MappedStoreError) -> Void) throws(MappedStoreError) -> MappedVerification {
        var result = MappedVerification()
        let scope = gate.enterScope()
        defer { gate.leaveScope(scope) }
        let (view, totals, offsets) = try snapshot(mends: false, isWhole: true)
        var count = 0
        for (index, offset) in offsets.enumerated() {
            if index % 1024 == 0 { try step(Double(index) / Double(offsets.count)) }
            guard let record = view.record(at: offset) else {
                result.unreadableCount += 1
                continue
            }
            count += record.isRemoved ? 0 : 1
            if view.isIntact(record), !record.isSealed || MappedSealed.open(record, view) != nil {
                result.intactCount += record.isRemoved ? 0 : 1
            } else if !record.isSealed, let key = unsafe String(validating: record.key(in: view.base), as: UTF8.self),
                isFound(key, offset, view)
            {
                result.damagedKeys.append(key)
            } else {
                result.unreadableCount += 1
            }
        }
        result.indexIsIntact = try isIndexIntact(count: count, totals)
        guard view.region.isIntact else { throw truncatedError }
        try step(1)
        return result
    }

    /// Whether the totals belong together, and to the index.
    private func isIndexIntact(count: Int, _ totals: SharedHeader.Totals) throws(MappedStoreError) -> Bool {
        guard !options.readOnly else { return try reading { $0.privateTable != nil } || totals.count == count }
        var isIntact = false
        try writing { view in
            isIntact = unsafe view.header.isConsistent && view.indexSum == view.header.totals.indexSum
            return Aftermath()
        }
        return isIntact && totals.count == count
    }

    /// Whether looking a key up leads to the record at `offset`.
    private func isFound(_ key: String, _ offset: Int, _ view: MappedView) -> Bool {
        unsafe key.withLentBytes { unsafe view.find($0, hash: view.hash($0))?.record?.offset == offset }
    }

    /// The bytes that the file takes, reserved space included.
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

    /// The bytes of what is live: header, index and the records that keys lead to. The rest of ``fileSize`` is waste, which ``compact(progress:)`` gives
    /// back, and room to grow.
    ///
    /// - Throws: As ``fileSize``.
    /// - Complexity: O(1).
    public var liveSize: ByteCount {
        get throws(MappedStoreError) {
            try reading { view in
                .bytes(Int64(MappedLayout.headerSize + view.totals.liveBytes + (unsafe Int(view.table.count)) * 8))
            }
        }
    }
}
