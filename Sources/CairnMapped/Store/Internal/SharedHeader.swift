import CCairn
import Synchronization

/// The words of the header that processes share: atomic, so that readers need no lock. Only the holder of the writers' lock changes them.
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

    /// Where the index table's record is.
    var index: Int {
        @inline(__always) get { Int(truncatingIfNeeded: unsafe word(1032).pointee.load(ordering: .acquiring)) }
        nonmutating set { unsafe word(1032).pointee.store(UInt64(newValue), ordering: .releasing) }
    }

    /// Where the records begin that came after the file was made: what went before was copied from the file before.
    var tailStart: Int {
        get { unsafe Int(truncatingIfNeeded: load(1040)) }
        nonmutating set { unsafe store(UInt64(newValue), 1040) }
    }

    /// The boot of the machine in which this file was opened last.
    var boot: UInt128 {
        get { unsafe UInt128(load(1048)) | UInt128(load(1056)) << 64 }
        nonmutating set {
            unsafe store(UInt64(truncatingIfNeeded: newValue), 1048)
            unsafe store(UInt64(truncatingIfNeeded: newValue >> 64), 1056)
        }
    }

    /// How many changes were made before those from ``tailStart`` on: whoever saw as many in the file before misses none.
    var tailSequence: UInt64 {
        get { unsafe load(1064) }
        nonmutating set { unsafe store(newValue, 1064) }
    }

    // MARK: What each write changes

    /// The totals that every write changes together.
    struct Totals: Equatable {
        /// Where the next record goes.
        var end = 0
        /// Keys with a value, expired ones included.
        var count = 0
        /// Those of them that have a deadline.
        var expiring = 0
        /// The bytes of their records.
        var liveBytes = 0
        /// Slots of the index that are taken, removed keys included.
        var usedSlots = 0
        /// The number of changes ever made.
        var sequence: UInt64 = 0
        /// The sum over the slots of the index.
        var indexSum: UInt64 = 0

        @inline(__always) init() {}

        /// A sum over all of these: says whether they belong together.
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

    /// Not 0 while a change is under way: where its records are going to end.
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

    /// How far the file reaches and the disk space is taken.
    var capacity: Int {
        @inline(__always) get { unsafe Int(truncatingIfNeeded: load(1160)) }
        nonmutating set { unsafe store(UInt64(newValue), 1160) }
    }

    /// Up to where everything is on the disk, header and index included, unless something was written since.
    var syncedSequence: UInt64 {
        get { unsafe load(1168) }
        nonmutating set { unsafe store(newValue, 1168) }
    }

    /// Up to where the records are on the disk for certain, the first of them on: what is damaged there did not come of a power cut.
    var syncedEnd: Int {
        get { unsafe Int(truncatingIfNeeded: load(1176)) }
        nonmutating set { unsafe store(UInt64(truncatingIfNeeded: newValue), 1176) }
    }

    /// Notes that records are on the disk, unless more were known to be.
    func raiseSyncedEnd(to end: Int) {
        let new = UInt64(truncatingIfNeeded: end)
        unsafe word(1176).pointee.max(new, ordering: .sequentiallyConsistent)
    }

    /// Not 0 once the disk has confirmed the name of the file: what is synced before may be lost with the name.
    var isNameSynced: Bool {
        get { unsafe load(1184) != 0 }
        nonmutating set { unsafe store(newValue ? 1 : 0, 1184) }
    }

    // MARK: Waiting for changes

    private var bell: UnsafeMutablePointer<UInt32> { unsafe (base + 1216).assumingMemoryBound(to: UInt32.self) }
    private var bellWord: UnsafeMutablePointer<Atomic<UInt32>> { unsafe (base + 1216).assumingMemoryBound(to: Atomic<UInt32>.self) }

    /// How many wait for the bell.
    var waiters: UnsafeMutablePointer<Atomic<UInt32>> {
        @inline(__always) get { unsafe (base + 1220).assumingMemoryBound(to: Atomic<UInt32>.self) }
    }

    /// Wakes those who wait, in all processes.
    func ring() {
        unsafe bellWord.pointee.add(1, ordering: .releasing)
        unsafe cairn_wake_all(bell)
    }

    var bellCount: UInt32 { unsafe bellWord.pointee.load(ordering: .acquiring) }

    /// Waits until the bell rings after it had rung `count` times; at most `nanoseconds`.
    func wait(after count: UInt32, nanoseconds: UInt64) { unsafe cairn_wait(bell, count, nanoseconds) }

    // MARK: Locks

    var writersLock: UnsafeMutableRawPointer { @inline(__always) get { unsafe base + 1280 } }

    /// Puts into the header what it holds while no one has the file open: nobody waits, and this file is the store.
    func reset() {
        unsafe waiters.pointee.store(0, ordering: .relaxed)
        unsafe state = State.current
    }
}
