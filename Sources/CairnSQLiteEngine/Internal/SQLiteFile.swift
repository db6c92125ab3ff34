import CCairnSQLite
import CairnCore
import Synchronization

/// The file of a store: how it is created, checked and opened.
///
/// ```
/// application ID  0x43726E53, "CrnS"
/// user version    2
/// commits         (version, total, change): the latest commits, and so the version; see SQLiteHistory
/// entries         (key, sum, value): what is stored, with checksums; see SQLiteEntry
/// larges          (id, value): the values of entries that have an ID instead of one
/// ```
struct SQLiteFile: Sendable {
    let path: String
    let options: SQLiteEngineOptions

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let applicationID: UInt32 = 0x4372_6E53
    private static let formatVersion: UInt32 = 2
    /// By name; the first version had the first two.
    private static let schema = [
        "CREATE TABLE commits (version INTEGER PRIMARY KEY, total INTEGER NOT NULL, change BLOB)",
        "CREATE TABLE entries (key BLOB NOT NULL PRIMARY KEY, sum INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE larges (id INTEGER PRIMARY KEY, value BLOB NOT NULL)",
    ]
    /// The size to which the log is cut when it starts from its beginning.
    private static let logSize = 16 << 20

    /// Held while a file is created, or opened for the first time. Closing any descriptor of a file gives up all locks that the process has on it; so the one
    /// with which it is created must be closed before SQLite opens it.
    private static let creating = Mutex(())

    /// Runs `body`, translating errors of SQLite. `attempt` is a verb, such as "reading".
    func attempt<Value>(_ attempt: String, _ body: () throws(SQLiteError) -> Value) throws(EngineError) -> Value {
        do { return try body() } catch {
            guard EngineError.meaning(of: error).0 == .busy else { throw EngineError("\(attempt) '\(path)'", error) }
            let wait = options.busyTimeout
            let reason = wait > .zero ? "other processes kept the file locked for \(wait)" : "another process has the file locked"
            throw EngineError(.busy, "\(attempt) '\(path)': \(reason); try again", cause: error)
        }
    }

    /// Opens another connection to a file that was opened before.
    func connect() throws(EngineError) -> SQLiteConnection {
        try attempt("opening") { () throws(SQLiteError) in try makeConnection() }
    }

    /// - Parameter waits: Whether to wait for a file that is read as it is, and was changed a moment ago; if not, that is an error.
    func makeConnection(waits: Bool = true) throws(SQLiteError) -> SQLiteConnection {
        guard options.readOnly else { return try makeConnection(isStill: false) }
        return try forReading(waits: waits) {
            $0
        } open: { isStill throws(SQLiteError) in
            try makeConnection(isStill: isStill)
        }
    }

