import CairnCore

/// A `StorageEngine` in a database of PostgreSQL, for any number of programs on any number of machines.
///
/// ```swift
/// let engine = try PostgresEngine(url: "postgresql://music@db1,db2/music?target_session_attrs=read-write", store: "songs")
/// ```
///
/// A commit takes one round trip and is compared with everything that others have committed since its reads. Commits are performed one at a time; ``isShared`` is
/// true. `Durability.buffered`, the default, is what the server's `synchronous_commit` says: by default, commits survive the death of the server, and are on its
/// synchronous standbys, if it has any. `.synced` is the same, even where `synchronous_commit` is off. `.none` does not wait for the server's disk: the commits
/// of about the last second can be lost if the server dies.
///
/// A view is only a version number and holds no resources: old versions of keys are kept for the store's retention (``PostgresEngineOptions/retention``); after
/// that, reading from the view throws `EngineError.expired`.
///
/// If the connection is lost, calls connect again, to any host of the URL, for ``PostgresEngineOptions/retryTimeout``. Each commit has a name in its
/// transaction, so one whose answer was lost is repeated without being performed twice; names are kept for the retention. `EngineError.unavailable` from a
/// commit says whether anything may have been written.
///
/// All methods can be called from any thread, which they block. No message contains the password.
public final class PostgresEngine: StorageEngine, RecentCommits {
    public let limits: EngineLimits
    /// The limits of all stores.
    package static let limits = {
        var limits = EngineLimits()
        limits.maximumKeySize = PostgresKey.largestSize
        limits.maximumValueSize = 64 << 20
        limits.maximumCommitSize = 256 << 20
        return limits
    }()

    public let isReadOnly: Bool
    public var isShared: Bool { true }
    public var isRemote: Bool { true }
    public var readsInParallel: Bool { pool.target.options.connections > 1 }
    /// The name of the store.
    public let store: String

    /// - Complexity: Nanoseconds: the server notifies of commits, which takes milliseconds.
    public var latestVersion: EngineVersion { news.latestVersion }

    let pool: PostgresPool
    let news: PostgresNews
    /// The commits that views have reported.
    private let recent = EngineLog(after: EngineVersion(rawValue: 0), capacity: .kibibytes(256))
    /// The identity of the store: engines of the same store can use each other's views.
    let identity: String
    private let views = OpenViews()

    /// The rule for names of stores; `nil` if this name follows it.
    package static func objection(toName store: String) -> String? {
        PostgresSchema(store: store, server: .postgreSQL).isValid ? nil : PostgresSchema.rule
    }

    /// Throws if a URL cannot be right.
    package static func check(url: String) throws(EngineError) {
        _ = try PostgresTarget(url: url, store: "cairn", options: PostgresEngineOptions())
    }

    /// The first parameter of a URL that libpq does not know; `nil` if there is none, or its name may be a part of a password.
    package static func unknownParameter(of url: String) -> String? { PostgresTarget.unknownParameter(of: url) }

    /// Throws if a store that does not exist yet cannot be created. Changes nothing.
    package static func checkCreation(url: String, store: String, options: PostgresEngineOptions) throws(EngineError) {
        try PostgresTarget(url: url, store: store, options: options).checkCreation()
    }

    /// Identifies the store that a URL means: the same for URLs that differ in other parameters.
    package static func place(url: String, store: String) -> [String] {
        let parts = PostgresTarget.parts(of: url) ?? [:]
        // The database is that of the user's name, unless the URL has one.
        let database = parts["dbname"] ?? parts["user"] ?? ""
        return [store, database] + ["host", "hostaddr", "port", "service"].map { parts[$0] ?? "" }
    }

