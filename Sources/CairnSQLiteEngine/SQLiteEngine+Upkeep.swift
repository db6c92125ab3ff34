import CCairnSQLite
public import CairnCore
import Synchronization

extension SQLiteEngine {
    /// Copies the data to a new file at `path`, packed as tightly as possible. The copy is synced, and has the permission bits that the file has now, though
    /// its owner can always write to it. Commits continue in the meantime.
    ///
    /// - Parameter path: Where nothing exists yet, in an existing directory.
    public func makeCheckpoint(at path: String) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(self.path)' was opened for reading only") }
        guard !isClosed else { throw closed }
        let attempt = "copying '\(self.path)' to '\(path)'"
        try EngineError.checkPath(path, attempt)
        let system = FileSystem.system
        let target = FileSystem.absolute(path)
        let occupied = EngineError(.invalidArgument, "\(attempt): something already exists there; choose another path")
        guard (try? system.stat(target)) == nil else { throw occupied }
        // Created first, so that nobody can read it who cannot read the store; SQLite writes to an empty file. It gets its name once it is whole.
        let unfinished = target + ".unfinished-\(UInt64.random(in: 0 ... .max))"
        let connection = try file.connect()
        defer { try? system.unlink(unfinished) }
        do throws(SystemCallError) {
            // By its path: closing a descriptor of the file would give up the locks on it.
            let mode = try system.stat(file.path).mode | 0o600
            let descriptor = try system.open(unfinished, [.write, .create, .exclusive], mode: 0o600)
            defer { try? system.close(descriptor) }
            // Whatever the umask.
            try system.fchmod(descriptor, mode: mode)
        } catch {
            throw EngineError(creating: attempt, at: target, error)
        }
        try file.attempt("copying") { () throws(SQLiteError) in
            _ = try connection.run("VACUUM INTO '\(unfinished.replacing("'", with: "''"))'")
        }
        do throws(SystemCallError) {
            let descriptor = try system.open(unfinished, [.read, .write])
            defer { try? system.close(descriptor) }
            // Not all versions of SQLite sync it.
            try system.fsync(descriptor)
            let result = unsafe cairn_sqlite_rename(unfinished, target)
            guard result == 0 else { throw SystemCallError(call: "rename", errno: result) }
            try system.fsyncDirectory(FileSystem.split(target).directory)
        } catch  where error.errno == EngineError.alreadyExists {
            // It was made meanwhile, or is a dangling symbolic link.
            throw occupied
        } catch {
            throw EngineError(attempt, error)
        }
    }

    /// Rewrites the whole file, forgets which keys the latest commits wrote, and cuts the log. Waits for commits of other processes as a commit does.
    ///
    /// The log can only be cut once no view of this or another process uses it. Until then, that is left to a later commit, or to the last engine that
    /// closes.
    public func removeFormerData(in range: KeyRange) throws(EngineError) {
        try rewrite("removing former data from", "UPDATE commits SET change = NULL; VACUUM")
    }

    /// Rewrites the whole file as tightly as possible, syncs it, and cuts the log. Views and reads continue in the meantime. Waits for commits of other processes
    /// as a commit does, and commits of others wait for it: if it takes longer than their ``SQLiteEngineOptions/busyTimeout``, those of other processes throw
    /// `EngineError.busy`, and can be repeated.
    ///
    /// The disk must have room for two more copies of the data: one among SQLite's temporary files (in the directory that `SQLITE_TMPDIR` or `TMPDIR` names, or
    /// in `/var/tmp`), and one in the log.
    ///
    /// The file shrinks and the log is cut at once, unless a view of this or another process uses the log; then a later commit or the last engine that closes
    /// does it.
    public func compact() throws(EngineError) { try rewrite("compacting", "VACUUM") }

    private func rewrite(_ attempt: String, _ statements: String) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(path)' was opened for reading only") }
        try writer.withLock { writer throws(EngineError) in
            guard var current = writer else { throw closed }
            defer { writer = current }
            try file.attempt(attempt) { () throws(SQLiteError) in
                try current.setSyncs(true)
                try current.connection.run(statements)
                try current.cutLog()
            }
        }
    }
}

extension SQLiteWriter {
    /// Moves the log to the file and cuts it, if nobody uses it; otherwise, a later commit tries again. Waits for nobody, since others wait for the lock that
    /// it holds.
    mutating func cutLog() throws(SQLiteError) {
        connection.busy.isOff = true
        defer { connection.busy.isOff = false }
        // Its first column says whether somebody does.
        hasFormerData = try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") != "0"
    }
}
