import CairnCore
import Synchronization

/// The connection that syncs the log, and the version up to which it has synced.
struct SQLiteSyncing: Sendable {
    var connection: SQLiteConnection?
    var version = EngineVersion(rawValue: 0)
}

extension SQLiteEngine {
    /// Always true: ``sync()`` can be called after commits that are not `.synced`.
    public var syncsApart: Bool { true }

    /// Makes everything committed before, by any process, survive power loss, as if committed with `Durability.synced`. Commits continue in the meantime, and
    /// threads that call this at the same time share a sync.
    ///
    /// - Throws: `EngineError.ioError`, `EngineError.noSpace`: what was committed may or may not survive. `EngineError.readOnly`, `EngineError.closed`.
    /// - Complexity: One sync of the log; none if nothing was committed since the last.
    public func sync() throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(path)' was opened for reading only") }
        let version = latestVersion
        try syncing.withLock { syncing throws(EngineError) in
            guard !isClosed else { throw closed }
            // Another thread's sync began after the commit.
            guard syncing.version < version else { return }
            let latest = latestVersion
            let connection = if let known = syncing.connection { known } else { try file.connect() }
            syncing.connection = connection
            try file.attempt("syncing") { () throws(SQLiteError) in try connection.syncLog() }
            syncing.version = latest
        }
    }
}
