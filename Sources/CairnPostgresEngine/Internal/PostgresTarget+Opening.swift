import CairnCore
import CairnEngine

/// What identifies a store.
struct PostgresHead {
    let identity: String
    let retention: Duration
}

extension PostgresTarget {
    /// Connects, and creates the store if that is wanted.
    func open() throws(EngineError) -> (PostgresConnection, PostgresHead) {
        let connection = try attempt { () throws(PostgresError) in try PostgresConnection(self) }
        if let head = try head(connection) { return (connection, head) }
        // Another client may have created it since.
        if try hasTables(connection) {
            guard let head = try head(connection) else { throw foreign() }
            return (connection, head)
        }
        guard options.createIfMissing, !options.readOnly else {
            throw EngineError(.notFound, "opening \(description): there is no such store")
        }
        var attempts = 0
        while true {
            var collision: PostgresError?
            do throws(PostgresError) { _ = try connection.run("BEGIN; \(schema.creation); COMMIT") } catch {
                _ = try? connection.run("ROLLBACK")
                // Another client may be creating it, which causes several kinds of errors.
                guard error.isDuplicate || error.isCollision || error.code.rawValue == "XX000" else {
                    throw EngineError("creating \(description)", error)
                }
                collision = error
            }
            if let head = try head(connection) { return (connection, head) }
            attempts += 1
            guard attempts < 5 else { throw foreign(collision) }
        }
    }

    /// Throws if the store cannot be created; it must not exist.
    func checkCreation() throws(EngineError) {
        let connection = try attempt { () throws(PostgresError) in try PostgresConnection(self) }
        do { _ = try connection.run("BEGIN; \(schema.creation); ROLLBACK") } catch { throw EngineError("creating \(description)", error) }
    }

    /// Reads the identity of the store; `nil` if there is none.
    private func head(_ connection: PostgresConnection) throws(EngineError) -> PostgresHead? {
        var text: String?
        do throws(PostgresError) {
            if let retention = options.retention, !options.readOnly {
                let milliseconds = retention.timeoutMilliseconds()
                _ = try connection.run("UPDATE \(schema.name).store SET retention = \(milliseconds) WHERE retention <> \(milliseconds)")
            }
            let lacksFunction = "to_regproc('\(schema.commitName)') IS NULL"
            text = try connection.run(
                "SELECT format || ' ' || retention || ' ' || identity::uuid || ' ' || (\(lacksFunction)) FROM \(schema.name).store"
            )
        } catch {
            guard !error.isMissing else { return nil }
            // A column is missing.
            guard error.code.rawValue != "42703" else { throw foreign(error) }
            throw EngineError("opening \(description)", error)
        }
        let parts = text?.split(separator: " ") ?? []
        guard parts.count == 4, let format = Int(parts[0]), let retention = Int(parts[1]) else {
            throw EngineError(.corruption, "opening \(description): the row that identifies the store is missing; restore a backup")
        }
        guard format == PostgresSchema.format else {
            let message =
                "the store has format \(format), but this release supports only format \(PostgresSchema.format); update the program"
            throw EngineError(.notSupported, "opening \(description): \(message)")
        }
        if parts[3] == "true", !options.readOnly { try addCommitFunction(connection) }
        return PostgresHead(identity: String(parts[2]), retention: .milliseconds(retention))
    }

    /// For a store that an earlier version of Cairn created.
    private func addCommitFunction(_ connection: PostgresConnection) throws(EngineError) {
        do throws(PostgresError) { _ = try connection.run(schema.commitFunction) } catch {
            // Another client may have been faster.
            guard error.isDuplicate else { throw EngineError("opening \(description)", error) }
        }
    }

    private func hasTables(_ connection: PostgresConnection) throws(EngineError) -> Bool {
        let schema = "SELECT oid FROM pg_namespace WHERE nspname = '\(schema.store)'"
        return try attempt { () throws(PostgresError) in
            try connection.run("SELECT 1 FROM pg_class WHERE relnamespace IN (\(schema)) LIMIT 1") != nil
        }
    }

    private func foreign(_ cause: PostgresError? = nil) -> EngineError {
        EngineError(.foreignFile, "opening \(description): the schema contains another program's tables; choose another name", cause: cause)
    }

    private func attempt<Value>(_ body: () throws(PostgresError) -> Value) throws(EngineError) -> Value {
        do { return try body() } catch { throw EngineError("opening \(description)", error) }
    }
}
