import CairnCore
import Synchronization

/// Preferences, caches, session state: small values under text keys in a memory-mapped file, read and written in well under a microsecond.
///
/// ```swift
/// let store = try MappedStore(path: "settings.map")
/// try store.set(3, for: "launches")
/// let launches = try store.get("launches", default: 0)
/// ```
///
/// There is no saving: a change survives the death of the process (`.buffered`) when the call returns. ``sync()``, or
/// ``MappedStoreOptions/durability`` of `.synced`, has it survive power loss too. A kill at any instant leaves a whole store, and a damaged
/// record costs that record alone: see ``openReport`` and ``verify(progress:)``.
///
/// **Types.** Values know what they are: see ``MappedValue``. An empty value is not a missing one.
///
/// **Sharing.** Any thread may call, and any number of processes may have the store open: each sees what the others wrote at once. Who reads
/// a value waits for nobody. Writers wait for each other, for the fraction of a microsecond that a change takes, and for nobody who died; walks through
/// all entries (``keys()``, ``entries()``, ``forEach(_:)``) have them wait once more, at the beginning, while the index is gone through. After a
/// `fork` parent and child may both go on, if no other thread of the parent was within a call on the store at that moment.
///
/// **Space.** A change appends to the file; what it replaced is waste until the file is written anew: see ``compact(progress:)``. Disk space is
/// taken before it is used, so a full disk is an error that changes nothing.
///
/// The file must be on a local file system. On Apple platforms, where nothing of this was run, writers of several processes take turns
/// with the slower lock of the file system.
@safe
public final class MappedStore: Sendable {
    /// The path of the file; where a symbolic link was given, that of what it leads to.
    public let path: String
    /// How the store was opened.
    public let options: MappedStoreOptions
    /// What was found when the store was opened.
    public let openReport: MappedOpenReport

    /// The view that readers use; `nil` once closed. Holds a reference.
    let current: Atomic<Unmanaged<MappedView>?>
    let gate = ReaderGate()
    let fileSystem: FileSystem
    let state: Mutex<State>
    let lock: WritersLock
    /// The cipher to open the file with: another one after a change of keys.
    let cipher: Mutex<(any MappedCipher)?>
    /// The waste that a compaction is worth it for, in bytes: more after one that failed, and where one follows the other.
    let leastWaste: Atomic<Int>
    /// One compaction at a time in this process; closing waits for it.
    let compaction = CompactionTurn()
    let feed = MappedFeed()

    @safe
    struct State {
        /// Views that readers may still look at, and the gate's lines that were not seen without a reader yet.
        var retired: [(view: Unmanaged<MappedView>, lines: UInt64)] = unsafe []
        var isClosed = false
        var lastCompaction: ContinuousClock.Instant?
    }

    /// Opens a store, and makes it where there is none.
    ///
    /// - Throws: ``MappedStoreError``: `foreignFile` for what is not a store, `unsupportedVersion`, `keyNeeded`, `wrongKey`, `readOnly` where
    ///   the file may not be written, `notFound` where the directory is missing, `corruption` where no header is left, `noSpace`, `ioError`.
    /// - Complexity: O(1) and a fast pass over the index, 8 bytes for each of its slots; no value is read. After a crash of the machine, or of
    ///   a process in the midst of a change, every record is read once.
    public convenience init(path: String, options: MappedStoreOptions = MappedStoreOptions()) throws(MappedStoreError) {
        try self.init(path: path, options: options, fileSystem: .system)
    }

    package init(path: String, options: MappedStoreOptions, fileSystem: FileSystem) throws(MappedStoreError) {
        let path = FileSystem.followingLink(path)
        self.path = path
        self.options = options
        self.fileSystem = fileSystem
        cipher = Mutex(options.cipher)
        leastWaste = Atomic(Int(clamping: options.compaction.minimumWaste.bytes))
        state = Mutex(State())
        lock = WritersLock(path: path, fileSystem: fileSystem)
        let opening = MappedOpening(path: path, options: options, cipher: options.cipher, fileSystem: fileSystem, lock: lock)
        let (view, report) = try opening.open()
        openReport = report
        unsafe current = Atomic(Unmanaged.passRetained(view))
    }

    deinit {
        feed.close()
        if let view = unsafe current.load(ordering: .acquiring) { unsafe view.release() }
        state.withLock { state in unsafe state.retired.forEach { unsafe $0.view.release() } }
    }

    /// Ends the store; every call but this one throws ``MappedStoreError/Code/closed`` afterwards. Closing again does nothing.
    ///
    /// Waits for calls under way. Nothing has to be saved. Sequences of changes end.
    ///
    /// - Throws: ``MappedStoreError/Code/busy`` while a closure given to the store runs, such as that of ``withBytes(for:_:)`` or
    ///   ``transaction(_:)``.
    public func close() throws(MappedStoreError) {
        guard unsafe current.load(ordering: .acquiring) != nil else { return }
        try refuseToClose()
        guard let view = unsafe current.exchange(nil, ordering: .sequentiallyConsistent) else { return }
        state.withLock { state in
            state.isClosed = true
            unsafe state.retired.append((view, .max))
        }
        feed.close()
        // Calls take microseconds; a compaction sees soon that it is over.
        while !releaseRetired() { Self.yield() }
        compaction.current.lock.withLock { _ in }
    }

    private func refuseToClose() throws(MappedStoreError) {
        guard !compaction.current.isMine else {
            throw MappedStoreError(.busy, "could not close \(path): this thread is writing it anew")
        }
        _ = gate.fence()
        let count = gate.scopeCount
        guard count == 0 else {
            throw MappedStoreError(.busy, "could not close \(path): \(count) closure\(count == 1 ? "" : "s") given to it still run")
        }
    }
}
