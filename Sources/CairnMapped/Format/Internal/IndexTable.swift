import Synchronization

/// The hash table from keys to records: open addressing, with 64-bit slots that hold 24 bits of the hash and the record's offset.
///
/// Slots are only ever filled, or pointed at a newer record of the same key, each with one atomic store, so readers need no lock.
@unsafe
struct IndexTable {
    let slots: UnsafeMutablePointer<Atomic<UInt64>>
    let count: UInt64

    /// A table without slots.
    static var none: IndexTable {
        unsafe IndexTable(slots: UnsafeMutableRawPointer(bitPattern: 64)!.assumingMemoryBound(to: Atomic<UInt64>.self), count: 0)
    }

    /// The contribution of a slot to ``SharedHeader/Totals/indexSum``.
    @inline(__always)
    static func sum(_ slot: UInt64, at position: UInt64) -> UInt64 { unsafe slot == 0 ? 0 : mixed(slot, position) }

    /// The values that ``SharedHeader/Totals`` should have for the slots. Has no branches, since they could not be predicted.
    func sums() -> (indexSum: UInt64, usedSlots: Int) {
        var (sum, used) = (UInt64(0), UInt64(0))
        for position in 0..<(unsafe count) {
            let slot = unsafe slots[Int(truncatingIfNeeded: position)].load(ordering: .relaxed)
            let isUsed: UInt64 = slot == 0 ? 0 : 1
            unsafe sum &+= Self.mixed(slot, position) & (0 &- isUsed)
            used &+= isUsed
        }
        return (sum, Int(truncatingIfNeeded: used))
    }

    @inline(__always)
    private static func mixed(_ slot: UInt64, _ position: UInt64) -> UInt64 {
        let mixed = (slot ^ position &* 0x9e37_79b9_7f4a_7c15) &* 0xd6e8_feb8_6659_fd93
        return mixed ^ mixed >> 32
    }

    @inline(__always)
    static func slot(hash: UInt64, offset: Int) -> UInt64 { hash & ~0xff_ffff_ffff | UInt64(truncatingIfNeeded: offset) / 4 }

    @inline(__always)
    static func offset(of slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & 0xff_ffff_ffff) &* 4 }

    @inline(__always)
    static func tagsAgree(_ slot: UInt64, _ hash: UInt64) -> Bool { (slot ^ hash) >> 40 == 0 }

    /// The slot where the search for a hash begins.
    @inline(__always)
    func start(_ hash: UInt64) -> UInt64 { unsafe ((hash & 0xffff_ffff) &* count) >> 32 }

    @inline(__always)
    func next(_ position: UInt64) -> UInt64 { unsafe position &+ 1 == count ? 0 : position &+ 1 }

    @inline(__always)
    subscript(position: UInt64) -> UInt64 {
        get { unsafe slots[Int(truncatingIfNeeded: position)].load(ordering: .acquiring) }
        nonmutating set { unsafe slots[Int(truncatingIfNeeded: position)].store(newValue, ordering: .releasing) }
    }

    /// Whether a key with this hash points to `offset`. For a damaged record, this shows whether its key is unchanged.
    func leads(_ hash: UInt64, to offset: Int) -> Bool {
        let wanted = unsafe Self.slot(hash: hash, offset: offset)
        guard unsafe count > 0 else { return false }
        var position = unsafe start(hash)
        for _ in 0..<(unsafe count) {
            let slot = unsafe self[position]
            if slot == wanted || slot == 0 { return slot == wanted }
            unsafe position = next(position)
        }
        return false
    }

    /// Inserts a key that is not in the table, which must have room.
    func insert(hash: UInt64, offset: Int, totals: inout SharedHeader.Totals) {
        var position = unsafe start(hash)
        while unsafe self[position] != 0 { unsafe position = next(position) }
        let slot = unsafe Self.slot(hash: hash, offset: offset)
        unsafe self[position] = slot
        unsafe totals.indexSum &+= Self.sum(slot, at: position)
        totals.usedSlots += 1
    }

    // MARK: In the file

    /// The offset of the slots of the table whose record is at `offset`: they are aligned to a cache line.
    static func slotsOffset(_ offset: Int) -> Int { (offset &+ MappedLayout.recordHeaderSize &+ 63) & ~63 }

    /// The number of bytes after `offset` that a table with `slotCount` slots takes.
    static func size(at offset: Int, slotCount: Int) -> Int { unsafe slotsOffset(offset) &+ slotCount &* 8 &- offset }

    /// The number of slots a table should have for `keyCount` keys: three quarters full if `isTight`, otherwise with room to grow.
    static func slotCount(for keyCount: Int, isTight: Bool) -> Int {
        max(isTight ? 32 : 256, isTight ? keyCount + keyCount / 3 + 1 : keyCount * 3)
    }

    /// Whether one more key requires a larger table.
    @inline(__always)
    func isFull(_ usedSlots: Int) -> Bool { unsafe usedSlots &+ usedSlots / 8 &+ 8 > Int(truncatingIfNeeded: count) }
}

/// A table in memory, for a file that may not be written.
@safe
final class PrivateTable: @unchecked Sendable {
    let table: IndexTable

    /// An empty table.
    init(slotCount: Int) {
        let slots = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: slotCount)
        for position in 0..<slotCount { unsafe (slots + position).initialize(to: Atomic(0)) }
        unsafe table = IndexTable(slots: slots, count: UInt64(slotCount))
    }

    deinit { unsafe table.slots.deallocate() }
}
