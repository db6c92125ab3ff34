public import CairnCore
import CairnEngine

extension PostgresEngine {
    /// Removes old versions that are older than the retention, as engines do every few seconds by themselves.
    ///
    /// What was overwritten lately stays until the retention is over, since views of others may see it; what was removed stays in PostgreSQL's files until it has vacuumed them, and in its
    /// log and backups.
    public func removeFormerData(in range: KeyRange) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        guard !pool.isClosed else { throw pool.closed }
        try news.clean()
    }

    /// The statements that create a store, for an administrator who lets programs create none: run them in one transaction, and grant what the guide says.
    ///
    /// - Throws: `EngineError.invalidArgument` for a name that a store cannot have.
    public static func creationStatements(store: String = "cairn", server: PostgresServer = .postgreSQL) throws(EngineError) -> String {
        let schema = PostgresSchema(store: store, server: server)
        guard schema.isValid else { throw schema.invalid }
        return schema.creation + ";\n"
    }
}
