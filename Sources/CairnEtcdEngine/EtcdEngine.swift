import CairnCore

/// A `StorageEngine` in a cluster of etcd, for any number of programs on any number of machines.
///
/// ```swift
/// let engine = try EtcdEngine(url: "etcd://node1:2379,node2:2379,node3:2379/music/songs")
/// ```
///
/// A commit takes one round trip and is compared with everything that others have committed since its reads; ``isShared`` is true. Each commit is on the disks of a
/// majority of the members, whatever durability is asked for.
///
/// A view is only a revision number and holds no resources. The server keeps old revisions for as long as its `--auto-compaction-retention`
/// says (``EtcdEngineOptions/retention``); after that, reading from the view throws `EngineError.expired`.
///
/// If an endpoint cannot be reached or has no leader, calls try the others, for ``EtcdEngineOptions/retryTimeout``. Each commit has a name in its
/// transaction, so one whose answer was lost is repeated without being performed twice; names are kept for 10 minutes. `EngineError.unavailable` from a commit
/// says whether anything may have been written.
///
/// All methods can be called from any thread, which they block. No message contains the password.
public final class EtcdEngine: StorageEngine, RecentCommits {
    public let limits: EngineLimits
    public let isReadOnly: Bool
    public var isRemote: Bool { true }
    public var isShared: Bool { true }
    public var readsInParallel: Bool { pool.target.options.connections > 1 }
    /// The prefix of the store's keys.
    public var prefix: String { pool.target.layout.prefix }

    /// - Complexity: Nanoseconds: the server reports commits, which takes milliseconds.
    public var latestVersion: EngineVersion { news.latestVersion }

    let pool: EtcdPool
    let news: EtcdNews
    private let views = OpenViews()
    let entrySizes = AverageSizes()
    /// The sizes of the first pages of ranges that are read together.
    let rangeSizes = AverageSizes()

    /// Opens a store, or creates one if there is none with that prefix.
    ///
    /// - Parameters:
    ///   - url: `etcd://USER@HOST:PORT,HOST:PORT/PREFIX`, with `etcds` for TLS. The default port is 2379, and the default prefix `cairn`. The user is for servers
    ///     with authentication; a prefix consists of a-z, A-Z, 0-9, `_`, `-`, `.` and `/`. Parameters after `?`, with `&` between them, take the place of options:
    ///     `max-txn-ops`, `max-request-bytes`, and the files `cacert`, `cert` and `key`.
    ///   - options: How to open it.
    /// - Throws: `EngineError.invalidArgument`, also if certificates do not fit; `EngineError.unavailable` if no endpoint can be reached;
    ///   `EngineError.permissionDenied`; `EngineError.notFound`; `EngineError.foreignFile` if another program has keys with this prefix, and there is no store;
    ///   `EngineError.notSupported` if a later version of Cairn made the store, or the program was built without libcurl.
    public init(url: String, options: EtcdEngineOptions = EtcdEngineOptions()) throws(EngineError) {
        let target = try EtcdTarget(url: url, options: options)
        isReadOnly = options.readOnly
        limits = Self.limits(target.options)
        pool = EtcdPool(target)
        // A store that is being created is waited for.
        let head = try TaskCancellation.shielded { [pool] () throws(EngineError) in try pool.open() }
        news = EtcdNews(pool, after: head)
        news.start()
    }

    deinit { try? close() }

    /// Throws if the user may not write. Changes nothing.
    package func checkWriting() throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(pool.target.description) was opened for reading only") }
        try pool.checkWriting()
    }

    /// Throws if a store that does not exist yet cannot be created. Changes nothing.
    package static func checkCreation(url: String, options: EtcdEngineOptions) throws(EngineError) {
        let pool = EtcdPool(try EtcdTarget(url: url, options: options))
        defer { pool.close() }
        try pool.checkWriting()
    }

    /// The space that a request reserves for names, comparisons and what followers get.
    static let reserve = 128 << 10
    /// The operations that are added to those of a commit.
    static let extraOperations = 4 + EtcdAreas.most

    /// What a store with that URL can hold.
    package static func limits(url: String) throws(EngineError) -> EngineLimits {
        limits(try EtcdTarget(url: url, options: EtcdEngineOptions(), needsPassword: false).options)
    }

    /// Identifies the store that a URL means: the same for URLs that differ in the user or in parameters.
    package static func place(url: String) throws(EngineError) -> [String] {
        let target = try EtcdTarget(url: url, options: EtcdEngineOptions(), needsPassword: false)
        return [target.layout.prefix] + target.endpoints.sorted()
    }

    private static func limits(_ options: EtcdEngineOptions) -> EngineLimits {
        var limits = EngineLimits()
        limits.maximumKeySize = 8192
        limits.maximumValueSize = options.limits.requestBytes - reserve - 8192
        limits.maximumCommitSize = options.limits.requestBytes - reserve
        limits.maximumCommitOperations = options.limits.operations - extraOperations
        // Reads are compared with the keys that others have written, so their number hardly matters.
        limits.maximumCommitReads = 1 << 20
        limits.maximumViewAge = options.retention
        limits.advice =
            "raise the server's --max-txn-ops and --max-request-bytes, and give both in the URL too, as in ?max-txn-ops=2048&max-request-bytes=8388608"
        return limits
    }

    /// - Complexity: A round trip.
    public func makeView() throws(EngineError) -> any EngineView {
        guard views.begin() else { throw pool.closed }
        do throws(EngineError) {
            let (head, revision) = try news.ask("making a view of")
            return EtcdView(engine: self, version: news.view(head), revision: revision)
        } catch {
            endView()
            throw error
        }
    }

    func endView() { views.end() }

    package func mayHaveChanged(_ range: KeyRange, after version: EngineVersion, in view: any EngineView) -> Bool {
        news.mayHaveTouched(range, after: version, upTo: view.version)
    }

    public func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try news.changes(after: version) }

    /// - Throws: `EngineError.notSupported`, always: compacting discards revisions of all programs that use the cluster, so its administrator sets
    ///   `--auto-compaction-retention`, and returns space to the file systems with `etcdctl defrag`.
    public func compact() throws(EngineError) {
        throw EngineError(
            .notSupported,
            "compacting \(pool.target.description): etcd does that by itself for all its users (--auto-compaction-retention); to return space to its file systems, an administrator can run 'etcdctl defrag'"
        )
    }

    /// Calls in progress end with the server's reply, or throw `EngineError.closed`.
    ///
    /// - Throws: `EngineError.busy` if views are held.
    public func close() throws(EngineError) {
        guard try views.close(pool.target.description) else { return }
        TaskCancellation.shielded { news.close() }
        pool.close()
    }

    /// Whether a view belongs to this store, even if to another engine.
    func owns(_ view: any EngineView) -> Bool {
        guard let other = (view as? EtcdView)?.engine else { return false }
        return other === self || other.prefix == prefix && other.pool.cluster == pool.cluster && other.news.created == news.created
    }
}
