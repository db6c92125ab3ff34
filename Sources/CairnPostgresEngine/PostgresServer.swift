/// What a server that speaks PostgreSQL's protocol can do; see ``PostgresEngineOptions/server``.
public struct PostgresServer: Sendable, Hashable {
    /// Whether it has LISTEN and NOTIFY. Without them, engines poll for commits every ``PostgresEngineOptions/newsInterval``.
    public var notifies = true
    /// Whether it has PostgreSQL's planner settings, which make each statement use the table's index from the beginning, before statistics exist.
    public var hasPlannerSettings = true

    /// PostgreSQL.
    public init() {}

    /// PostgreSQL, 14 or later.
    public static let postgreSQL = PostgresServer()

    /// YugabyteDB (YSQL), from its documentation: Cairn was not run on it.
    public static let yugabyteDB = {
        var server = PostgresServer()
        server.notifies = false
        return server
    }()

    /// CockroachDB, from its documentation: Cairn was not run on it.
    public static let cockroachDB = {
        var server = PostgresServer()
        server.notifies = false
        server.hasPlannerSettings = false
        return server
    }()
}
