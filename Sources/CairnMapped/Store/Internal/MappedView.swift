import CCairn
import CairnCore
import Synchronization

/// A mapped file and the index to look up keys. Neither ever changes: if the file is replaced, outgrows the mapping or gets another index, there is
/// another view.
///
/// Readers hold no reference: ``ReaderGate`` keeps the view while they use it.
@safe
final class MappedView: Sendable {
    /// The mapping, with the file and the lock that marks it as in use.
    let region: MappedRegion
    let file: File
    /// What distinguishes the file from another at the same path.
    let fileIdentity: FileStatus.Identity
    let identity: MappedIdentity
    let cipher: (any MappedCipherSession)?
    /// Whether there is a cipher: checking for the cipher itself costs more.
    let isEncrypted: Bool
    /// The record of the index table in the file; meaningless for a table in memory.
    let indexOffset: Int
    let isWritable: Bool
    /// Mixed into checksums, and into the hashes of an unencrypted store.
    let seed: UInt64
    let length: Int
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
    nonisolated(unsafe) let table: IndexTable
    /// The table in memory and its totals, if the file's own could not be used and may not be repaired.
    let privateTable: PrivateTable?
    let privateTotals: SharedHeader.Totals?
    /// The file's own sequence and index at that time: once the file has changed, it is examined again.
    private let origin: (sequence: UInt64, index: Int)
    /// The state of the file in which this view may be used.
    let state: UInt64
    let presence: FileLock
    /// What a look-up needs; leads nowhere if the store is encrypted, has a table in memory, or its file is being replaced.
    nonisolated(unsafe) let index: UnsafePointer<cairn_index>
    /// The known extent of the file: where a damaged length leads beyond it, nothing may be accessed.
    nonisolated(unsafe) private let reach: UnsafeMutablePointer<Atomic<Int>>

