import CairnCore
import CairnRocks
import Synchronization

/// The database of a ``RocksEngine``, opened for writing only when needed.
///
/// When opened for writing, RocksDB rewrites its small files and syncs each of them, which takes longer than most programs spend reading. So a store
/// with few files is first locked and opened for reading, and opened for writing by the first commit, or the first context that may save. So is any store
/// on a full disk. Earlier views keep using the files that they have open.
///
/// A long log, which a killed process leaves, is read into memory each time. Opening for writing writes it to a file, at the latest when the store is
/// closed.
final class RocksOpening: Sendable {
    /// For messages.
    private let path: String
    /// The directory, even after the current directory has changed.
    private let place: String
    private let options: RocksEngineOptions
    private let state: Mutex<State>

    private struct State {
        var database: RocksDB
        var isWritable: Bool
        /// The database opened for reading, while it has views after the store was opened for writing.
        var former: RocksDB?
        /// The lock of the directory, while no database holds it.
        var lock: DirectoryLock?
        /// Whether the log that was found is worth a file.
        var hasLongLog = false
    }

    init(path: String, place: String, options: RocksEngineOptions) throws(EngineError) {
        self.path = path
        self.place = place
        self.options = options
        let state = try EngineError.translating("opening the store at '\(path)'") { () throws(RocksError) in try Self.open(path, options) }
        self.state = Mutex(state)
    }

    private static func open(_ path: String, _ options: RocksEngineOptions) throws(RocksError) -> State {
        if options.readOnly { return State(database: try open(path, options, .readOnly), isWritable: false) }
        let found = Contents(path)
        if let found, found.files <= 100, found.log <= options.memoryBudget.bytes / 2, let state = try openLocked(path, options, found) {
            return state
        }
        // Opening for writing reports errors, or repairs what it can.
        do throws(RocksError) {
            return State(database: try open(path, options, .readWrite), isWritable: true)
        } catch {
            // There is no room to write the log to a file. All of it can be read, and the first commit tries again.
            guard error.code == .noSpace, let found, let state = try openLocked(path, options, found)
            else {
                throw error
            }
            return state
        }
    }

    /// Opens the store for reading, and locks it; `nil` if it cannot be read.
    private static func openLocked(_ path: String, _ options: RocksEngineOptions, _ found: Contents) throws(RocksError) -> State? {
        let lock = try DirectoryLock(path: path)
        guard let reader = try? open(path, options, .readOnly, holdsFiles: true) else { return nil }
        return State(database: reader, isWritable: false, lock: lock, hasLongLog: found.log > UnflushedWrites.shortLog)
    }

    /// What is in the directory of a store.
    private struct Contents {
        var files = 0
        /// Bytes.
        var log: Int64 = 0

        /// Fails if there is no store, or it cannot be listed.
        init?(_ path: String) {
            let system = FileSystem.system
            guard let names = try? system.list(path), names.contains("CURRENT") else { return nil }
            files = names.count
            for name in names where name.hasSuffix(".log") {
                guard let size = try? system.stat(path + "/" + name).size else { return nil }
                log += size
            }
        }
    }

    /// - Parameter holdsFiles: Whether to open all files, so that they can be removed.
    private static func open(
        _ path: String,
        _ options: RocksEngineOptions,
        _ mode: RocksDB.OpenMode,
        holdsFiles: Bool = false
    ) throws(RocksError) -> RocksDB {
        var databaseOptions = options.databaseOptions
        if holdsFiles { databaseOptions.maxOpenFiles = -1 }
        return try RocksDB(path: path, options: databaseOptions, columnFamilyOptions: options.columnFamilyOptions, mode: mode)
    }

    /// Writes what is only in the log to a file, if that `isWorthAFile` or was a long log before. If that fails, it stays in the log. As for
    /// ``writable()``.
    func shortenLog(isWorthAFile: Bool) {
        let (writer, hasLongLog) = state.withLock { ($0.isWritable ? $0.database : nil, $0.hasLongLog) }
        if let writer {
            if isWorthAFile { try? writer.flush(nil, allowsWriteStall: true) }
        } else if hasLongLog {
            _ = try? writable()
        }
    }

    var database: RocksDB { state.withLock { $0.database } }

    var isClosed: Bool { state.withLock { $0.database.isClosed } }

    func makeSnapshot() throws(RocksError) -> Snapshot {
        try state.withLock { state throws(RocksError) in try state.database.makeSnapshot() }
    }

    func latestSequenceNumber() throws(RocksError) -> UInt64 {
        try state.withLock { state throws(RocksError) in try state.database.latestSequenceNumber() }
    }

    /// Returns the database, opened for writing. For one thread at a time, which must not close it in the meantime.
    func writable() throws(EngineError) -> RocksDB {
        try state.withLock { state throws(EngineError) in
            if !state.isWritable, !state.database.isClosed { try becomeWritable(&state) }
            // Fails while there are views.
            if let former = state.former, (try? former.close()) != nil { state.former = nil }
            return state.database
        }
    }

    private func becomeWritable(_ state: inout State) throws(EngineError) {
        let reader = state.database
        // RocksDB takes the lock itself.
        state.lock = nil
        do throws(EngineError) {
            let (writer, isSame) = try EngineError.translating("opening the store at '\(path)' for writing") { () throws(RocksError) in
                let version = try reader.latestSequenceNumber()
                let writer = try Self.open(place, options, .readWrite)
                return (writer, try writer.latestSequenceNumber() == version)
            }
            guard isSame else {
                try? writer.close()
                throw EngineError(.locked, "another process has just written to the store at '\(path)': open it again")
            }
            state.database = writer
        } catch {
            state.lock = try? DirectoryLock(path: place)
            throw error
        }
        state.former = reader
        state.isWritable = true
    }

    /// Must not be called during ``writable()``. Waits for readers, which may make views in the meantime.
    func close() throws(RocksError) {
        let (database, former) = state.withLock { ($0.database, $0.former) }
        try former?.close()
        try database.close()
        state.withLock { $0.lock = nil }
    }
}