    private func makeConnection(isStill: Bool) throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path,
            readOnly: options.readOnly,
            busyTimeout: options.busyTimeout,
            isStill: isStill
        )
        try configure(connection)
        // From now on, the version is known whatever others do.
        if isStill { _ = try connection.latest() }
        return connection
    }

    /// Opens a connection for reading only.
    ///
    /// Such a connection creates a log and its index if there are none. In a directory that cannot be written to, or on a full disk, it cannot; and if the store
    /// belongs to another user, that user could no longer write to it. A file without a log is then read as it is, once any later change can be seen in its
    /// time.
    private func forReading<Value, Failure: Error>(
        waits: Bool = true,
        cause: (Failure) -> SQLiteError?,
        open: (_ isStill: Bool) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let place = FileSystem.resolved(path)
        var cannotCreate = false
        // Some seconds, in which the file settles, unless others write all the time.
        var attempts = waits ? 0 : Self.mostAttempts - 1
        while true {
            let look = unsafe cairn_sqlite_look(place)
            let hasLog = look & CAIRN_SQLITE_LOGGED != 0
            let isStill = !hasLog && (cannotCreate || look & CAIRN_SQLITE_OF_OTHERS != 0)
            if !isStill || look & CAIRN_SQLITE_SETTLED != 0 || attempts == Self.mostAttempts {
                do throws(Failure) { return try open(isStill) } catch {
                    guard let cause = cause(error), attempts < Self.mostAttempts else { throw error }
                    guard cause.code.isChanged || (!hasLog && !isStill && cause.isOfPlace) else { throw error }
                    cannotCreate = cannotCreate || !cause.code.isChanged
                }
            }
            attempts += 1
            if look & CAIRN_SQLITE_SETTLED == 0 { BusyWait.pause() }
        }
    }

    /// Removes an empty log and its index, which a connection for reading only creates and cannot remove, unless somebody uses them: as the last connection for
    /// writing does when it is closed.
    func removeEmptyLog() {
        guard (try? FileSystem.system.stat(logPath))?.size == 0 else { return }
        let connection = try? SQLiteConnection(path: path, readOnly: false, busyTimeout: .zero)
        guard let connection, !connection.isReadOnly else { return }
        _ = try? connection.latest()
    }

    /// How often to try, 10 milliseconds apart.
    private static let mostAttempts = 500

    private func configure(_ connection: SQLiteConnection) throws(SQLiteError) {
        // A file that is cut while it is mapped would end the process.
        try connection.run("PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cache_size = -\(max(64, options.cacheSize.bytes >> 10)); PRAGMA journal_size_limit = \(Self.logSize)")
        #if canImport(Darwin)
        // There, a sync does not reach the disk's own memory otherwise.
        try connection.run("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
        #endif
    }

    // MARK: Opening

    typealias Opened = (connection: SQLiteConnection, version: EngineVersion)

    /// Opens the file, and creates it if that is wanted. A file of others is not changed, and nothing is left beside a file that is refused.
    func open() throws(EngineError) -> Opened {
        guard options.readOnly else { return try open(isStill: false) {} }
        var isStore = false
        do throws(EngineError) {
            return try forReading {
                $0.cause as? SQLiteError
            } open: { isStill throws(EngineError) in
                try open(isStill: isStill) { isStore = true }
            }
        } catch {
            // Its connection is closed by now.
            if isStore { removeEmptyLog() }
            throw error
        }
    }

    /// - Parameter isStore: Called once the file has the head of a store: only then may SQLite create files beside it.
    private func open(isStill: Bool, isStore: () -> Void) throws(EngineError) -> Opened {
        let connection = try Self.creating.withLock { _ throws(EngineError) in
            try createFile()
            try checkKinds()
            if !options.readOnly { try checkNames() }
            return try attempt("opening") { () throws(SQLiteError) in
                try SQLiteConnection(path: path, readOnly: options.readOnly, busyTimeout: options.busyTimeout, isStill: isStill)
            }
        }
        guard options.readOnly || !connection.isReadOnly else {
            throw EngineError(
                .permissionDenied,
                "opening '\(path)': the file is read-only; check its mode, or open it for reading only"
            )
        }
        let isEmpty = try checkHead(of: connection)
        isStore()
        if !options.readOnly { try checkLog() }
        rollBackCreation()
        try attempt("opening") { () throws(SQLiteError) in
            try configure(connection)
            if isEmpty { try initialize(connection) }
        }
        if try !checkSchema(connection) {
            guard mayCreate else { throw missing }
            try attempt("opening") { () throws(SQLiteError) in try initialize(connection) }
            guard try checkSchema(connection) else { throw damaged() }
        }
        guard !options.readOnly else { return (connection, try version(of: connection)) }
        let mode = try attempt("opening") { () throws(SQLiteError) in try useLog(connection) }
        guard mode == "wal" else {
            throw EngineError(
                .notSupported,
                "opening '\(path)': the file system does not support shared memory, which the store needs"
            )
        }
        try attempt("opening") { () throws(SQLiteError) in try upgrade(connection) }
        return (connection, try version(of: connection))
    }

    private func version(of connection: SQLiteConnection) throws(EngineError) -> EngineVersion {
        let latest = try attempt("opening") { () throws(SQLiteError) in try connection.latest() }
        guard let latest else { throw damaged() }
        return latest.version
    }

    /// Creates an empty file if there is none.
    private func createFile() throws(EngineError) {
        switch try kind() {
        case .file: return
        case .directory: throw EngineError(.isDirectory, "opening '\(path)': there is a directory at this path")
        case .other: throw EngineError(.foreignFile, "opening '\(path)': the item at this path is not a file")
        case nil: break
        }
        // Unless another process has just created both.
        if hasLog, try kind() == nil { throw lost }
        guard mayCreate else { throw missing }
        do throws(SystemCallError) {
            try FileSystem.system.close(FileSystem.system.open(path, [.write, .create, .exclusive], mode: options.mode))
        } catch  where error.errno == EngineError.alreadyExists {
            let target = FileSystem.followingLink(path)
            // If it is not such a link, another process was faster.
            guard target != path, try kind() == nil else { return }
            throw EngineError(
                .notFound,
                "opening '\(path)': it is a symbolic link to '\(target)', which does not exist; create the store there, or remove the link",
                cause: error
            )
        } catch {
            throw EngineError(creating: "creating '\(path)'", at: path, error)
        }
    }

    /// Opening for reading only: undoes what a process left that was killed while it created the store, as opening for writing does. Only then does a store
    /// have a journal. What cannot be undone is refused by the first read.
    private func rollBackCreation() {
        guard options.readOnly, let journal = try? FileSystem.system.stat(path + "-journal"), journal.size > 0 else { return }
        let connection = try? SQLiteConnection(path: path, readOnly: false, busyTimeout: options.busyTimeout)
        _ = try? connection?.run("SELECT count(*) FROM sqlite_schema")
    }

    /// Refuses a pipe in place of one of the files beside the store's: SQLite would wait for whatever writes to it.
    private func checkKinds() throws(EngineError) {
        let place = FileSystem.resolved(path)
        for suffix in ["-journal", "-wal", "-shm"] {
            do throws(FileError) { try FileSystem.system.refuseSpecialFile(at: place + suffix) } catch {
                throw EngineError(.notSupported, "opening '\(path)': \(error.message)", cause: error)
            }
        }
    }

    /// Refuses a file with several names: each has a log of its own, and processes that use different ones would lose each other's commits.
    private func checkNames() throws(EngineError) {
        guard let status = try? FileSystem.system.stat(path), status.kind == .file, status.linkCount > 1 else { return }
        throw EngineError(
            .notSupported,
            "opening '\(path)': the file has \(status.linkCount) names (hard links), but its log can belong to only one of them; "
                + "open a copy of the file, or remove its other names, or open it for reading only"
        )
    }

    /// Refuses to write if the log cannot be written to, before the first commit finds out.
    private func checkLog() throws(EngineError) {
        let place = FileSystem.resolved(path)
        for suffix in ["-wal", "-shm"] where unsafe cairn_sqlite_may_write(place + suffix) == 0 {
            throw EngineError(
                .permissionDenied,
                "opening '\(path)': '\(place)\(suffix)', which belongs to the store, cannot be written to; give '\(place)-wal' and '\(place)-shm' "
                    + "the same owner and mode as the store. If '\(place)-wal' is empty and no process has the store open, both can be removed instead"
            )
        }
    }

    /// Where the file's log is.
    var logPath: String { FileSystem.resolved(path) + "-wal" }

    private var hasLog: Bool { (try? FileSystem.system.stat(logPath))?.size ?? 0 > 0 }

    /// The error of a log whose file is missing.
    private var lost: EngineError {
        EngineError(
            .corruption,
            "opening '\(path)': the log '\(logPath)' exists without its file; if the file was moved, move the log with it "
                + "and give it the file's name followed by '-wal'; if not, restore a backup and remove the log"
        )
    }

    /// What is at the path.
    private func kind() throws(EngineError) -> FileStatus.Kind? {
        do throws(SystemCallError) { return try FileSystem.system.stat(path).kind } catch {
            let failure = EngineError("opening '\(path)'", error)
            guard failure.code == .notFound else { throw failure }
            return nil
        }
    }

    private var mayCreate: Bool { options.createIfMissing && !options.readOnly }

    private var missing: EngineError {
        EngineError(.notFound, "opening '\(path)': there is no store at this path")
    }

    /// Returns whether the file is empty, and throws unless it is empty or a store.
    private func checkHead(of connection: SQLiteConnection) throws(EngineError) -> Bool {
        var head = try attempt("opening") { () throws(SQLiteError) in try connection.firstBytes(100) }
        if head.isEmpty {
            guard mayCreate || hasLog else { throw missing }
            guard hasLog else { return true }
            // Another process has just created the file, or SQLite would delete the log.
            head = try attempt("opening") { () throws(SQLiteError) in try connection.firstBytes(100) }
            guard !head.isEmpty else { throw lost }
        }
        guard head.count == 100, head.starts(with: Self.magic) else {
            throw EngineError(.foreignFile, "opening '\(path)': the file is not a store, or is only part of one")
        }
        guard Self.number(head, at: 68) == Self.applicationID else {
            throw EngineError(.foreignFile, "opening '\(path)': the file is another program's SQLite database")
        }
        try checkVersion(Self.number(head, at: 60))
        return false
    }

    private func checkVersion(_ version: UInt32) throws(EngineError) {
        guard version != 1, version != Self.formatVersion else { return }
        throw EngineError(
            .notSupported,
            "opening '\(path)': the store has format \(version), but this release supports only up to \(Self.formatVersion); update the program"
        )
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Creates the tables, unless another process has.
    private func initialize(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.setPageSize()
        try connection.run("BEGIN EXCLUSIVE")
        if try connection.run("SELECT count(*) FROM sqlite_schema") == "0" {
            try connection.run(Self.schema.joined(separator: ";"))
            try connection.run("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(Self.formatVersion)")
            try connection.run("INSERT INTO commits VALUES (0, 0, NULL)")
        }
        try connection.run("COMMIT")
    }

    /// Adds the table that a file of the first version does not have.
    private func upgrade(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try connection.run("PRAGMA user_version") == "1" else { return }
        try connection.run("BEGIN IMMEDIATE")
        if try connection.run("PRAGMA user_version") == "1" {
            try connection.run("\(Self.schema[2]); PRAGMA user_version = \(Self.formatVersion)")
        }
        try connection.run("COMMIT")
    }

    /// Makes the file have a log, if it has none, and returns what it has.
    private func useLog(_ connection: SQLiteConnection) throws(SQLiteError) -> String {
        let busy = BusyWait(timeout: options.busyTimeout)
        var attempts = 0
        while true {
            do throws(SQLiteError) { return try connection.run("PRAGMA journal_mode = WAL") } catch {
                // SQLite does not wait where two connections might wait for each other.
                guard EngineError.meaning(of: error).0 == .busy, busy.wait(attempts) else { throw error }
                attempts += 1
            }
        }
    }

    /// Throws unless the tables are those of a store. Returns false if there is nothing: a process was killed while it created the file.
    private func checkSchema(_ connection: SQLiteConnection) throws(EngineError) -> Bool {
        let (size, version, schema) = try attempt("opening") { () throws(SQLiteError) in
            // In one transaction: the first that reads the file, and so recovers what a killed process left.
            try connection.run("BEGIN")
            let size = try connection.run("PRAGMA page_count")
            let version = try connection.run("PRAGMA user_version")
            let schema = try connection.run("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)")
            try connection.run("COMMIT")
            return (size, version, schema)
        }
        guard size != "0" else { return false }
        try checkVersion(UInt32(version) ?? 0)
        let tables = version == "1" ? Self.schema[..<2] : Self.schema[...]
        guard schema == tables.joined(separator: ";") else { throw damaged() }
        return true
    }

    func damaged() -> EngineError { EngineError(.corruption, "reading '\(path)': the file is damaged; restore a backup") }
}
