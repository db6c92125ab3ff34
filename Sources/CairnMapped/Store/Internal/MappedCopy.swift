import CairnCore

/// A file being written: the live records of another file, without the waste.
///
/// Until the file is renamed, no other process opens it, and a copy left unfinished is truncated by the next one. So records, table and totals need no
/// order among each other, and no mark: ``complete(sequence:isSynced:)`` writes the header once all of them are there. What matters is that completing,
/// and syncing where required, come before the rename: see `MappedStore.install`.
struct MappedCopy: ~Copyable {
    private let file: File
    private var view: MappedView
    private var totals = SharedHeader.Totals()
    private let maximum: ByteCount?
    /// The size that the file was initially given.
    private let expected: Int
    /// The end of the pages prepared so far.
    private var ready: Int

    /// Writes an empty store to `file`, which is empty.
    ///
    /// - Parameters:
    ///   - willGrow: Whether the file will be written to later.
    ///   - makeRoom: Called with the size of the file if the disk has no space for it, before the second attempt.
    init(
        _ file: File,
        presence: FileLock,
        identity: MappedIdentity,
        cipher: (any MappedCipherSession)?,
        keyCount: Int,
        size: Int,
        maximum: ByteCount?,
        willGrow: Bool,
        makeRoom: (Int) throws(MappedStoreError) -> Void = { _ in }
    ) throws(MappedStoreError) {
        let tableSize = unsafe IndexTable.size(
            at: MappedLayout.headerSize,
            slotCount: IndexTable.slotCount(for: keyCount, isTight: true)
        )
        let expected = (MappedLayout.headerSize + tableSize + size + 4095) & ~4095
        if let maximum, expected > Int(clamping: maximum.bytes) {
            throw MappedStoreError(
                .tooLarge,
                "\(file.path) would take \(ByteCount.bytes(Int64(expected))), more than its maximum size of \(maximum)"
            )
        }
        let spare = willGrow ? MappedLayout.spare(ofSize: expected) : 0
        let limit = maximum.map { Int(clamping: $0.bytes) } ?? .max
        do throws(FileError) { try file.reserve(Int64(min(limit, expected + spare))) } catch {
            guard error.code == .noSpace else { throw MappedStoreError(error) }
            try makeRoom(expected)
            try MappedStoreError.translating { () throws(FileError) in try file.reserve(Int64(expected)) }
        }
        let (region, fileIdentity) = try MappedStoreError.translating { () throws(FileError) in
            let region = try MappedRegion(window: file, count: MappedOpening.window(expected), isWritable: true)
            return (region, try file.status().identity)
        }
        let ready = min(expected, (MappedLayout.headerSize + tableSize + 4095) & ~4095)
        try? region.advise(.willWrite, 0..<ready)
        let index = unsafe MappedFile.lay(out: region.start, identity, keyCount: keyCount, isTight: true, capacity: expected)
        let bare = unsafe MappedView(
            region: region,
            reach: expected,
            file: file,
            fileIdentity: fileIdentity,
            presence: presence,
            identity: identity,
            cipher: cipher,
            isWritable: true,
            indexOffset: index,
            table: .none
        )
        guard let view = bare.withTable(at: index) else { throw MappedStoreError(.truncated, "\(file.path) was truncated") }
        try unsafe WritersLock.reset(view.header)
        self.file = file
        self.view = view
        self.maximum = maximum
        self.expected = expected
        self.ready = ready
        totals = unsafe view.header.totals
    }

    /// Prefetches the slot of a key if its hash is the same in both files, otherwise some other slot.
    func prefetchSlot(_ hash: UInt64) { view.prefetchSlot(hash) }

    /// Prefetches the record that the slot points to.
    func prefetchRecord(_ hash: UInt64) { view.prefetchRecord(hash) }

    /// Prefetches the slot for the key of the record at `offset` of another file.
    func expect(_ offset: Int, of source: MappedView) {
        guard let record = source.record(at: offset), !record.isSealed, !source.isEncrypted else { return }
        unsafe view.prefetchSlot(source.hash(record.key(in: source.base)))
    }

