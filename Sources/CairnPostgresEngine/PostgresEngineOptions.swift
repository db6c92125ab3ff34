public import CairnCore

/// Options for opening a ``PostgresEngine``.
public struct PostgresEngineOptions: Sendable {
    /// Whether to create the store if the database has none of that name. Default: true.
    public var createIfMissing = true
    /// Whether to open for reading only: then the user needs no privilege to write, and the server may be a standby. Default: false.
    public var readOnly = false
    /// The password of the user, instead of the one in the URL or where libpq looks for it (`PGPASSWORD`, `.pgpass`). Default: `nil`.
    public var password: String?
    /// The minimum time that a view can be used: overwritten and deleted data is kept that long, and so are the names of commits. Should be longer than
    /// ``retryTimeout``: a commit whose answer was lost for longer has an unknown outcome. Belongs to the store: all engines use the value that was set last.
    /// Default: `nil`, the store's; 10 minutes for a new store.
    public var retention: Duration?
    /// The number of connections that calls use, at most; more calls wait. One more is used for news. Default: 8.
    public var connections = 8
    /// The memory for pages of objects that were read more than once, for all views together: they need not be read from the server again until somebody
    /// changes them. Default: 16 MiB.
    public var objectCacheSize = ByteCount.mebibytes(16)
    /// How long an attempt to connect may take, for each host, unless the URL has `connect_timeout`. Rounded up to seconds. Default: 5 seconds.
    public var connectTimeout = Duration.seconds(5)
    /// How long the server may work on one statement, including the wait for other commits, before it cancels the statement. Default: 30
    /// seconds.
    public var statementTimeout = Duration.seconds(30)
    /// How long a call keeps trying when the connection is lost or the server cannot be reached, before it throws `EngineError.unavailable`. Long enough for a
    /// standby to take over. Default: 30 seconds.
    public var retryTimeout = Duration.seconds(30)
    /// How often to poll for commits of others, if the server does not notify. Default: 50 milliseconds; at least 1.
    public var newsInterval = Duration.milliseconds(50)
    /// The kind of server. Default: PostgreSQL.
    public var server = PostgresServer.postgreSQL

    /// How often to look for commits even if no bell rings, and to clean up.
    package var upkeepInterval = Duration.seconds(5)

    /// The defaults.
    public init() {}
}
