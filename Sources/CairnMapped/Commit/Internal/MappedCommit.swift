import CairnCore

/// The one way in which a file changes: a plan says what is written after the last record, and what then leads to it; ``apply(_:write:publish:)``
/// carries it out.
///
/// There are three plans: ``RecordPlan`` for one change, ``TransactionPlan`` for several changes and for encrypted ones, ``TablePlan`` for a larger
/// index.
struct MappedCommit {
    let view: MappedView
    /// The number of bytes that the records take. Disk space for them is reserved.
    let size: Int

    @inline(__always)
    init(_ view: MappedView, size: Int) {
        self.view = view
        self.size = size
    }

    /// With the writers' lock: carries out a plan.
    ///
    /// All stores go to memory that processes share and that survives them. A process can be killed between any two of them, and the next process must
    /// then see all of the commit or nothing. Hence their order:
    ///
    /// 1. The mark, *pending end*, comes first: as long as it is set, slots and totals may disagree with the records. A process that gets the lock of a
    ///    dead writer, or opens the file, then rebuilds the index from the records up to the *end*, and zeroes what follows.
    /// 2. The records come before the end, since everything before the end counts as written: recovery and listeners read up to there. Each
    ///    record's checksum is written last, so that after a power loss a part of a record does not pass for one.
    /// 3. Moving the end is one store of one word, and the instant at which the commit happens. A kill before it leaves nothing, a kill after it
    ///    everything: the rest can be derived from the records.
    /// 4. The slots come after the end. Otherwise a reader could see a value which recovery then takes back.
    /// 5. The totals describe the records and the slots, so they follow both. Their sum shows whether they belong together.
    /// 6. The mark is cleared last: from here on, slots and totals are trusted.
    ///
    /// If writing throws, the mark stays, and the next writer rebuilds the index.
    /// Closures rather than a protocol that plans conform to: calls of requirements were not inlined, which made a short set 10 % slower.
    ///
    /// - Parameters:
    ///   - totals: those of the header, which are updated.
    ///   - write: writes the records from the given offset on, where no reader looks yet.
    ///   - publish: points the index at what was written, and counts it in the totals.
    @discardableResult
    @inline(__always)
    func apply<Written>(
        _ totals: inout SharedHeader.Totals,
        write: (Int) throws(MappedStoreError) -> Written,
        publish: (Written, inout SharedHeader.Totals) -> Void
    ) throws(MappedStoreError) -> Written {
        let header = unsafe view.header
        let start = totals.end
        let end = start &+ size
        unsafe header.pendingEnd = end
        let written = try write(start)
        totals.end = end
        unsafe header.end = end
        publish(written, &totals)
        unsafe header.totals = totals
        unsafe header.pendingEnd = 0
        return written
    }
}

extension MappedView {
    /// Writes a record into reserved space, its checksum last.
    @inline(__always)
    func write(_ change: Change, at offset: Int) throws(MappedStoreError) -> MappedRecord {
        let record = unsafe MappedRecord(
            offset: offset,
            keyCount: change.key.count,
            valueCount: change.value.count,
            flags: change.flags,
            type: change.type
        )
        unsafe record.write(to: base)
        if let deadline = change.deadline {
            unsafe (base + offset + MappedLayout.recordHeaderSize).storeBytes(of: deadline, as: Int64.self)
        }
        unsafe Self.copy(change.key, to: base + record.keyOffset)
        if unsafe change.value.count < Self.writtenSize {
            unsafe Self.copy(change.value, to: base + record.valueOffset)
        } else {
            try unsafe writeToFile(change.value, at: record.valueOffset)
        }
        unsafe record.seal(in: base, seed: seed)
        return record
    }

    /// The size from which on a value is written with a system call: in a mapping, the first change to each page costs more than copying it.
    static var writtenSize: Int { 32 << 10 }

    @inline(never)
    private func writeToFile(_ value: UnsafeRawBufferPointer, at offset: Int) throws(MappedStoreError) {
        try MappedStoreError.translating { () throws(FileError) in
            try unsafe file.write(RawSpan(_unsafeBytes: value), at: Int64(offset))
        }
    }

    /// Copies a few bytes without a call, as two words that may overlap.
    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        let count = bytes.count
        guard let start = bytes.baseAddress, count > 0 else { return }
        if count >= 8, count <= 16 {
            unsafe target.storeBytes(of: start.loadUnaligned(as: UInt64.self), as: UInt64.self)
            unsafe (target + (count &- 8)).storeBytes(of: (start + (count &- 8)).loadUnaligned(as: UInt64.self), as: UInt64.self)
        } else {
            unsafe target.copyMemory(from: start, byteCount: count)
        }
    }

    /// Points a key's slot, which held `old`, at its new record.
    @inline(__always)
    func publish(
        _ record: MappedRecord,
        hash: UInt64,
        slot position: UInt64,
        value old: UInt64,
        _ totals: inout SharedHeader.Totals
    ) {
        let new = unsafe IndexTable.slot(hash: hash, offset: record.offset)
        if old == 0 {
            totals.usedSlots &+= 1
        } else {
            unsafe totals.indexSum &-= IndexTable.sum(old, at: position)
            if let replaced = unsafe self.record(at: IndexTable.offset(of: old)) { totals.subtract(replaced) }
        }
        unsafe totals.indexSum &+= IndexTable.sum(new, at: position)
        totals.add(record)
        totals.sequence &+= 1
        unsafe table[position] = new
    }
}
