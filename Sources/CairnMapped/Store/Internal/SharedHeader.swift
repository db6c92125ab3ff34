import CCairn
import Synchronization

/// The words of the header that processes share. They are atomic, so readers need no lock. Only the holder of the writers' lock changes them.
@unsafe
struct SharedHeader {
    private let base: UnsafeMutableRawPointer

    @inline(__always)
    init(_ base: UnsafeMutableRawPointer) { unsafe self.base = base }

    @inline(__always)
    private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        unsafe (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    @inline(__always)
    private func load(_ offset: Int) -> UInt64 { unsafe word(offset).pointee.load(ordering: .relaxed) }

    @inline(__always)
    private func store(_ value: UInt64, _ offset: Int) { unsafe word(offset).pointee.store(value, ordering: .relaxed) }

    // MARK: What readers look at, on a line of its own

    /// Whether this file is still the store.
    enum State { static let current: UInt64 = 0, ending: UInt64 = 1, replaced: UInt64 = 2 }

    var state: UInt64 {
        @inline(__always) get { unsafe word(1024).pointee.load(ordering: .acquiring) }
        nonmutating set { unsafe word(1024).pointee.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// The offset of the index table's record.
    var index: Int {
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(1032).pointee.load(ordering: .acquiring)) }
        nonmutating set { unsafe word(1032).pointee.store(UInt64(newValue), ordering: .releasing) }
    }

    /// The offset of the first record written after the file was created; the ones before were copied from the previous file.
    var tailStart: Int {
        get { unsafe Int(truncatingIfNeeded: load(1040)) }
        nonmutating set { unsafe store(UInt64(newValue), 1040) }
    }

    /// The boot of the machine in which this file was last opened.
    var boot: UInt128 {
        get { unsafe UInt128(load(1048)) | UInt128(load(1056)) << 64 }
        nonmutating set {
            unsafe store(UInt64(truncatingIfNeeded: newValue), 1048)
            unsafe store(UInt64(truncatingIfNeeded: newValue >> 64), 1056)
        }
    }

    /// The number of changes made before those from ``tailStart`` on: whoever saw as many in the previous file misses none.
    var tailSequence: UInt64 {
        get { unsafe load(1064) }
        nonmutating set { unsafe store(newValue, 1064) }
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

        /// A checksum over all of these: tells whether they belong together.
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
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(1088).pointee.load(ordering: .acquiring)) }
        @inline(__always) nonmutating set { unsafe word(1088).pointee.store(UInt64(truncatingIfNeeded: newValue), ordering: .releasing) }
    }

    /// Not 0 while a change is in progress: where its records will end.
    var pendingEnd: Int {
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(1096).pointee.load(ordering: .acquiring)) }
        @inline(__always) nonmutating set { unsafe word(1096).pointee.store(UInt64(truncatingIfNeeded: newValue), ordering: .releasing) }
    }

    var totals: Totals {
        @inline(__always) get {
            var totals = Totals()
            totals.end = unsafe end
            totals.count = unsafe Int(truncatingIfNeeded: load(1104))
            totals.expiring = unsafe Int(truncatingIfNeeded: load(1112))
            totals.liveBytes = unsafe Int(truncatingIfNeeded: load(1120))
            totals.usedSlots = unsafe Int(truncatingIfNeeded: load(1128))
            totals.sequence = unsafe load(1136)
            totals.indexSum = unsafe load(1144)
            return totals
        }
        @inline(__always) nonmutating set {
            unsafe store(UInt64(truncatingIfNeeded: newValue.count), 1104)
            unsafe store(UInt64(truncatingIfNeeded: newValue.expiring), 1112)
            unsafe store(UInt64(truncatingIfNeeded: newValue.liveBytes), 1120)
            unsafe store(UInt64(truncatingIfNeeded: newValue.usedSlots), 1128)
            unsafe store(newValue.sequence, 1136)
            unsafe store(newValue.indexSum, 1144)
            unsafe store(newValue.check, 1152)
            unsafe end = newValue.end
        }
    }

    /// Whether the totals are as they were written.
    var isConsistent: Bool { unsafe agrees(with: totals) }

    /// Whether the totals that were read are those that were written.
    @inline(__always)
    func agrees(with totals: Totals) -> Bool { unsafe load(1152) == totals.check }

    /// The extent of the file for which disk space is reserved.
    var capacity: Int {
        @inline(__always) get { unsafe Int(truncatingIfNeeded: load(1160)) }
        nonmutating set { unsafe store(UInt64(newValue), 1160) }
    }

    /// The end of what is on disk, including header and index, unless something was written since.
    var syncedSequence: UInt64 {
        get { unsafe load(1168) }
        nonmutating set { unsafe store(newValue, 1168) }
    }

    /// The end of the records certainly on disk, from the first on: damage before it was not caused by power loss.
    var syncedEnd: Int {
        get { unsafe Int(truncatingIfNeeded: load(1176)) }
        nonmutating set { unsafe store(UInt64(truncatingIfNeeded: newValue), 1176) }
    }

    /// Notes that records are on disk, unless more were known to be.
    func raiseSyncedEnd(to end: Int) {
        let new = UInt64(truncatingIfNeeded: end)
        unsafe word(1176).pointee.max(new, ordering: .sequentiallyConsistent)
    }

    /// Not 0 once the disk has confirmed the name of the file: what is synced before that may be lost with the name.
    var isNameSynced: Bool {
        get { unsafe load(1184) != 0 }
        nonmutating set { unsafe store(newValue ? 1 : 0, 1184) }
    }

    // MARK: Waiting for changes

    private var bell: UnsafeMutablePointer<UInt32> { unsafe (base + 1216).assumingMemoryBound(to: UInt32.self) }
    private var bellWord: UnsafeMutablePointer<Atomic<UInt32>> { unsafe (base + 1216).assumingMemoryBound(to: Atomic<UInt32>.self) }

    /// The number of those waiting for the bell.
    var waiters: UnsafeMutablePointer<Atomic<UInt32>> {
        @inline(__always) get { unsafe (base + 1220).assumingMemoryBound(to: Atomic<UInt32>.self) }
    }

    /// Wakes all waiters, in all processes.
    func ring() {
        unsafe bellWord.pointee.add(1, ordering: .releasing)
        unsafe cairn_wake_all(bell)
    }

    var bellCount: UInt32 { unsafe bellWord.pointee.load(ordering: .acquiring) }

    /// Waits until the bell rings after it had rung `count` times; at most `nanoseconds`.
    func wait(after count: UInt32, nanoseconds: UInt64) { unsafe cairn_wait(bell, count, nanoseconds) }

    // MARK: Locks

    var writersLock: UnsafeMutableRawPointer { @inline(__always) get { unsafe base + 1280 } }

    /// Sets the header to its state while no one has the file open: nobody waits, and this file is the store.
    func reset() {
        unsafe waiters.pointee.store(0, ordering: .relaxed)
        unsafe state = State.current
    }
}
