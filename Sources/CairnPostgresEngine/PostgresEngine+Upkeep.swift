public import CairnCore
import CairnEngine

extension PostgresEngine {
    /// Removes versions that are older than the retention, as engines do every few seconds by themselves.
    ///
    /// Recently overwritten values stay until the retention is over, since views of others may see them; removed values stay in PostgreSQL's files until it has
    /// vacuumed them, and in its log and backups.
    public func removeFormerData(in range: KeyRange) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        guard !pool.isClosed else { throw pool.closed }
        try news.clean()
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
