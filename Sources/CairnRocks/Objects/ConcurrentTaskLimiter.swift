import CRocks
import CairnCore

/// Limits how many compactions run at once in all column families that have it, in any number of databases; RocksDB's
/// `ConcurrentTaskLimiter`.
public final class ConcurrentTaskLimiter: Sendable {
    let handle: ObjectHandle
    /// For RocksDB's text log.
    public let name: String

    /// At most `limit` compactions; `nil`: any number. Zero lets none begin, so that writers will wait in the end.
    public init(name: String, limit: Int?) throws(RocksError) {
        try checkForZeroByte(in: name, "name of a task limiter")
        self.name = name
        let pointer = unsafe crk_task_limiter_create(name, Self.shimLimit(limit))
        handle = unsafe try ObjectHandle(pointer, "a task limiter") { unsafe crk_task_limiter_release($0) }
    }

    /// Changes the limit, for compactions that begin from now on.
    public func setLimit(_ limit: Int?) { unsafe crk_task_limiter_set_limit(handle.pointer, Self.shimLimit(limit)) }

    /// How many compactions are running.
    public var running: Int { Int(unsafe crk_task_limiter_running(handle.pointer)) }

    private static func shimLimit(_ limit: Int?) -> Int32 { limit.map { Int32(clamping: max(0, $0)) } ?? -1 }
}

/// When a file counts as full of deletions, so that it is compacted soon; RocksDB's `CompactOnDeletionCollector`.
public struct DeletionTrigger: Sendable, Hashable {
    /// How many entries in a row are looked at; rounded up to a multiple of 128. Zero: none.
    public var window: Int
    /// How many of them must be deletions.
    public var deletions: Int
    /// Which share of all entries of a file must be deletions, from 0 to 1; `nil`: does not count.
    public var ratio: Double?

    /// Looks for `deletions` among `window` entries in a row, and for a share of `ratio` in the whole file.
    public init(window: Int, deletions: Int, ratio: Double? = nil) {
        self.window = window
        self.deletions = deletions
        self.ratio = ratio
    }
}
