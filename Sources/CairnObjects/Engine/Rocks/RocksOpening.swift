import CairnCore
import CairnRocks
import Synchronization

/// The database of a ``RocksEngine``, opened for writing no earlier than something is to be written.
///
/// Opening for writing has RocksDB write its small files anew and wait for the disk for each of them, which takes longer than most programs read. So a store
/// of few files and a short log is locked and opened for reading at first, and for writing by the first commit, or the first context that may save. Views made before go on with the files they have
/// open.
final class RocksOpening: Sendable {
    private let path: String
    private let options: RocksEngineOptions
    private let state: Mutex<State>

    private struct State {
        var database: RocksDB
        var isWritable: Bool
        /// The one for reading, as long as there are views of it beside that for writing.
        var former: RocksDB?
        /// That of the directory, while no database has it.
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
                // Opening for writing tells why, or mends it.
            }
            return State(database: try Self.open(path, options, .readWrite), isWritable: true)
        }
        self.state = Mutex(state)
    }

    /// Whether all files can stay open, and reading the log once more is cheap.
    private static func isSmall(_ path: String) -> Bool {
        let files = FileSystem.system
        guard let names = try? files.list(path), names.contains("CURRENT"), names.count <= 100 else { return false }
        let logs = names.filter { $0.hasSuffix(".log") }.map { (try? files.stat(path + "/" + $0).size) ?? .max }
        return logs.allSatisfy { $0 <= 64 << 10 }
    }

    /// - Parameter holdsFiles: Whether all files are opened, so that they may be removed.
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

    /// The database, opened for writing. For one thread at a time, which does not close it meanwhile.
    func writable() throws(EngineError) -> RocksDB {
        try state.withLock { state throws(EngineError) in
            if !state.isWritable, !state.database.isClosed { try becomeWritable(&state) }
            // Refused while there are views.
            if let former = state.former, (try? former.close()) != nil { state.former = nil }
            return state.database
        }
    }

    private func becomeWritable(_ state: inout State) throws(EngineError) {
        let reader = state.database
        // Which RocksDB takes itself.
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

    /// Not while ``writable()`` is called. Waits for readers, which may make views meanwhile.
    func close() throws(RocksError) {
        let (database, former) = state.withLock { ($0.database, $0.former) }
        try former?.close()
        try database.close()
        state.withLock { $0.lock = nil }
    }
}
