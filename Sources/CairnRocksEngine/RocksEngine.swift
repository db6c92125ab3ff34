public import CairnCore
import CairnRocks

/// A `StorageEngine` on disk: a RocksDB database in its own directory, for one process at a time.
///
/// Commits are `Durability.buffered` by default: they survive the death of the process, but not power loss. `.none` is the same as `.buffered`,
/// because the log of later commits would be incomplete without earlier ones. Threads whose commits are `.synced` wait for the disk together. Large
/// commits (``RocksEngineOptions/largeCommitSize``, ``RocksEngineOptions/largeCommitCount``) are written as a sorted file that the database ingests, which is
/// always synced.
///
/// After a disk failure, including a full disk, earlier commits are intact, and nothing of the failed one is visible unless only the sync failed; views
/// remain usable. If the disk is full, RocksDB checks every five seconds whether there is room for a write buffer (a quarter of
/// ``RocksEngineOptions/memoryBudget``, at most 32 MiB), and then accepts commits again. After other failures it often accepts none until the store is closed
/// and reopened, which also helps after a full disk.
///
/// Commits are serialized; views and reads do not wait for them. Only the first commit after opening, for which the database is opened for writing, also
/// delays new views, for as long as it takes to read the log. A commit's reads are compared by value with the current data, unless it is known that nobody
/// has changed them in the meantime.
public final class RocksEngine: StorageEngine {
    public var limits: EngineLimits { committer.limits }
    public let isReadOnly: Bool
    public var readsInParallel: Bool { true }
    public var latestVersion: EngineVersion { committer.latestVersion }
    /// The directory.
    public let path: String
    /// The same, for when the current directory has changed.
    let place: String

    /// The directory that was opened, even if its path later leads to another.
    private let directory: FileStatus.Identity?
    let opening: RocksOpening
    private let committer: EngineCommitter<Commits>
    private let syncs = SharedSync()
    let largeCommitSize: Int
    let largeCommitCount: Int
    let familyOptions: ColumnFamilyOptions
    /// Pages that views have read.
    let values: ValueCache

    /// What commits keep for later ones.
    struct Commits {
        /// The number of the last sorted file.
        var fileNumber = 0
        var unflushed = UnflushedWrites()
    }

    /// Opens the store in the directory `path`, or creates one.
    ///
    /// - Throws: `EngineError.locked` if it is already open, in this process or another; `EngineError.notFound` if it does not exist
    ///   and is not to be created; `EngineError.corruption`; `EngineError.noSpace`; `EngineError.ioError`; `EngineError.notSupported` if there
    ///   is a pipe, a device or a socket in the directory.
    /// - Complexity: If the store was not closed, replays its log: at most 12,288 entries (fewer if ``RocksEngineOptions/memoryBudget`` is
    ///   small) and those committed while these were flushed, at 2 to 3 µs each. Reads the indexes and filters of all files, up to 125.
    public init(path: String, options: RocksEngineOptions = RocksEngineOptions()) throws(EngineError) {
        self.path = path
        place = FileSystem.absolute(path)
        isReadOnly = options.readOnly
        familyOptions = options.columnFamilyOptions
        largeCommitSize = Int(clamping: options.largeCommitSize.bytes)
        largeCommitCount = options.largeCommitCount
        values = ValueCache(capacity: Int(clamping: options.memoryBudget.bytes / 4))
        var limits = EngineLimits()
        limits.maximumKeySize = 1 << 20
        limits.maximumValueSize = 1 << 30
        opening = try RocksOpening(path: path, place: place, options: options)
        directory = (try? FileSystem.system.stat(place))?.identity
        let version = try EngineError.translating("opening the store at '\(path)'") { [opening] () throws(RocksError) in
            try opening.latestSequenceNumber()
        }
        committer = EngineCommitter(limits: limits, version: EngineVersion(rawValue: version), state: Commits())
        if !isReadOnly { removeSortedFiles() }
    }

    deinit { try? close() }

    /// Opens the database for writing, if it was opened for reading. The first commit reports any error.
    public func prepareForCommits() { try? committer.withoutCommits { _ throws(EngineError) in _ = try opening.writable() } }

    public func makeView() throws(EngineError) -> any EngineView { try makeRocksView() }

    private func makeRocksView() throws(EngineError) -> RocksView {
        let snapshot = try EngineError.translating("making a view of '\(path)'") { () throws(RocksError) in
            try opening.makeSnapshot()
        }
        return RocksView(engine: self, snapshot: snapshot)
    }

