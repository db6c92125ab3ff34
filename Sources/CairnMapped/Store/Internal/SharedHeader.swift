import CCairn
import Synchronization

/// The words of the header that processes share. They are atomic, so readers need no lock. Only the holder of the writers' lock changes them.
@unsafe
struct SharedHeader {
    /// Where the words are, as `docs/formats/mapped.md` lists them. They have 8 bytes, except as noted.
    enum Word: Int, CaseIterable {
        // What readers look at, on a separate cache line.
        case state = 1024
        case index = 1032
        case tailStart = 1040
        case boot = 1048
        case bootRest = 1056
        case tailSequence = 1064
        // What each write changes.
        case end = 1088
        case pendingEnd = 1096
        case count = 1104
        case expiring = 1112
        case liveBytes = 1120
        case usedSlots = 1128
        case sequence = 1136
        case indexSum = 1144
        case check = 1152
        case capacity = 1160
        case syncedSequence = 1168
        case syncedEnd = 1176
        case isNameSynced = 1184
        // 4 bytes each.
        case bell = 1216
        case waiters = 1220
        // 128 bytes.
        case writersLock = 1280
    }

    private let base: UnsafeMutableRawPointer

    @inline(__always)
    init(_ base: UnsafeMutableRawPointer) { unsafe self.base = base }

