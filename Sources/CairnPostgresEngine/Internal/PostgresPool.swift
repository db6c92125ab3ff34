import CairnCore
import CairnEngine
import Dispatch

/// The connections of an engine. A call that loses its connection is repeated on another one, until it succeeds or ``PostgresEngineOptions/retryTimeout`` is over:
/// all statements can safely be performed twice, commits because of their names.
final class PostgresPool: Sendable {
    let target: PostgresTarget
    /// Pages of objects that were read. Forgotten when a connection is lost: the server that takes over may lack the last commits.
    let values: ValueCache
    private let idle: IdleConnections<PostgresConnection>
    /// The identity of the store; each statement refuses any other.
    private let identity: String
    /// Counts the connections that may still be used.
    private let free: DispatchSemaphore

    init(_ target: PostgresTarget, identity: String, _ connection: PostgresConnection) {
        self.target = target
        values = ValueCache(capacity: Int(clamping: target.options.objectCacheSize.bytes))
        self.identity = identity
        idle = IdleConnections([connection])
        free = DispatchSemaphore(value: target.options.connections)
    }

    var closed: EngineError { EngineError(.closed, "\(target.description) was closed") }
    var isClosed: Bool { idle.isClosed }

    /// Connections in use are closed when they are given back.
    func close() { idle.close() }

    // MARK: Calls

    /// Runs a statement.
    ///
    /// - Parameters:
    ///   - attempt: What is attempted, for messages, such as "reading".
    ///   - retries: Whether to try again when the connection is lost.
    ///   - writes: Whether a lost answer leaves it open whether something was written.
    func run(
        _ query: PostgresQuery,
        _ attempt: String,
        retries: Bool = true,
        writes: Bool = false,
        _ parameters: PostgresParameters = PostgresParameters()
    ) throws(EngineError) -> PostgresRows {
        try self.retrying(attempt, retries: retries, writes: writes) { connection throws(PostgresError) in
            let rows = try connection.run(query, on: identity, parameters)
            guard rows.count > 0 else { throw .incomplete }
            guard !rows.isNull(0, 0) else { throw .replaced }
            guard query != .commit || rows.number(0, 0) != 4 else { throw .forgotten }
            return rows
        }
    }

    private func retrying<Value>(
        _ attempt: String,
        retries: Bool,
        writes: Bool,
        _ body: (PostgresConnection) throws(PostgresError) -> Value
    ) throws(EngineError) -> Value {
        guard !isClosed else { throw closed }
        guard !writes || !TaskCancellation.isCancelled else { throw failure(attempt, .cancelled, false, writes) }
        let timeout = target.options.retryTimeout.timeout
        let end = ContinuousClock.now + (retries ? timeout : .zero)
        switch TaskCancellation.wait(until: .now + timeout, { free.wait(timeout: .now() + .milliseconds($0)) == .success }) {
        case .done: break
        case .cancelled: throw failure(attempt, .cancelled, false, writes)
        case .late:
            throw EngineError(
                .unavailable,
                "\(attempt) \(target.description): all connections are in use (\(target.options.connections)); allow more",
                isOutcomeUnknown: false
            )
        }
        defer { free.signal() }
        var pause = Backoff()
        // Whether an answer was lost.
        var isUnknown = false
        // How often the only host refused to write.
        var refusals = 0
        while true {
            do throws(PostgresError) {
                let connection = try TaskCancellation.shielded(isUnknown) { () throws(PostgresError) in try take() }
                do throws(PostgresError) {
                    // A commit that was sent is waited for.
                    let value = try TaskCancellation.shielded(writes) { () throws(PostgresError) in try body(connection) }
                    idle.giveBack(connection)
                    return value
                } catch {
                    isUnknown = isUnknown || writes && error.mayBePerformed
                    guard error.wantsOtherConnection else {
                        // The answer may still come.
                        if !error.isCancelled { idle.giveBack(connection) }
                        throw error
                    }
                    // Connections that were idle when the server went away are lost too.
                    idle.removeAll()
                    values.removeAll()
                    // The connection that was idle may be to a server that others have replaced.
                    if error.isReadOnly, connection.hasOneHost { refusals += 1 }
                    throw error
                }
            } catch {
                guard error.wantsOtherConnection || error.isCollision else { throw failure(attempt, error, isUnknown, writes) }
                guard !isClosed, refusals < 2, pause.fits(before: end) else { throw failure(attempt, error, isUnknown, writes) }
            }
            TaskCancellation.shielded(isUnknown) { pause.wait() }
            guard isUnknown || !TaskCancellation.isCancelled else { throw failure(attempt, .cancelled, false, writes) }
        }
    }

    private func failure(_ attempt: String, _ error: PostgresError, _ isUnknown: Bool, _ writes: Bool) -> EngineError {
        guard !isUnknown else {
            let message = "it is unknown whether the commit was performed; read the data to find out"
            return EngineError(.unavailable, "\(attempt) \(target.description): the connection was lost, and \(message)", cause: error)
        }
        guard !isClosed else { return closed }
        if writes, error.isTimeout {
            let message =
                "other clients kept the server busy for \(target.options.statementTimeout); nothing was written: try again"
            return EngineError(.busy, "\(attempt) \(target.description): \(message)", cause: error)
        }
        return EngineError("\(attempt) \(target.description)", error)
    }

    // MARK: Connections

    /// A connection; a new one if none is idle.
    private func take() throws(PostgresError) -> PostgresConnection {
        if let connection = idle.take() { return connection }
        return try connectUnlessCancelled()
    }

    /// A connection that is not part of the pool.
    func connect() throws(PostgresError) -> PostgresConnection { try PostgresConnection(target) }
}

extension PostgresPool {
    /// The latest version, when the store is opened: it has been found, so nothing of it can be missing.
    func latest() throws(EngineError) -> PostgresRows {
        do { return try run(.latest, "opening", retries: false) } catch {
            guard error.code == .notFound else { throw error }
            throw EngineError(.corruption, "opening \(target.description): the store is incomplete; restore it", cause: error.cause)
        }
    }

    /// Lets the server reuse the space of removed rows, if the user owns the tables. If not, or if others keep it from that, the server does so by itself later.
    func vacuum() {
        let name = target.schema.name
        _ = try? connect().run("VACUUM \(name).entries, \(name).commits")
    }

    /// Does what commits and cleaning up do, on a separate connection, and rolls it back.
    func checkWriting() throws(EngineError) {
        let name = target.schema.name
        let statements = [
            // With a name and a key that hardly anybody uses.
            """
            SELECT \(target.schema.commitName)('\(identity)', convert_to(gen_random_uuid()::text, 'UTF8'), 1, 0, \
            (SELECT max(version) FROM \(name).commits), '{}', '{}', \(Int64.max), '{}', '{}', '{}', '{}', '{}', '{}', '{}', \
            ARRAY['\\x\(String(repeating: "ff", count: PostgresKey.largestSize))'::bytea], ARRAY['\\x'::bytea])
            """,
            "DELETE FROM \(name).entries WHERE false", "DELETE FROM \(name).commits WHERE false", "SELECT \(name).clean_1(0)",
            "UPDATE \(name).store SET floor = floor WHERE false",
        ]
        do throws(PostgresError) {
            let connection = try connect()
            // If one fails, the connection ends with the transaction.
            _ = try connection.run("BEGIN; \(statements.joined(separator: "; ")); ROLLBACK")
        } catch {
            throw EngineError("writing to \(target.description)", error)
        }
    }
}