    /// - Parameter reach: the number of bytes of the mapping that the file has.
    init(
        region: MappedRegion,
        reach: Int,
        file: File,
        fileIdentity: FileStatus.Identity,
        presence: FileLock,
        identity: MappedIdentity,
        cipher: (any MappedCipherSession)?,
        isWritable: Bool,
        indexOffset: Int,
        table: IndexTable,
        privateTable: PrivateTable? = nil,
        privateTotals: SharedHeader.Totals? = nil,
        state: UInt64 = SharedHeader.State.current
    ) {
        self.region = region
        self.file = file
        self.fileIdentity = fileIdentity
        self.presence = presence
        self.identity = identity
        self.cipher = cipher
        isEncrypted = cipher != nil
        self.isWritable = isWritable
        self.indexOffset = indexOffset
        self.privateTable = privateTable
        self.privateTotals = privateTotals
        self.state = state
        seed = identity.seed
        length = region.count
        unsafe base = region.start
        let header = unsafe SharedHeader(region.start)
        origin = unsafe privateTable == nil ? (0, 0) : (header.totals.sequence, header.index)
        unsafe self.table = unsafe table
        let isUsual = cipher == nil && privateTable == nil && state == SharedHeader.State.current
        let index = UnsafeMutablePointer<cairn_index>.allocate(capacity: 1)
        unsafe index.initialize(
            to: cairn_index(
                base: UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self),
                reach: UInt64(min(reach, region.count)),
                slots: UnsafeRawPointer(table.slots).assumingMemoryBound(to: UInt64.self),
                slot_count: table.count,
                seed: identity.seed,
                words: header.statePointer,
                table_offset: isUsual ? UInt64(truncatingIfNeeded: indexOffset) : .max,
                lost: region.lost
            )
        )
        unsafe self.index = UnsafePointer(index)
        let place = unsafe UnsafeMutableRawPointer(index) + MemoryLayout<cairn_index>.offset(of: \.reach)!
        unsafe self.reach = place.assumingMemoryBound(to: Atomic<Int>.self)
    }

    deinit { unsafe index.deallocate() }

    /// Whether every page touched so far existed; takes no reference to the mapping.
    @inline(__always)
    var isIntact: Bool { unsafe cairn_is_whole(index.pointee.lost) }

    /// Creates a view of the same file with another index, or through another mapping.
    func with(region: MappedRegion? = nil, reach: Int? = nil, indexOffset: Int, table: IndexTable) -> MappedView {
        unsafe copy(region, reach: reach, indexOffset: indexOffset, table: table, state: state)
    }

    /// Creates a view of the same file with a table in memory.
    func with(_ table: PrivateTable, _ totals: SharedHeader.Totals) -> MappedView {
        unsafe copy(indexOffset: -1, table: table.table, privateTable: table, privateTotals: totals, state: state)
    }

    /// Returns this view, for use in another state of the file.
    func with(state: UInt64) -> MappedView {
        unsafe copy(indexOffset: indexOffset, table: table, privateTable: privateTable, privateTotals: privateTotals, state: state)
    }

    private func copy(
        _ region: MappedRegion? = nil,
        reach: Int? = nil,
        indexOffset: Int,
        table: IndexTable,
        privateTable: PrivateTable? = nil,
        privateTotals: SharedHeader.Totals? = nil,
        state: UInt64
    ) -> MappedView {
        unsafe MappedView(
            region: region ?? self.region,
            reach: reach ?? knownReach,
            file: file,
            fileIdentity: fileIdentity,
            presence: presence,
            identity: identity,
            cipher: cipher,
            isWritable: isWritable,
            indexOffset: indexOffset,
            table: table,
            privateTable: privateTable,
            privateTotals: privateTotals,
            state: state
        )
    }

    /// Returns the table whose record is at `offset`; `nil` if there is none.
    func table(at offset: Int) -> IndexTable? {
        guard offset % MappedLayout.alignment == 0, let record = record(at: offset), record.isTable, isIntact(record) else { return nil }
        let slots = unsafe IndexTable.slotsOffset(offset)
        let count = (record.unpaddedEnd - slots) / 8
        guard count > 0 else { return nil }
        return unsafe IndexTable(slots: (base + slots).assumingMemoryBound(to: Atomic<UInt64>.self), count: UInt64(count))
    }

    /// Returns this view with the table whose record is at `offset`.
    func withTable(at offset: Int) -> MappedView? {
        guard let table = unsafe table(at: offset) else { return nil }
        return unsafe with(indexOffset: offset, table: table)
    }

    var totals: SharedHeader.Totals { unsafe privateTotals ?? header.totals }

    @inline(__always) var header: SharedHeader { unsafe SharedHeader(base) }

    @inline(__always)
    func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        isEncrypted ? unsafe secretHash(key) : unsafe MappedHash.hash(key, seed: seed)
    }

    @inline(never)
    private func secretHash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        unsafe SipHash.hash(key, key: cipher?.hashKey ?? 0)
    }

    /// Whether readers may continue with this view.
    @inline(__always)
    var isCurrent: Bool {
        let header = unsafe header
        return unsafe header.state == state && (header.index == indexOffset || isUnchanged)
    }

    /// Whether the file has not changed since a table in memory was made.
    private var isUnchanged: Bool {
        let header = unsafe header
        return unsafe privateTable != nil && header.totals.sequence == origin.sequence && header.index == origin.index
    }

    /// Called after the records up to `end` were synced: notes that, and returns false if a compaction has moved these records to another file.
    func isCurrentAfterSync(of end: Int) -> Bool {
        let header = unsafe header
        unsafe header.raiseSyncedEnd(to: end)
        // A compaction first announces that it ends, and then checks up to where everything is synced.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return isCurrent
    }

    /// Whether a part of the file contains only zeros.
    func isBlank(_ range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while offset <= range.upperBound - 8 {
            guard unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0 else { return false }
            offset += 8
        }
        return (offset..<range.upperBound).allSatisfy { unsafe base.load(fromByteOffset: $0, as: UInt8.self) == 0 }
    }

    /// The sum over the slots of the table.
    var indexSum: UInt64 { unsafe table.sums().indexSum }

    /// Returns the record at an arbitrary offset; `nil` if no record fits there.
    @inline(__always)
    func record(at offset: Int) -> MappedRecord? {
        guard offset >= MappedLayout.headerSize, isWithinFile(offset &+ MappedLayout.recordHeaderSize) else { return nil }
        let record = unsafe MappedRecord(at: offset, in: base)
        return isWithinFile(record.end) ? record : nil
    }

    private var knownReach: Int { unsafe reach.pointee.load(ordering: .relaxed) }

    @inline(__always)
    private func isWithinFile(_ end: Int) -> Bool { unsafe end <= reach.pointee.load(ordering: .relaxed) || hasGrown(to: end) }

    /// Whether the file now reaches at least `end`.
    @inline(never)
    private func hasGrown(to end: Int) -> Bool {
        let limit = unsafe min(length, header.capacity)
        if limit > knownReach { unsafe reach.pointee.store(limit, ordering: .relaxed) }
        return end <= limit
    }

    /// Whether a damaged record may belong to a key that was not found, judging by the index.
    @inline(never)
    func isSuspect(hash: UInt64) -> Bool {
        var position = unsafe table.start(hash)
        for _ in 0..<(unsafe table.count) {
            let slot = unsafe table[position]
            if slot == 0 { return false }
            if unsafe IndexTable.tagsAgree(slot, hash) {
                guard let record = unsafe record(at: IndexTable.offset(of: slot)), isIntact(record) else { return true }
            }
            position = unsafe table.next(position)
        }
        return false
    }

    // MARK: Lookup

    /// The slot where a key is in the table, or would go.
    struct Position {
        var slot: UInt64 = 0
        /// The contents of the slot; 0 if the key is new.
        var value: UInt64 = 0
        /// The record that the slot points to.
        var record: MappedRecord?
        /// For an encrypted record, its decrypted content; `nil` if it was changed.
        var opened: MappedSealed.Content?
    }

    /// Looks up a key of an unencrypted store. Returns the offset of its record, 0 if there is none, -1 if the table leads out of the mapping and another
    /// view is needed. `position` becomes the slot.
    @inline(__always)
    func locate(_ key: UnsafeRawBufferPointer, hash: UInt64, position: inout UInt64) -> Int {
        position = unsafe table.start(hash)
        for _ in 0..<(unsafe table.count) {
            let slot = unsafe table[position]
            if slot == 0 { return 0 }
            if unsafe IndexTable.tagsAgree(slot, hash) {
                if let record = unsafe record(at: IndexTable.offset(of: slot)) {
                    if record.keyCount == key.count, unsafe Self.areEqual(record.key(in: base), key) { return record.offset }
                } else if hasOutgrownMapping {
                    return -1
                }
            }
            position = unsafe table.next(position)
        }
        return 0
    }

    /// Prefetches the slot that ``locate(_:hash:position:)`` will examine first.
    @inline(__always)
    func prefetchSlot(_ hash: UInt64) {
        unsafe cairn_prefetch(table.slots + Int(truncatingIfNeeded: table.start(hash)))
    }

    /// Prefetches the record that the first slot points to, for which it has to wait.
    @inline(__always)
    func prefetchRecord(_ hash: UInt64) {
        guard unsafe table.count > 0 else { return }
        let record = unsafe base + IndexTable.offset(of: table[table.start(hash)])
        unsafe cairn_prefetch(record)
        unsafe cairn_prefetch(record + 31)
    }

    /// Prefetches the record at an arbitrary offset.
    @inline(__always)
    func prefetch(at offset: Int) { unsafe cairn_prefetch(UnsafeRawPointer(bitPattern: Int(bitPattern: base) &+ offset)) }

    /// Whether the index already has a later record of the same key.
    func hasNewer(than record: MappedRecord, hash: UInt64) -> Bool {
        guard !record.isSealed, !isEncrypted else { return false }
        var position: UInt64 = 0
        let offset = unsafe locate(record.key(in: base), hash: hash, position: &position)
        return unsafe offset > record.offset && isIntact(MappedRecord(at: offset, in: base))
    }

    /// Whether another process extended the file beyond what is mapped here.
    var hasOutgrownMapping: Bool { unsafe header.capacity > length }

    /// Looks up a key; returns `nil` if another view is needed.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Position? {
        if isEncrypted { return unsafe findSealed(key, hash: hash) }
        var position: UInt64 = 0
        let offset = unsafe locate(key, hash: hash, position: &position)
        if offset < 0 { return nil }
        if offset == 0 { return Position(slot: position) }
        return unsafe Position(slot: position, value: table[position], record: MappedRecord(at: offset, in: base))
    }

    private func findSealed(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Position? {
        var position = unsafe table.start(hash)
        // It cannot be determined whose record was changed: judging by the slot, it may have been this key's.
        var suspect: Position?
        for _ in 0..<(unsafe table.count) {
            let slot = unsafe table[position]
            if slot == 0 { break }
            if unsafe IndexTable.tagsAgree(slot, hash) {
                let record = unsafe record(at: IndexTable.offset(of: slot))
                if record == nil, hasOutgrownMapping { return nil }
                if let record, let opened = MappedSealed.open(record, self) {
                    if unsafe opened.isKey(key) { return Position(slot: position, value: slot, record: record, opened: opened) }
                    // Another key with the same bits, or one whose record replaced this one's?
                    if unsafe IndexTable.tagsAgree(slot, MappedSealed.hash(of: record, in: base)) {
                        position = unsafe table.next(position)
                        continue
                    }
                }
                if suspect == nil { suspect = Position(slot: position, value: slot, record: record) }
            }
            position = unsafe table.next(position)
        }
        return suspect ?? Position(slot: position)
    }

    /// Compares byte sequences of equal length in whole words, the last of which overlaps the one before.
    @inline(__always)
    private static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        let count = one.count
        guard count > 0, let a = one.baseAddress, let b = other.baseAddress else { return true }
        if count >= 8 {
            var offset = 0
            while offset < count &- 8 {
                guard
                    unsafe a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                        == b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                else { return false }
                offset &+= 8
            }
            return unsafe (a + (count &- 8)).loadUnaligned(as: UInt64.self) == (b + (count &- 8)).loadUnaligned(as: UInt64.self)
        }
        if count >= 4 {
            return unsafe a.loadUnaligned(as: UInt32.self) == b.loadUnaligned(as: UInt32.self)
                && (a + (count &- 4)).loadUnaligned(as: UInt32.self) == (b + (count &- 4)).loadUnaligned(as: UInt32.self)
        }
        for offset in 0..<count
        where unsafe a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
            return false
        }
        return true
    }

    /// Whether the record at an offset can be trusted. In an encrypted store, an index table is the only record that is not sealed: anybody can write one
    /// with the right checksum.
    @inline(__always)
    func isIntact(_ record: MappedRecord) -> Bool {
        unsafe record.isIntact(in: base, seed: seed) && (!isEncrypted || record.isSealed || record.isTable)
    }

    /// The hash under which a record is in the table.
    func hash(of record: MappedRecord) -> UInt64 {
        unsafe record.isSealed ? MappedSealed.hash(of: record, in: base) : hash(record.key(in: base))
    }
}
