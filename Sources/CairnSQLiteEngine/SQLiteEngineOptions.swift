public import CairnCore

/// Options for opening an ``SQLiteEngine``.
public struct SQLiteEngineOptions: Sendable {
    /// Whether to create a store if there is no file at the path, or an empty one. Default: true.
    public var createIfMissing = true
    /// Whether to open for reading only. New views still see what other processes commit. Default: false.
    ///
    /// A store that nobody has open is read as it is, without creating a log beside it, if it belongs to another user, the directory cannot be written to, or
    /// the disk is full. Then opening waits until the file has not been changed for two seconds, and a view throws `EngineError.expired` once others have
    /// changed the file; later views see what they commit.
    public var readOnly = false
    /// The permission bits of the file of a new store, less the process's umask. SQLite gives the files beside it, and ``SQLiteEngine/makeCheckpoint(at:)`` gives
    /// copies, the ones that the file has at that time. Default: `0o600`, accessible only to its owner.
    public var mode: UInt32 = 0o600
    /// How long a call waits for other processes that hold a lock on the file, usually to commit, before it throws `EngineError.busy`. Threads that use this
    /// engine first wait for each other, without this limit. Default: 5 seconds.
    public var busyTimeout = Duration.seconds(5)
    /// The memory in which each connection keeps pages of the file: the writing one, and one per view. Default: 8 MiB.
    public var cacheSize = ByteCount.mebibytes(8)
    /// The memory for pages of objects that were read more than once, for all views together. Default: 16 MiB.
    public var objectCacheSize = ByteCount.mebibytes(16)
    /// How often to look for commits of other processes while something iterates over ``SQLiteEngine/changes(after:)``. Looking takes nanoseconds, but each
    /// wake-up takes energy. Default: 10 milliseconds; at least 1.
    public var newsInterval = Duration.milliseconds(10)

    /// The defaults.
    public init() {}
}