    /// Copies a record of another file, replacing an earlier one of its key, unless the caller knows that there is none. Returns `false` if the record is
    /// damaged along with its key, and was left out.
    @discardableResult
    mutating func add(_ record: MappedRecord, of source: MappedView, isNew: Bool = false) throws(MappedStoreError) -> Bool {
        let isIntact = source.isIntact(record)
        // Without its key, it cannot be found.
        if !isIntact, unsafe !source.table.leads(source.hash(of: record), to: record.offset) { return false }
        try copy(record, of: source, isIntact: isIntact, isNew: isNew)
        return true
    }

    private mutating func copy(
        _ record: MappedRecord,
        of source: MappedView,
        isIntact: Bool,
        isNew: Bool
    ) throws(MappedStoreError) {
        var flags = record.flags
        flags.subtract(.ofTransactions)
        let deadline = unsafe record.expires ? record.deadline(in: source.base) : nil
        if record.isSealed != view.isEncrypted || (record.isSealed && source.identity != view.identity) {
            flags.remove(.sealed)
            if record.isSealed {
                guard let content = MappedSealed.open(record, source) else { return try addDamage() }
                try add(Array(content.key), Array(content.value), content.type, flags, deadline, isNew: isNew)
            } else {
                // None of its bytes may get into an encrypted file, so a damaged record cannot be copied.
                guard isIntact else { return try addDamage() }
                unsafe try add(
                    Array(record.key(in: source.base)),
                    Array(record.value(in: source.base)),
                    record.type,
                    flags,
                    deadline,
                    isNew: isNew
                )
            }
        } else {
            unsafe try append(
                record.key(in: source.base),
                record.value(in: source.base),
                record.type,
                flags,
                deadline,
                isIntact: isIntact,
                isNew: isNew
            )
        }
    }

    /// Adds a record, encrypted if this file is.
    private mutating func add(
        _ key: [UInt8],
        _ value: [UInt8],
        _ type: MappedValueType,
        _ flags: MappedRecord.Flags,
        _ deadline: Int64?,
        isNew: Bool
    ) throws(MappedStoreError) {
        var (key, value, type, flags) = (key, value, type, flags)
        if let cipher = view.cipher {
            flags.insert(.sealed)
            let hash = unsafe key.withLentBytes { unsafe view.hash($0) }
            value = unsafe try key.withLentBytes { key throws(MappedStoreError) in
                unsafe try MappedSealed.seal(
                    key: key,
                    type: type,
                    value: value.span.bytes,
                    hash: hash,
                    flags: flags,
                    deadline: deadline,
                    by: cipher
                )
            }
            key = []
            type = MappedValueType(rawValue: 0)
        }
        try unsafe key.withLentBytes { key throws(MappedStoreError) in
            unsafe try value.withLentBytes { value throws(MappedStoreError) in
                unsafe try append(key, value, type, flags, deadline, isIntact: true, isNew: isNew)
            }
        }
    }

    /// Adds a placeholder without a key for a record that cannot be read, and so cannot be encrypted or decrypted: verifying keeps reporting it.
    mutating func addDamage() throws(MappedStoreError) {
        let noise = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let isSealed = view.cipher != nil
        // No text begins with this byte.
        let key = isSealed ? [] : [0xFF] + noise
        let value = isSealed ? noise : []
        try unsafe key.withLentBytes { key throws(MappedStoreError) in
            unsafe try value.withLentBytes { value throws(MappedStoreError) in
                unsafe try append(key, value, MappedValueType(rawValue: 0), isSealed ? .sealed : [], nil, isIntact: false, isNew: true)
            }
        }
    }