    @inline(__always)
    private func word(_ word: Word) -> UnsafeMutablePointer<Atomic<UInt64>> {
        unsafe (base + word.rawValue).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    @inline(__always)
    private func load(_ word: Word) -> UInt64 { unsafe self.word(word).pointee.load(ordering: .relaxed) }

    @inline(__always)
    private func store(_ value: UInt64, _ word: Word) { unsafe self.word(word).pointee.store(value, ordering: .relaxed) }

    // MARK: What readers look at, on a separate cache line

    /// Where ``state`` is, with ``index`` behind it.
    var statePointer: UnsafePointer<UInt64> {
        unsafe UnsafeRawPointer(base + Word.state.rawValue).assumingMemoryBound(to: UInt64.self)
    }

    /// Whether this file is still the store.
    enum State { static let current: UInt64 = 0, ending: UInt64 = 1, replaced: UInt64 = 2 }

    var state: UInt64 {
        @inline(__always) get { unsafe word(.state).pointee.load(ordering: .acquiring) }
        nonmutating set { unsafe word(.state).pointee.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// The offset of the index table's record.
    var index: Int {
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(.index).pointee.load(ordering: .acquiring)) }
        nonmutating set { unsafe word(.index).pointee.store(UInt64(newValue), ordering: .releasing) }
    }

    /// The offset of the first record written after the file was created; the ones before were copied from the previous file.
    var tailStart: Int {
        get { unsafe Int(truncatingIfNeeded: load(.tailStart)) }
        nonmutating set { unsafe store(UInt64(newValue), .tailStart) }
    }

    /// The boot of the machine in which this file was last opened.
    var boot: UInt128 {
        get { unsafe UInt128(load(.boot)) | UInt128(load(.bootRest)) << 64 }
        nonmutating set {
            unsafe store(UInt64(truncatingIfNeeded: newValue), .boot)
            unsafe store(UInt64(truncatingIfNeeded: newValue >> 64), .bootRest)
        }
    }

    /// The number of changes made before those from ``tailStart`` on: a listener that saw as many in the previous file misses none.
    var tailSequence: UInt64 {
        get { unsafe load(.tailSequence) }
        nonmutating set { unsafe store(newValue, .tailSequence) }
    }

    // MARK: What each write changes

    /// The totals, which every write changes together.
    struct Totals: Equatable {
        /// The offset of the next record.
        var end = 0
        /// The number of keys with a value, including expired ones.
        var count = 0
        /// The number of those that have a deadline.
        var expiring = 0
        /// The size of their records in bytes.
        var liveBytes = 0
        /// The number of used slots of the index, including those of removed keys.
        var usedSlots = 0
        /// The number of changes ever made.
        var sequence: UInt64 = 0
        /// The sum over the slots of the index.
        var indexSum: UInt64 = 0

        @inline(__always) init() {}

        /// A checksum over all of these, which shows whether they belong together.
        @inline(__always)
        var check: UInt64 {
            var sum = UInt64(truncatingIfNeeded: end) &* 0x9e37_79b9_7f4a_7c15
            sum &+= UInt64(truncatingIfNeeded: count) &* 0xbf58_476d_1ce4_e5b9
            sum &+= UInt64(truncatingIfNeeded: expiring) &* 0x94d0_49bb_1331_11eb
            sum &+= UInt64(truncatingIfNeeded: liveBytes) &* 0xd6e8_feb8_6659_fd93
            sum &+= UInt64(truncatingIfNeeded: usedSlots) &* 0xa076_1d64_78bd_642f
            sum &+= sequence &* 0xe703_7ed1_a0b4_28db
            sum &+= indexSum &* 0x8ebc_6af0_9c88_c6e3
            return sum ^ sum >> 29
        }
    }

    var end: Int {
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(.end).pointee.load(ordering: .acquiring)) }
        @inline(__always) nonmutating set { unsafe word(.end).pointee.store(UInt64(truncatingIfNeeded: newValue), ordering: .releasing) }
    }

    /// Not 0 while a change is in progress: where its records will end.
    var pendingEnd: Int {
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(.pendingEnd).pointee.load(ordering: .acquiring)) }
        @inline(__always) nonmutating set {
            unsafe word(.pendingEnd).pointee.store(UInt64(truncatingIfNeeded: newValue), ordering: .releasing)
        }
    }

    var totals: Totals {
        @inline(__always) get {
            var totals = Totals()
            totals.end = unsafe end
            totals.count = unsafe Int(truncatingIfNeeded: load(.count))
            totals.expiring = unsafe Int(truncatingIfNeeded: load(.expiring))
            totals.liveBytes = unsafe Int(truncatingIfNeeded: load(.liveBytes))
            totals.usedSlots = unsafe Int(truncatingIfNeeded: load(.usedSlots))
            totals.sequence = unsafe load(.sequence)
            totals.indexSum = unsafe load(.indexSum)
            return totals
        }
        @inline(__always) nonmutating set {
            unsafe store(UInt64(truncatingIfNeeded: newValue.count), .count)
            unsafe store(UInt64(truncatingIfNeeded: newValue.expiring), .expiring)
            unsafe store(UInt64(truncatingIfNeeded: newValue.liveBytes), .liveBytes)
            unsafe store(UInt64(truncatingIfNeeded: newValue.usedSlots), .usedSlots)
            unsafe store(newValue.sequence, .sequence)
            unsafe store(newValue.indexSum, .indexSum)
            unsafe store(newValue.check, .check)
            unsafe end = newValue.end
        }
    }

    /// Whether the totals are as they were written.
    var isConsistent: Bool { unsafe agrees(with: totals) }

    /// Whether the totals that were read are those that were written.
    @inline(__always)
    func agrees(with totals: Totals) -> Bool { unsafe load(.check) == totals.check }

    /// The extent of the file for which disk space is reserved.
    var capacity: Int {
        @inline(__always) get { unsafe Int(truncatingIfNeeded: load(.capacity)) }
        nonmutating set { unsafe store(UInt64(newValue), .capacity) }
    }

    /// The end of what is on disk, including header and index, unless something was written since.
    var syncedSequence: UInt64 {
        get { unsafe load(.syncedSequence) }
        nonmutating set { unsafe store(newValue, .syncedSequence) }
    }

    /// The end of the records certainly on disk, from the first on: damage before it was not caused by power loss.
    var syncedEnd: Int {
        get { unsafe Int(truncatingIfNeeded: load(.syncedEnd)) }
        nonmutating set { unsafe store(UInt64(truncatingIfNeeded: newValue), .syncedEnd) }
    }

    /// Notes that records are on disk, unless more were known to be.
    func raiseSyncedEnd(to end: Int) {
        let new = UInt64(truncatingIfNeeded: end)
        unsafe word(.syncedEnd).pointee.max(new, ordering: .sequentiallyConsistent)
    }

    /// Whether the disk has confirmed the name of the file: data synced before that may be lost with the name.
    var isNameSynced: Bool {
        get { unsafe load(.isNameSynced) != 0 }
        nonmutating set { unsafe store(newValue ? 1 : 0, .isNameSynced) }
    }

    // MARK: Waiting for changes

    private var bell: UnsafeMutablePointer<UInt32> { unsafe (base + Word.bell.rawValue).assumingMemoryBound(to: UInt32.self) }
    private var bellWord: UnsafeMutablePointer<Atomic<UInt32>> {
        unsafe (base + Word.bell.rawValue).assumingMemoryBound(to: Atomic<UInt32>.self)
    }

    private var waiters: UnsafeMutablePointer<Atomic<UInt32>> {
        @inline(__always) get { unsafe (base + Word.waiters.rawValue).assumingMemoryBound(to: Atomic<UInt32>.self) }
    }

    /// Whether anyone waits for the bell.
    var hasWaiters: Bool { @inline(__always) get { unsafe waiters.pointee.load(ordering: .relaxed) != 0 } }

    /// Adds one to the number of waiters. Damage or truncation may have changed that number in the file, so it neither overflows nor becomes negative: if it
    /// is too small, changes are noticed later; if it is too large, the bell rings for nobody.
    func addWaiter() { unsafe changeWaiters(unless: .max) { $0 + 1 } }
    /// Subtracts one from the number of waiters, in the same way.
    func removeWaiter() { unsafe changeWaiters(unless: 0) { $0 - 1 } }

    private func changeWaiters(unless limit: UInt32, _ change: (UInt32) -> UInt32) {
        var count = unsafe waiters.pointee.load(ordering: .relaxed)
        while count != limit {
            let (isChanged, found) = unsafe waiters.pointee.weakCompareExchange(
                expected: count,
                desired: change(count),
                ordering: .sequentiallyConsistent
            )
            if isChanged { return }
            count = found
        }
    }

    /// Wakes all waiters, in all processes.
    func ring() {
        unsafe bellWord.pointee.wrappingAdd(1, ordering: .releasing)
        unsafe cairn_wake_all(bell)
    }

    var bellCount: UInt32 { unsafe bellWord.pointee.load(ordering: .acquiring) }

    /// Waits until the bell rings after it had rung `count` times; at most `nanoseconds`.
    func wait(after count: UInt32, nanoseconds: UInt64) { unsafe cairn_wait(bell, count, nanoseconds) }

    // MARK: Locks

    var writersLock: UnsafeMutableRawPointer { @inline(__always) get { unsafe base + Word.writersLock.rawValue } }

    /// Sets the header to its state while the file is not open: nothing waits, and this file is the store.
    func reset() {
        unsafe waiters.pointee.store(0, ordering: .relaxed)
        unsafe state = State.current
    }
}