    @discardableResult
    public func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(path)' was opened for reading only") }
        let version = try committer.commit(commit, isOwn: { ($0 as? RocksView)?.engine === self }) { () throws(EngineError) in
            // Before making the view, so that it belongs to the database that is written to.
            if !commit.isEmpty { _ = try opening.writable() }
            return try makeRocksView()
        } write: { writes, now, commits throws(EngineError) in
            let db = try opening.writable()
            let kept = values.willWrite(writes)
            do throws(RocksError) {
                let isSynced = try write(writes, to: db, beside: now, &commits)
                let version = try db.latestSequenceNumber()
                if isSynced { syncs.note(EngineVersion(rawValue: version)) }
                values.didWrite(writes, kept, EngineVersion(rawValue: version))
                return EngineVersion(rawValue: version)
            } catch {
                values.didWrite((try? db.latestSequenceNumber()).map { EngineVersion(rawValue: $0) })
                throw EngineError("committing to '\(path)'", error)
            }
        }
        if durability == .synced, !commit.isEmpty { try sync() }
        return version
    }

    public var syncsApart: Bool { true }

    /// Syncs the log, unless another thread has done so since the call began. Commits continue in the meantime.
    public func sync() throws(EngineError) {
        try syncs.wait(for: latestVersion, latest: { latestVersion }) { () throws(EngineError) in
            let db = try opening.writable()
            try EngineError.translating("syncing the log of '\(path)'") { () throws(RocksError) in try db.flushLog(syncs: true) }
        }
    }

    public func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        guard !opening.isClosed else { throw EngineError(.closed, "'\(path)' was closed") }
        return committer.changes(after: version)
    }

    /// Flushes the memtables, which makes their log obsolete, and rewrites all files that contain keys in `range`. Keys may remain in the
    /// manifest, which is rewritten when the store is opened.
    public func removeFormerData(in range: KeyRange) throws(EngineError) { try rewrite(range, "removing former data from") }

    /// Flushes the memtables and rewrites all files. Views, reads and commits continue in the meantime. Until a file is rewritten, the disk has both the old and
    /// the new one, so up to the size of the store must be free.
    public func compact() throws(EngineError) { try rewrite(.all, "compacting") }

    private func rewrite(_ range: KeyRange, _ attempt: String) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(path)' was opened for reading only") }
        let db = try committer.withoutCommits { _ throws(EngineError) in try opening.writable() }
        try EngineError.translating("\(attempt) '\(path)'") { () throws(RocksError) in
            try db.flush()
            try db.compact(range == .all ? .all : .keys(range), options: CompactOptions(bottommostLevel: .force))
        }
    }

    /// Flushes the memtables, and hard-links all files into the new directory, or copies them if it is on another file system.
    public func makeCheckpoint(at path: String) throws(EngineError) {
        guard !isReadOnly else { throw EngineError(.readOnly, "'\(self.path)' was opened for reading only") }
        let attempt = "copying '\(self.path)' to '\(path)'"
        if let flaw = FileSystem.flaw(in: path) { throw EngineError(.invalidArgument, "\(attempt): \(flaw)") }
        guard !FileSystem.isSame(path, orInside: place) else {
            throw EngineError(.invalidArgument, "\(attempt): it is inside the directory of the store; choose a path outside")
        }
        let db = try committer.withoutCommits { _ throws(EngineError) in try opening.writable() }
        do throws(RocksError) { _ = try db.makeCheckpoint(at: path) } catch {
            guard error.code == .invalidArgument else { throw EngineError(attempt, error) }
            throw EngineError(.invalidArgument, "\(attempt): something already exists there; choose another path", cause: error)
        }
    }

    /// Waits for a commit in progress. If the log holds more than 1,000 entries or 128 KiB that no file has yet, they are first written to a file, so that
    /// opening the store does not have to replay them. If that fails, as on a full disk, they stay in the log, and nothing is lost.
    ///
    /// - Throws: `EngineError.busy` if views are held; `EngineError.ioError`. `EngineError.notFound`, once the engine is closed, if its directory is no
    ///   longer at its path: what was committed is lost, unless the directory was only moved.
    public func close() throws(EngineError) {
        let wasOpen = !opening.isClosed
        // A commit in progress holds a view.
        try committer.withoutCommits { commits throws(EngineError) in
            if !isReadOnly, !opening.isClosed {
                removeSortedFiles()
                let isWorthAFile = commits.unflushed.areWorthAFile
                commits.unflushed.reset()
                opening.shortenLog(isWorthAFile: isWorthAFile)
            }
            try EngineError.translating("closing '\(path)'") { () throws(RocksError) in try opening.close() }
        }
        committer.close()
        guard wasOpen, !isReadOnly, !isInPlace else { return }
        throw EngineError(
            .notFound,
            "closing '\(path)': its directory was deleted, moved or replaced while the store was open, and saved data may be lost"
        )
    }

    private var isInPlace: Bool {
        let current = FileSystem.join(place, "CURRENT")
        return (try? FileSystem.system.stat(place))?.identity == directory && (try? FileSystem.system.stat(current)) != nil
    }
}