    private mutating func append(
        _ key: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer,
        _ type: MappedValueType,
        _ flags: MappedRecord.Flags,
        _ deadline: Int64?,
        isIntact: Bool,
        isNew: Bool
    ) throws(MappedStoreError) {
        var record = MappedRecord(
            offset: totals.end,
            keyCount: key.count,
            valueCount: value.count,
            flags: flags,
            type: type
        )
        try makeRoom(record.end)
        let base = unsafe view.base
        unsafe record.write(to: base)
        if let deadline {
            unsafe (base + record.offset + MappedLayout.recordHeaderSize).storeBytes(of: deadline, as: Int64.self)
        }
        if let key = key.baseAddress { unsafe (base + record.keyOffset).copyMemory(from: key, byteCount: record.keyCount) }
        if let value = value.baseAddress { unsafe (base + record.valueOffset).copyMemory(from: value, byteCount: record.valueCount) }
        unsafe record.seal(in: base, seed: view.seed)
        record = unsafe MappedRecord(at: record.offset, in: base)
        // A damaged record stays damaged: reading it is an error until its key is set again.
        if !isIntact { unsafe (base + record.offset).storeBytes(of: ~record.checksum, as: UInt32.self) }
        totals.end = record.end

        let hash = view.hash(of: record)
        if unsafe view.table.isFull(totals.usedSlots + 1) { try growTable() }
        let position = isNew ? nil : find(record, hash: hash)
        if let position, position.value != 0, let old = position.record {
            let slot = unsafe IndexTable.slot(hash: hash, offset: record.offset)
            unsafe totals.indexSum &+= IndexTable.sum(slot, at: position.slot) &- IndexTable.sum(position.value, at: position.slot)
            totals.subtract(old)
            unsafe view.table[position.slot] = slot
        } else {
            unsafe view.table.insert(hash: hash, offset: record.offset, totals: &totals)
        }
        totals.add(record)
    }

    /// Finds the slot for the key of a record that was written but is not in the table yet.
    private func find(_ record: MappedRecord, hash: UInt64) -> MappedView.Position? {
        guard record.isSealed else { return unsafe view.find(record.key(in: view.base), hash: hash) }
        return unsafe MappedSealed.open(record, view).map { Array($0.key) }?.withLentBytes { unsafe view.find($0, hash: hash) }
    }

    private mutating func growTable() throws(MappedStoreError) {
        let slotCount = unsafe IndexTable.slotCount(for: totals.usedSlots + 1, isTight: false)
        unsafe try makeRoom(totals.end + IndexTable.size(at: totals.end, slotCount: slotCount) + 64)
        let plan = unsafe try TablePlan(for: totals.usedSlots + 1, from: view.table, in: view, totals, maximum: maximum)
        let written = try plan.apply(to: view, &totals)
        view = unsafe view.with(indexOffset: written.offset, table: written.table)
    }

    private mutating func makeRoom(_ end: Int) throws(MappedStoreError) {
        if end + 8 > view.length {
            let region = try MappedStoreError.translating { () throws(FileError) in
                try MappedRegion(window: file, count: MappedOpening.window(end + 8), isWritable: true)
            }
            let index = view.indexOffset
            guard let wide = unsafe view.with(region: region, indexOffset: index, table: .none).withTable(at: index) else {
                throw MappedStoreError(.truncated, "\(file.path) was truncated")
            }
            view = wide
        }
        try view.reserve(end + 8, maximum: maximum)
        // Space reserved beyond the expected size is ready.
        if end > ready, ready < expected {
            let next = min(expected, (max(end, ready + 1 << 20) + 4095) & ~4095)
            try? view.region.advise(.willWrite, ready..<next)
            ready = next
        }
    }

    /// Completes the header, as for a store with `sequence` changes so far. If `isSynced`, the header says that everything is on disk:
    /// ``synchronize()`` must follow before the file is read.
    mutating func complete(sequence: UInt64, isSynced: Bool = false) throws(MappedStoreError) -> MappedView {
        let header = unsafe view.header
        if isSynced { unsafe header.syncedSequence = sequence }
        totals.sequence = sequence
        unsafe header.totals = totals
        unsafe header.index = view.indexOffset
        unsafe header.tailStart = totals.end
        unsafe header.tailSequence = sequence
        guard view.isIntact else { throw MappedStoreError(.truncated, "\(file.path) was truncated") }
        return view
    }

    /// Waits until the disk confirms what was copied so far.
    ///
    /// The header says so before it is true, which spares a second sync of it: it is read only after the rename, which follows a successful sync.
    func synchronize() throws(MappedStoreError) {
        try MappedStoreError.translating { () throws(FileError) in
            unsafe view.header.syncedEnd = totals.end
            try view.region.synchronize(0..<totals.end)
            try file.synchronize()
        }
    }
}
