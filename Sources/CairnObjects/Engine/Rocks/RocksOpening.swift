import CairnCore
import CairnRocks
import Synchronization

/// The database of a ``RocksEngine``, opened for writing only when needed.
///
/// When opened for writing, RocksDB rewrites its small files and syncs each of them, which takes longer than most programs spend reading. So a store
/// with few files and a short log is first locked and opened for reading, and opened for writing by the first commit, or the first context that may
/// save. Earlier views keep using the files that they have open.
final class RocksOpening: Sendable {
    private let path: String
    private let options: RocksEngineOptions
    private let state: Mutex<State>

    private struct State {
        var database: RocksDB
        var isWritable: Bool
        /// The database opened for reading, while it has views after the store was opened for writing.
        var former: RocksDB?
        /// The lock of the directory, while no database holds it.
        var lock: DirectoryLock?
    }

    init(path: String, options: RocksEngineOptions) throws(EngineError) {
        self.path = path
        self.options = options
        let state = try EngineError.translating("opening the store at '\(path)'") { () throws(RocksError) in
            if options.readOnly { return State(database: try Self.open(path, options, .readOnly), isWritable: false) }
            if Self.isSmall(path) {
                let lock = try DirectoryLock(path: path)
                if let reader = try? Self.open(path, options, .readOnly, holdsFiles: true) {
                    return State(database: reader, isWritable: false, lock: lock)
                }
                // Opening for writing reports the error, or repairs it.
            }
            return State(database: try Self.open(path, options, .readWrite), isWritable: true)
        }
        self.state = Mutex(state)
    }

    /// Whether all files can stay open, and reading the log again is cheap.
    private static func isSmall(_ path: String) -> Bool {
        let files = FileSystem.system
        guard let names = try? files.list(path), names.contains("CURRENT"), names.count <= 100 else { return false }
        let logs = names.filter { $0.hasSuffix(".log") }.map { (try? files.stat(path + "/" + $0).size) ?? .max }
        return logs.allSatisfy { $0 <= 64 << 10 }
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
                let writer = try Self.open(path, options, .readWrite)
                return (writer, try writer.latestSequenceNumber() == version)
            }
            guard isSame else {
                try? writer.close()
                throw EngineError(.locked, "another process has just written to the store at '\(path)': open it again")
            }
            state.database = writer
        } catch {
            state.lock = try? DirectoryLock(path: path)
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
