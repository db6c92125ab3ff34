import CairnCore

/// Reads every record of a file, to rebuild the index from the intact ones.
@safe
struct MappedRebuild {
    private let view: MappedView
    private let size: Int
    private let isSameBoot: Bool
    /// The end of the last change that certainly happened; `nil` if the header cannot be trusted.
    private let trustedEnd: Int?
    /// The end of the range that may contain records.
    private let limit: Int
    /// The end of the records known to be on disk: a record before it that is not intact was damaged later.
    private let settledEnd: Int

    private let formerTable: IndexTable?

    private var offsets: [Int] = []
    private var group: [Int] = []
    /// Intact records of changes that did not happen, followed by others.
    private var dropped: [Int] = []
    private var end = MappedLayout.headerSize
    private var damagedRanges: [Range<Int>] = []
    private var unfinishedChanges = 0

    /// - Parameter size: the size of the file.
    init(view: MappedView, size: Int, isSameBoot: Bool) {
        self.view = view
        self.size = min(size, view.length)
        self.isSameBoot = isSameBoot
        let header = unsafe view.header
        let isBelievable = unsafe header.pendingEnd != 0 || header.isConsistent
        let end = unsafe header.end
        trustedEnd = isSameBoot && isBelievable && end >= MappedLayout.headerSize && end <= self.size ? end : nil
        limit = trustedEnd ?? self.size
        let index = unsafe header.index
        unsafe formerTable =
            index <= self.size - MappedLayout.recordHeaderSize && view.record(at: index).map { $0.end <= size } == true
            ? view.table(at: index) : nil
        settledEnd = unsafe isSameBoot ? limit : header.syncedEnd
    }

    /// A possible record, intact or not.
    private func record(at offset: Int) -> MappedRecord? {
        guard offset <= limit - MappedLayout.recordHeaderSize, let record = view.record(at: offset), record.end <= limit, record.isKnown
        else { return nil }
        return record
    }

    /// Whether there is an intact record at an offset.
    private func intactRecord(at offset: Int) -> MappedRecord? {
        guard let record = record(at: offset), view.isIntact(record) else { return nil }
        return record
    }

    /// Iterates over the records from the first on.
    mutating func run() {
        var offset = MappedLayout.headerSize
        // Searching for records byte by byte must not take forever, whatever the file contains.
        var budget = 64 * (size + 1)
        // Whether the next record may belong to a transaction that did not reach the disk entirely.
        var isFragment = false
        while offset < limit {
            if let record = intactRecord(at: offset) {
                isFragment = isFragment && record.isContinued
                if record.isTable {
                    // Or a record that an earlier recovery, possibly interrupted, marked to be skipped.
                } else if isFragment {
                    unfinishedChanges += 1
                    dropped.append(offset)
                } else {
                    group.append(offset)
                    if !record.continues { closeGroup() }
                }
                offset = record.end
                end = offset
                continue
            }
            guard let next = nextRecord(after: offset, &budget) else { break }
            damagedRanges.append(offset..<next)
            if offset < settledEnd {
                // Damage loses only what is damaged. If the key is intact, reading it is an error rather than an older value.
                if let record = record(at: offset), record.end == next, !record.isTable, isKeyIntact(record) { group.append(offset) }
                closeGroup()
                end = next
            } else {
                // It never reached the disk, so its transaction did not happen.
                unfinishedChanges += group.count
                dropped += group
                group = []
                isFragment = true
            }
            offset = next
        }
        if let first = group.first {
            unfinishedChanges += group.count
            end = first
        }
    }

    /// Whether the previous index lists a damaged record under the key that it has now.
    private func isKeyIntact(_ record: MappedRecord) -> Bool {
        unsafe formerTable?.leads(view.hash(of: record), to: record.offset) ?? false
    }

    private mutating func closeGroup() {
        offsets += group
        group = []
    }

    /// Whether the records may end at an offset.
    private func isBlank(_ offset: Int) -> Bool {
        offset > limit - MappedLayout.recordHeaderSize || (unsafe view.base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) == 0
    }