    /// Opens a store, or creates one if the database has none of that name.
    ///
    /// - Parameters:
    ///   - url: A URL or a list of keywords and values, as libpq takes them; it also reads its environment variables and `.pgpass`. See
    ///     <https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>.
    ///   - store: The name of the store, which is a schema of the database: 1 to 48 characters from a-z, 0-9 and _; not `public` or `information_schema`, and nothing that begins
    ///     with `pg_`.
    ///   - options: How to open it.
    /// - Throws: `EngineError.invalidArgument`, also if the server has no such database, or does not meet what the URL says about TLS;
    ///   `EngineError.unavailable` if the server cannot be reached; `EngineError.notFound`; `EngineError.foreignFile` if the schema has tables of other
    ///   programs; `EngineError.corruption` if a part of the store was dropped; `EngineError.permissionDenied`, also if the server refuses the user;
    ///   `EngineError.notSupported` if a later version of Cairn made the store, or the program was built without libpq.
    public init(
        url: String,
        store: String = "cairn",
        options: PostgresEngineOptions = PostgresEngineOptions()
    ) throws(EngineError) {
        let target = try PostgresTarget(url: url, store: store, options: options)
        self.store = store
        isReadOnly = options.readOnly
        // A store that is being created is waited for.
        let (connection, head) = try TaskCancellation.shielded { () throws(EngineError) in try target.open() }
        identity = head.identity
        pool = PostgresPool(target, identity: head.identity, connection)
        var limits = Self.limits
        limits.maximumViewAge = head.retention
        self.limits = limits
        let rows = try pool.latest()
        pool.values.changed(EngineChange(everythingUpTo: rows.version(0)))
        news = PostgresNews(pool, after: rows.commit(0, name: 2))
        news.start()
    }

    deinit { try? close() }

    /// Throws if the user may not write, or the server allows only reading. Leaves nothing changed.
    package func checkWriting() throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        try pool.checkWriting()
    }

    /// - Complexity: A round trip.
    public func makeView() throws(EngineError) -> any EngineView {
        guard views.begin() else { throw pool.closed }
        do throws(EngineError) {
            return PostgresView(engine: self, commit: try lastCommit())
        } catch {
            endView()
            throw error
        }
    }

    /// Asks the server for the last commit, and for what was written after the version that the cache knows.
    private func lastCommit() throws(EngineError) -> PostgresCommit {
        let cached = pool.values.knownVersion
        let latest = max(latestVersion, cached)
        let seen = news.lastSeen
        var parameters = PostgresParameters()
        parameters.add(Int64(bitPattern: cached.rawValue))
        parameters.add(Int64(bitPattern: seen.version.rawValue))
        parameters.add(seen.name)
        let rows = try pool.run(.view, "making a view of", parameters)
        // A server without such late versions has no commits to return.
        let isBehind = rows.isNull(0, 1)
        let version = isBehind ? try pool.run(.latest, "making a view of").version(0) : rows.version(0)
        guard !isBehind, version >= latest, rows.number(0, 6) == 0 else { throw lacksCommits("making a view of", version, latest) }
        noteChanged(rows, after: cached)
        let commit = rows.commit(0, name: 5)
        news.note(commit)
        return commit
    }

    /// The error for a server with a version that lacks the latest commit that was seen, or has another in its place.
    func lacksCommits(_ attempt: String, _ version: EngineVersion, _ latest: EngineVersion) -> EngineError {
        let message =
            version < latest
            ? "the server is at version \(version), but \(latest) was seen before: it is a lagging standby, or has lost commits"
            : "the server has lost commits that were seen before, and has others in their place"
        return EngineError(.unavailable, "\(attempt) \(pool.target.description): \(message)", isOutcomeUnknown: false)
    }

    /// Notes what was written after a version, and removes it from the cache.
    ///
    /// - Parameter rows: The last commits, the latest first.
    private func noteChanged(_ rows: PostgresRows, after version: EngineVersion) {
        guard rows.version(rows.count - 1).rawValue <= version.rawValue + 1 else {
            recent.appendUnknown(upTo: rows.version(0))
            return pool.values.changed(EngineChange(everythingUpTo: rows.version(0)))
        }
        for row in (0..<rows.count).reversed() where rows.version(row) > version {
            let change = rows.change(row)
            // First, so that it never knows less than the cache.
            recent.append(change)
            pool.values.changed(change)
        }
    }

    package func mayHaveChanged(_ range: KeyRange, after version: EngineVersion, in view: any EngineView) -> Bool {
        recent.mayHaveTouched(range, after: version, upTo: view.version)
    }

    func endView() { views.end() }

    public func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try news.changes(after: version) }

    /// Calls in progress end with the server's reply, or throw `EngineError.closed`.
    ///
    /// - Throws: `EngineError.busy` if views are held.
    public func close() throws(EngineError) {
        guard try views.close(pool.target.description) else { return }
        TaskCancellation.shielded { news.close() }
        pool.close()
    }
}
