import CairnCore

extension SharedHeader.Totals {
    /// Adds to the totals a record that a key now points to.
    @inline(__always)
    mutating func add(_ record: MappedRecord) {
        guard !record.isRemoved else { return }
        count &+= 1
        liveBytes &+= record.size
        if record.expires { expiring &+= 1 }
    }

    /// Subtracts a replaced record from the totals.
    @inline(__always)
    mutating func subtract(_ record: MappedRecord) {
        guard !record.isRemoved else { return }
        count &-= 1
        liveBytes &-= record.size
        if record.expires { expiring &-= 1 }
    }
}

extension MappedView {
    /// Extends the file to at least `end`, with disk space for it. The mapping must reach that far.
    func reserve(_ end: Int, maximum: ByteCount?) throws(MappedStoreError) {
        let header = unsafe header
        guard unsafe end > header.capacity else { return }
        let limit = min(length, maximum.map { Int(clamping: $0.bytes) } ?? .max)
        guard end <= limit else {
            throw MappedStoreError(
                .limitExceeded,
                "\(file.path) would outgrow the \(limit) bytes that it may have; remove something, or compact it"
            )
        }
        // In larger steps, so that not every change makes a system call.
        let generous = min(limit, (end + min(max(end / 4, 256 << 10), 1 << 20) + 4095) & ~4095)
        do throws(FileError) {
            try file.reserve(Int64(generous))
            // Touching a page for the first time costs as much as ten changes; many at once, a third of that each.
            try? region.advise(.willWrite, (unsafe header.capacity)..<generous)
            unsafe header.capacity = generous
        } catch {
            guard error.code == .noSpace else { throw MappedStoreError(error) }
            try MappedStoreError.translating { () throws(FileError) in try file.reserve(Int64(end)) }
            unsafe header.capacity = end
        }
    }

    /// Zeroes what follows the last record: no record may be found there later that is not one now.
    func clear(_ range: Range<Int>) { unsafe (base + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count) }

    /// Writes a table for `keyCount` keys after the last record, filled with the entries of `old`. Updates `totals` to the new table. The caller
    /// changes the header, and must have marked a change as in progress before.
    func appendTable(
        for keyCount: Int,
        from old: IndexTable,
        _ totals: inout SharedHeader.Totals,
        maximum: ByteCount?
    ) throws(MappedStoreError) -> (offset: Int, table: IndexTable) {
        let offset = totals.end
        var slotCount = unsafe IndexTable.slotCount(for: keyCount, isTight: false)
        if unsafe offset + IndexTable.size(at: offset, slotCount: slotCount) > length {
            slotCount = unsafe IndexTable.slotCount(for: keyCount, isTight: true)
        }
        unsafe try reserve(offset + IndexTable.size(at: offset, slotCount: slotCount) + 8, maximum: maximum)
        totals.end = unsafe offset + MappedFile.writeTable(at: offset, slotCount: slotCount, base, seed)
        guard let table = unsafe table(at: offset) else {
            throw MappedStoreError(.truncated, "\(file.path) was cut short while it was open")
        }
        totals.indexSum = 0
        totals.usedSlots = 0
        for position in 0..<(unsafe old.count) where totals.usedSlots < slotCount - 1 {
            let slot = unsafe old[position]
            guard slot != 0, let record = unsafe record(at: IndexTable.offset(of: slot)), !record.isRemoved else { continue }
            unsafe table.insert(hash: hash(of: record), offset: record.offset, totals: &totals)
        }
        return unsafe (offset, table)
    }
}