    /// Finds the next intact record after something that is not one, or the known end of the records; `nil` if neither is found. Unless only zeros
    /// follow, the rest then counts as damaged.
    private mutating func nextRecord(after offset: Int, _ budget: inout Int) -> Int? {
        // Usually the lengths are not damaged. If they are, there are intact records before the end that they indicate.
        var frame: Int?
        if let record = record(at: offset), record.end == trustedEnd || intactRecord(at: record.end) != nil { frame = record.end }
        let limit = frame ?? limit
        var next = offset
        while next <= limit - MappedLayout.alignment, unsafe view.base.load(fromByteOffset: next, as: UInt32.self) == 0 {
            next += MappedLayout.alignment
        }
        if next > limit - MappedLayout.alignment, frame == nil, trustedEnd == nil { return nil }
        if next == offset { next += MappedLayout.alignment }
        while next <= limit - MappedLayout.recordHeaderSize, budget > 0 {
            // Cheap checks first: random bytes pass for a record now and then, but hardly twice in a row.
            if let record = record(at: next), record.end == self.limit || self.record(at: record.end) != nil || isBlank(record.end) {
                budget -= record.isTable ? MappedLayout.recordHeaderSize : record.size
                if view.isIntact(record) { return next }
            }
            next += MappedLayout.alignment
        }
        if let end = frame ?? trustedEnd { return end }
        damagedRanges.append(offset..<limit)
        if offset < settledEnd { closeGroup() }
        return nil
    }

    /// Whether there are damaged records.
    var isDamaged: Bool { !damagedRanges.isEmpty }

    /// The mapping that the table may need.
    var reach: Int { unsafe end + IndexTable.size(at: end, slotCount: IndexTable.slotCount(for: offsets.count, isTight: false)) + 64 }

    func report(_ report: MappedOpenReport) -> MappedOpenReport {
        var report = report
        report.wasRebuilt = true
        report.damagedRanges = damagedRanges
        report.unfinishedChanges = unfinishedChanges
        return report
    }

    /// Returns the view with a table in memory: nothing is written.
    func privateView() -> MappedView {
        let memory = unsafe PrivateTable(slotCount: IndexTable.slotCount(for: offsets.count, isTight: true))
        let table = unsafe memory.table
        let filling = view.with(memory, SharedHeader.Totals())
        var totals = SharedHeader.Totals()
        for offset in offsets {
            let record = unsafe MappedRecord(at: offset, in: view.base)
            let hash = view.hash(of: record)
            // A record that cannot be decrypted is found by its hash.
            let key: [UInt8] = record.isSealed ? Array(MappedSealed.open(record, view)?.key ?? []) : unsafe Array(record.key(in: view.base))
            let found = unsafe key.withLentBytes { unsafe filling.find($0, hash: hash) }
            if let found, found.value != 0 {
                unsafe table[found.slot] = IndexTable.slot(hash: hash, offset: offset)
            } else {
                unsafe table.insert(hash: hash, offset: offset, totals: &totals)
            }
        }
        totals = SharedHeader.Totals()
        totals.end = end
        totals.sequence = unsafe max(view.header.totals.sequence, UInt64(offsets.count))
        for position in 0..<(unsafe table.count) where unsafe table[position] != 0 {
            unsafe totals.add(MappedRecord(at: IndexTable.offset(of: table[position]), in: view.base))
        }
        return view.with(memory, totals)
    }

    /// Writes a table to the file, after the last record, and the totals; zeroes what follows. This can be interrupted between any two steps, and is then
    /// repeated from the start, which must give the same result. Hence the order:
    ///
    /// 1. The end comes first, since what is zeroed or forgotten below must not count as damage in the next attempt.
    /// 2. The mark is set until the table is there: it causes that next attempt. Between 1 and 2, either the totals no longer match the end, which causes
    ///    it too, or nothing has changed yet.
    /// 3. What follows the end is zeroed: a record that was not found now must not be found later, when what precedes it may be different.
    /// 4. Records of changes that did not happen become fillers, before a table leads past them: readers and later recoveries then skip them without
    ///    having to know why.
    /// 5. The table comes last: its commit writes the totals and clears the mark.
    func writeTable(maximum: ByteCount?) throws(MappedStoreError) -> MappedView {
        let found = privateView()
        let header = unsafe view.header
        unsafe header.end = end
        unsafe header.pendingEnd = end
        view.clear(end..<size)
        for offset in dropped where offset < end { forget(offset) }
        unsafe header.capacity = size
        var totals = found.totals
        totals.end = end
        totals.sequence &+= 1
        let plan = unsafe try TablePlan(for: totals.count, from: found.table, in: view, totals, maximum: maximum)
        let written = try plan.apply(to: view, &totals)
        return unsafe view.with(indexOffset: written.offset, table: written.table)
    }

    /// Turns a record into one that is always skipped. It stays part of its transaction: if this recovery is interrupted, the next must still see
    /// that the records after it are fragments.
    private func forget(_ offset: Int) {
        guard let record = view.record(at: offset) else { return }
        let filler = MappedRecord(
            offset: offset,
            keyCount: 0,
            valueCount: record.size - MappedLayout.recordHeaderSize,
            flags: record.isContinued ? [.table, .continued] : .table,
            type: MappedValueType(rawValue: 0)
        )
        unsafe filler.write(to: view.base)
        unsafe filler.seal(in: view.base, seed: view.seed)
    }
}
