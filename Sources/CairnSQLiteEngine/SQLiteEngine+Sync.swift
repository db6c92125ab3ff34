import CairnCore
import Synchronization

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
        guard !isClosed else { throw closed }
        try syncs.wait(for: latestVersion, latest: { latestVersion }) { () throws(EngineError) in
            try syncConnection.withLock { known throws(EngineError) in
                guard !isClosed else { throw closed }
                let connection = if let known { known } else { try file.connect() }
                known = connection
                try file.attempt("syncing") { () throws(SQLiteError) in try connection.syncLog() }
            }
        }
    }
}
