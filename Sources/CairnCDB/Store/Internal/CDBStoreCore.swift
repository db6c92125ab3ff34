import CCairn
import CairnCore
import Synchronization

/// The byte-level implementation of a store: the file as it was read, the changes since, and how they become a new file.
final class CDBStoreCore: Sendable {
    /// For messages.
    let path: String
    /// The path of the file, also when the current directory has changed.
    let place: String
    let options: CDBStoreOptions
    let fileSystem: FileSystem
    let scheduler: any CDBScheduler

    struct State {
        var view: CDBView
        var changes = CDBChanges()
        /// Whether a save is writing some of the changes.
        var isSaving = false
        var isClosed = false
        /// Counts events that may make a decoded value stale.
        var version: UInt64 = 0
        /// Counts events that may make all decoded values stale.
        var generation: UInt64 = 0
        /// Whether a file is in place whose name power loss might undo.
        var isDirectoryUnsynced = false
        var autosave: CDBTimer?
        /// The threads that compute a value for an update.
        var updating: Set<UInt> = []
        /// Counts calls of `autosave`.
        var autosaveNumber = 0
        var soon: CDBTimer?

        mutating func outdateAll() {
            version += 1
            generation += 1
        }
    }

    let state: Mutex<State>
    /// Held while a file is written: saves run one at a time.
    let saving = Mutex(())

    init(path: String, options: CDBStoreOptions, fileSystem: FileSystem, scheduler: any CDBScheduler) throws(CDBError) {
        self.path = path
        place = FileSystem.absolute(path)
        self.options = options
        self.fileSystem = fileSystem
        self.scheduler = scheduler
        state = Mutex(State(view: try CDBView(path: path, name: path, options: options, fileSystem: fileSystem)))
    }

    // There are no references left, so no other thread can use this object.
    deinit { do { try close() } catch { options.onAutosaveFailure?(error) } }

    /// Runs `body` on the state of an open store.
    func with<Value: ~Copyable>(_ attempt: String, _ body: (inout sending State) throws(CDBError) -> sending Value) throws(CDBError)
        -> sending Value
    {
        try state.withLock { (state) throws(CDBError) in
            guard !state.isClosed else { throw CDBError(.closed, "could not \(attempt) \(path): the store is closed") }
            return try body(&state)
        }
    }

    /// Same as ``with(_:_:)``, for calls that make running updates start again. Refuses a thread that is computing a value for an update, which would
    /// then never end.
    func changing<Value>(
        _ attempt: String,
        _ body: (inout sending State) throws(CDBError) -> sending Value
    ) throws(CDBError) -> sending Value {
        try with(attempt) { state throws(CDBError) in
            guard state.updating.isEmpty || !state.updating.contains(UInt(cairn_thread_id())) else {
                throw CDBError(
                    .busy,
                    "could not \(attempt) \(path): this thread is inside an update closure of this store; change the value passed to the closure, and "
                        + "make other changes before or after the update"
                )
            }
            return try body(&state)
        }
    }
}

// MARK: - Reading

extension CDBStoreCore {
    /// The current location of a value: among the changes, or in a file that exists as long as its view.
    enum Found {
        case missing
        case changed([UInt8])
        case stored(CDBLocation, CDBReader)
    }

    /// Finds a key, and returns the version of what was found.
    func find(_ key: [UInt8]) throws(CDBError) -> (found: Found, version: UInt64) {
        let (change, view, hidesFile, version) = try with("read") { state throws(CDBError) in
            (state.changes[key], state.view, state.changes.hidesFile, state.version)
        }
        if let change { return (change.value.map { .changed($0) } ?? .missing, version) }
        guard !hidesFile, let reader = view.reader, let location = try view.locate(key) else { return (.missing, version) }
        return (.stored(location, reader), version)
    }

    /// Lends the value of a key.
    func lend<Value>(_ key: [UInt8], to body: (RawSpan, _ version: UInt64) throws -> Value) throws -> Value? {
        let (found, version) = try find(key)
        switch found {
        case .missing: return nil
        case .changed(let bytes): return try unsafe body(bytes.span.bytes, version)
        case .stored(let location, let reader): return try reader.lend(location) { try body($0, version) }
        }
    }

    var version: UInt64 { state.withLock { $0.version } }

    func count() throws(CDBError) -> Int {
        let (changes, view) = try snapshot("count")
        return try (changes.hidesFile ? 0 : view.count()) + changes.addedCount
    }

    /// Returns the changes and the file under them, at one moment.
    func snapshot(_ attempt: String) throws(CDBError) -> (changes: CDBChanges, view: CDBView) {
        try with(attempt) { state throws(CDBError) in (state.changes, state.view) }
    }

    /// Calls `body` with each key and value, as of one moment: those of the file in its order, with changed ones in their place, then new ones in the
    /// order in which they were first set.
    func forEach(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
        let (changes, view) = try snapshot("read")
        try Self.merge(changes, view, body)
    }

    static func merge(_ changes: CDBChanges, _ view: CDBView, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws {
        let hasChanges = !changes.isEmpty
        if !changes.hidesFile {
            try view.forEach { key, value in
                guard hasChanges, let change = changes[[UInt8](copying: key)] else {
                    try body(key, value)
                    return true
                }
                if let value = change.value { try unsafe body(key, value.span.bytes) }
                return true
            }
        }
        for change in changes.all where !change.isInFile {
            if let value = change.value { try unsafe body(change.key.span.bytes, value.span.bytes) }
        }
    }
}

// MARK: - Changing

extension CDBStoreCore {
    /// Sets or deletes a value; returns whether the key existed. Setting the same value is not a change.
    @discardableResult
    func set(_ key: [UInt8], to value: [UInt8]?) throws(CDBError) -> Bool {
        try changing("change") { state throws(CDBError) in try Self.set(key, to: value, in: &state) }
    }

    /// Sets a value if nothing was changed since that version; returns whether it did.
    func set(_ key: [UInt8], to value: [UInt8], ifVersion version: UInt64) throws(CDBError) -> Bool {
        try with("change") { state throws(CDBError) in
            guard state.version == version else { return false }
            _ = try Self.set(key, to: value, in: &state)
            return true
        }
    }

    private static func set(_ key: [UInt8], to value: [UInt8]?, in state: inout State) throws(CDBError) -> Bool {
        let old = state.changes[key]
        let isInFile = try state.changes.hidesFile ? false : state.view.locate(key) != nil
        let wasThere = old.map { $0.value != nil } ?? isInFile
        state.version += 1
        let isAsInFile = if let value { isInFile ? try state.view.holds(value, for: key) : false } else { !isInFile }
        if isAsInFile, !state.isSaving {
            state.changes.takeBack(key)
        } else {
            state.changes.set(key, to: value, isInFile: isInFile)
        }
        return wasThere
    }

    func removeAll() throws(CDBError) {
        try changing("change") { state throws(CDBError) in
            state.outdateAll()
            state.changes.removeAll()
        }
    }

    /// Calls `body`, which computes a value for an update, and during which its thread cannot change the store.
    func computing<Value>(_ body: () throws -> Value) throws -> Value {
        let thread = UInt(cairn_thread_id())
        try changing("change") { state throws(CDBError) in _ = state.updating.insert(thread) }
        defer { state.withLock { _ = $0.updating.remove(thread) } }
        return try body()
    }

    /// Whether there is something to save.
    var hasChanges: Bool { state.withLock { !$0.changes.isEmpty } }
}
