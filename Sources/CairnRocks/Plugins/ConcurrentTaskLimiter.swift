import CRocks
import CairnCore

/// Limits how many compactions run at once in all column families that share it, in any number of databases; RocksDB's `ConcurrentTaskLimiter`.
public final class ConcurrentTaskLimiter: Sendable {
    let handle: ObjectHandle
    /// The name for RocksDB's text log.
    public let name: String

    /// Creates a limiter of at most `limit` compactions; `nil` means any number. Zero lets none begin, so that writers will eventually wait.
    public init(name: String, limit: Int?) throws(RocksError) {
        try checkForZeroByte(in: name, "name of a task limiter")
        self.name = name
        let pointer = unsafe crk_task_limiter_create(name, Self.shimLimit(limit))
        handle = unsafe try ObjectHandle(pointer, "a task limiter") { unsafe crk_task_limiter_release($0) }
    }

    /// Changes the limit, for compactions that begin from now on.
    public func setLimit(_ limit: Int?) { unsafe crk_task_limiter_set_limit(handle.pointer, Self.shimLimit(limit)) }

    /// The number of running compactions.
    public var running: Int { Int(unsafe crk_task_limiter_running(handle.pointer)) }

    private static func shimLimit(_ limit: Int?) -> Int32 { limit.map { Int32(clamping: max(0, $0)) } ?? -1 }
}

/// The condition under which a file holds enough deletions to be compacted soon; RocksDB's `CompactOnDeletionCollector`.
public struct DeletionTrigger: Sendable, Hashable {
    /// The number of consecutive entries to examine, rounded up to a multiple of 128. Zero means none.
    public var window: Int
    /// The number of these entries that must be deletions.
    public var deletions: Int
    /// The fraction of a file's entries that must be deletions, from 0 to 1; `nil` means that it does not matter.
    public var ratio: Double?

    /// Creates a trigger for `deletions` among `window` consecutive entries, and for a fraction of `ratio` in the whole file.
    public init(window: Int, deletions: Int, ratio: Double? = nil) {
        self.window = window
        self.deletions = deletions
        self.ratio = ratio
    }
}
