import CairnCore
import Synchronization

/// A store for preferences, caches and session state: small values under text keys in a memory-mapped file, read and written in a fraction of a
/// microsecond to about one, depending on the number of keys and the length of values.
///
/// ```swift
/// let store = try MappedStore(path: "settings.map")
/// try store.set(3, for: "launches")
/// let launches = try store.get("launches", default: 0)
/// ```
///
/// There is nothing to save: a change survives the death of the process (`.buffered`) when the call returns. With ``sync()``, or a
/// ``MappedStoreOptions/durability`` of `.synced`, it survives power loss too. A kill at any instant leaves an intact store, and damage to a
/// record affects only that record: see ``openReport`` and ``verify(progress:)``.
///
/// **Types.** Values are stored with their type: see ``MappedValue``. An empty value is different from a missing one.
///
/// **Sharing.** Any thread may call the store, and any number of processes may have it open; each sees at once what the others wrote.
/// Readers of a value never wait. Writers wait for each other, for as long as one change takes, but never for a process that has died, and
/// for at most ``MappedStoreOptions/busyTimeout`` for one that is stopped. Iterating over all entries (``keys()``, ``entries()``,
/// ``forEach(_:)``) also makes writers wait at the beginning, while the index is scanned. After a `fork`, parent and child may both
/// continue, provided that no other thread of the parent was inside a call on the store at that moment.
///
/// **Space.** A change appends to the file. What it replaced is waste until the file is rewritten: see ``compact(progress:)``. Disk space is reserved
/// before it is used, so a full disk is an error that changes nothing.
///
/// The file must be on a local file system. On Apple platforms, on which the store has not been tested, writers in different processes use
/// the file system's lock, which is slower.
@safe
public final class MappedStore: Sendable {
    /// The path of the file; if a symbolic link was given, the path of its target.
    public let path: String
    /// How the store was opened.
    public let options: MappedStoreOptions
    /// What was found when the store was opened.
    public let openReport: MappedOpenReport

    /// The view that readers use; `nil` once closed. Holds a reference.
    let current: Atomic<Unmanaged<MappedView>?>
    /// The path, from the root of the file system: for all calls to it after opening, since the current directory may change.
    let place: String
    /// Where this store is among ``OpenStores``; `nil` if it is not.
    let registration: OpenStores.Place?
    /// Whether changes are refused: the store was opened for reading only, or its file was lost.
    let refusesChanges: Atomic<Bool>
    /// The number of changes when the path last led to the file for certain.
    let sequenceInPlace: Atomic<UInt64>
    let gate = ReaderGate()
    let fileSystem: FileSystem
    let state: Mutex<State>
    let lock: WritersLock
    /// The cipher to open the file with; changed by rekeying.
    let cipher: Mutex<(any MappedCipher)?>
    /// The waste, in bytes, above which compaction is worthwhile: higher after a failed compaction, and when compactions follow one another closely.
    let leastWaste: Atomic<Int>
    /// One compaction at a time in this process; closing waits for it.
    let compaction = CompactionTurn()
    let feed = MappedFeed()
    package let counts = MappedCounts()

    @safe
    struct State {
        /// Views that readers may still be using, and the lines of the gate that have not yet been seen without a reader.
        var retired: [(view: Unmanaged<MappedView>, lines: UInt64)] = unsafe []
        var isClosed = false
        var lastCompaction: ContinuousClock.Instant?
        /// What happened to the file, if the path no longer leads to it, and whether a call has reported it.
        var loss: (error: MappedStoreError, isReported: Bool)?
    }

    /// Opens a store, creating it if there is none.
    ///
    /// - Throws: ``MappedStoreError``: `foreignFile` if the file is not a store, `unsupportedVersion`, `keyNeeded`, `wrongKey`,
    ///   `permissionDenied`, `isDirectory`, `readOnly` if the file system is mounted read-only, `notFound` if the directory is missing, `corruption`
    ///   if no header is left, `noSpace`, `ioError`.
    /// - Complexity: O(1) plus a fast pass over the index, 8 bytes per slot; no value is read. After a crash of the machine, or of a process in the
    ///   middle of a change, every record is read once.
    public convenience init(path: String, options: MappedStoreOptions = MappedStoreOptions()) throws(MappedStoreError) {
        try self.init(path: path, options: options, fileSystem: .system)
    }

    package init(path: String, options: MappedStoreOptions, fileSystem: FileSystem) throws(MappedStoreError) {
        let path = FileSystem.followingLink(path)
        self.path = path
        place = FileSystem.absolute(path)
        registration = OpenStores.Place(place)
        refusesChanges = Atomic(options.readOnly)
        self.options = options
        self.fileSystem = fileSystem
        cipher = Mutex(options.cipher)
        leastWaste = Atomic(Int(clamping: options.compaction.minimumWaste.bytes))
        state = Mutex(State())
        lock = WritersLock(path: path, place: place, fileSystem: fileSystem, limit: options.busyTimeout, counts: counts)
        let opening = MappedOpening(path: path, place: path, options: options, cipher: options.cipher, fileSystem: fileSystem, lock: lock)
        let (view, report) = try opening.open()
        openReport = report
        sequenceInPlace = Atomic(unsafe view.header.totals.sequence)
        unsafe current = Atomic(Unmanaged.passRetained(view))
        OpenStores.add(self, view.fileIdentity)
    }

    deinit {
        OpenStores.remove(self)
        feed.close()
        if let view = unsafe current.load(ordering: .acquiring) { unsafe view.release() }
        state.withLock { state in unsafe state.retired.forEach { unsafe $0.view.release() } }
    }

    /// Closes the store. Afterwards every call except this one throws ``MappedStoreError/Code/closed``. Closing again does nothing.
    ///
    /// Waits for running calls. Nothing has to be saved first. Sequences of changes end.
    ///
    /// - Throws: ``MappedStoreError/Code/busy`` while a closure passed to the store runs, such as that of ``withValue(for:_:)`` or
    ///   ``transaction(_:)``. ``MappedStoreError/Code/replaced`` if the file was removed or replaced by another while the store was open, and changes
    ///   may have been made since, unless an error said so before; the store is closed nevertheless.
    /// - Complexity: A system call if there were changes since the path was last compared with the file.
    public func close() throws(MappedStoreError) {
        guard unsafe current.load(ordering: .acquiring) != nil else { return }
        try refuseToClose()
        guard let view = unsafe current.exchange(nil, ordering: .sequentiallyConsistent) else { return }
        OpenStores.remove(self)
        let loss = unsafe unreportedLoss(view.takeUnretainedValue())
        state.withLock { state in
            state.isClosed = true
            unsafe state.retired.append((view, .max))
        }
        feed.close()
        // Calls take microseconds; a compaction soon notices that the store was closed.
        while !releaseRetired() { Self.yield() }
        compaction.current.lock.withLock { _ in }
        if let loss { throw loss }
    }

    private func refuseToClose() throws(MappedStoreError) {
        guard !compaction.current.isMine else {
            throw MappedStoreError(.busy, "could not close \(path): this thread is compacting it")
        }
        _ = gate.fence()
        let count = gate.scopeCount
        guard count == 0 else {
            throw MappedStoreError(.busy, "could not close \(path): \(count) closure\(count == 1 ? " is" : "s are") still running on it")
        }
    }
}
