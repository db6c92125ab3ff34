public import CairnCore
import CairnEngine

extension PostgresEngine {
    /// Removes the rows of all values that have been overwritten or deleted, in `range` or not, without waiting for the retention: reading from views made before
    /// throws `EngineError.expired`, also in other programs. Views of object stores are renewed.
    ///
    /// Then it vacuums the tables, if the user owns them or the database, and the server can do so within ``PostgresEngineOptions/statementTimeout``; otherwise,
    /// PostgreSQL's own vacuum does it later. Bytes of the values can remain in unused parts of its files until others take their place, and in its log,
    /// standbys and backups: see the guide.
    public func removeFormerData(in range: KeyRange) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        guard !pool.isClosed else { throw pool.closed }
        try news.cleanAll()
        pool.vacuum()
    }

    /// - Throws: `EngineError.notSupported`, always: engines remove old versions every few seconds, and PostgreSQL's autovacuum lets new ones take their space.
    ///   Only its administrator can return that space to the file system, with `VACUUM FULL`, which locks the tables.
    public func compact() throws(EngineError) {
        throw EngineError(
            .notSupported,
            "compacting \(pool.target.description): PostgreSQL does that by itself (autovacuum); to return space to its file system, an administrator can run VACUUM FULL"
        )
    }

    /// The statements that create a store, for an administrator whose programs must not create stores: run them in one transaction, and grant the
    /// privileges that the guide lists.
    ///
    /// - Throws: `EngineError.invalidArgument` for a name that a store cannot have.
    public static func creationStatements(store: String = "cairn", server: PostgresServer = .postgreSQL) throws(EngineError) -> String {
        let schema = PostgresSchema(store: store, server: server)
        guard schema.isValid else { throw schema.invalid }
        return schema.creation + ";\n"
    }
}
