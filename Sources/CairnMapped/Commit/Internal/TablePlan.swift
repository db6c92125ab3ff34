import CairnCore

/// The plan of an index table that takes the place of another. The table is a record; the header leads to it.
@safe
struct TablePlan {
    let size: Int
    private let slotCount: Int
    private let old: IndexTable

    /// A table in the file.
    @safe
    struct Written {
        let offset: Int
        let table: IndexTable
        /// What the table contributes to the totals.
        var filled = SharedHeader.Totals()
    }

    /// Plans a table for `keyCount` keys after the last record, with the entries of `old`, and reserves disk space for it.
    init(
        for keyCount: Int,
        from old: IndexTable,
        in view: MappedView,
        _ totals: SharedHeader.Totals,
        maximum: ByteCount?
    ) throws(MappedStoreError) {
        unsafe self.old = unsafe old
        func size(_ slotCount: Int) -> Int { unsafe IndexTable.size(at: totals.end, slotCount: slotCount) }
        let wanted = unsafe IndexTable.slotCount(for: keyCount, isTight: false)
        let isTight = totals.end + size(wanted) > view.length
        slotCount = isTight ? unsafe IndexTable.slotCount(for: keyCount, isTight: true) : wanted
        self.size = size(slotCount)
        try view.reserve(totals.end + self.size + 8, maximum: maximum)
    }

    /// With the writers' lock: carries out the plan. `totals` are those of the header, and are updated.
    func apply(to view: MappedView, _ totals: inout SharedHeader.Totals) throws(MappedStoreError) -> Written {
        try MappedCommit(view, size: size).apply(&totals) { start throws(MappedStoreError) in
            try write(to: view, at: start)
        } publish: {
            publish($0, in: view, &$1)
        }
    }

    /// Leads readers to the table.
    func publish(_ written: Written, in view: MappedView, _ totals: inout SharedHeader.Totals) {
        totals.indexSum = written.filled.indexSum
        totals.usedSlots = written.filled.usedSlots
        unsafe view.header.index = written.offset
    }

    /// Fills the table before anything leads to it.
    func write(to view: MappedView, at start: Int) throws(MappedStoreError) -> Written {
        _ = unsafe MappedFile.writeTable(at: start, slotCount: slotCount, view.base, view.seed)
        guard let table = unsafe view.table(at: start) else {
            throw MappedStoreError(.truncated, "\(view.file.path) was truncated while it was open")
        }
        var written = unsafe Written(offset: start, table: table)
        for position in 0..<(unsafe old.count) where written.filled.usedSlots < slotCount - 1 {
            let slot = unsafe old[position]
            guard slot != 0, let record = unsafe view.record(at: IndexTable.offset(of: slot)), !record.isRemoved || !view.isIntact(record)
            else { continue }
            unsafe table.insert(hash: view.hash(of: record), offset: record.offset, totals: &written.filled)
        }
        return written
    }
}
