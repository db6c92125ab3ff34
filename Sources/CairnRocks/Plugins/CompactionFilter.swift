import CRocks
import CairnCore

/// Decides what happens to entries when files are rewritten; RocksDB's `CompactionFilter`.
///
/// ```swift
/// let expire = CompactionFilter(name: "example.expire") { key, value, _ in
///     value.byteCount == 0 ? .remove : .keep
/// }
/// var options = ColumnFamilyOptions()
/// options.compactionFilter = expire
/// ```
///
/// A compaction passes the filter only the newest value of each key it encounters, in key order. The filter may run late, or never, and does not see
/// older values of a key that were dropped. Removals leave no trace in the log, and **snapshots do not protect against them** (RocksDB's
/// `IgnoreSnapshots`). Values in blob files are read and passed too, unless they were written as wide columns.
///
/// The closures run on RocksDB's threads, several at once. They should depend only on their arguments and a clock; they must be fast and must
/// not call the database. Spans are only valid during the call. Many databases may share a filter, and keep it alive while they are open.
/// RocksDB does not check the name when a database is reopened; the filter can differ each time, or be missing.
public final class CompactionFilter: Sendable {
    /// A filter's decision about one entry.
    public enum Decision: Sendable, Hashable {
        /// Keeps the entry unchanged.
        case keep
        /// Removes the entry; reads no longer find it.
        case remove
        /// Keeps the entry with this value.
        case change([UInt8])
        /// Removes the entry and all entries after it up to this key, which itself stays. The entries in between are skipped without being read:
        /// entries in files outside the compaction stay, and older values in such files may reappear.
        ///
        /// If the key does not come after the filtered one, the entry is kept. Column families with plain tables cannot skip: the entry is removed,
        /// and the filter is called for each entry that follows.
        case removeAndSkipUntil([UInt8])
    }

    /// The stages at which a filter runs.
    public struct Stages: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// When memtables are written to files.
        public static let flush = Stages(rawValue: 1)
        /// When files are compacted.
        public static let compaction = Stages(rawValue: 2)
        /// When a database is opened and the log of an earlier run is written to files.
        public static let recovery = Stages(rawValue: 4)
    }

    /// The work that a filter is part of; RocksDB's `CompactionFilter::Context`.
    public struct Context: Sendable, Hashable {
        /// The level that is written to; -1 in flushes, which have none.
        public let level: Int
        /// Whether the compaction rewrites all files of the column family.
        public let isFullCompaction: Bool
        /// Whether ``RocksStore/compact(_:options:progress:)`` requested the compaction, rather than RocksDB starting it.
        public let isManualCompaction: Bool
        /// The ``ColumnFamily/id`` of the column family.
        public let columnFamilyID: UInt32
        /// The current stage.
        public let stage: Stages

        init(_ file: crk_filter_context) {
            level = Int(file.level)
            isFullCompaction = file.is_full_compaction
            isManualCompaction = file.is_manual_compaction
            columnFamilyID = file.column_family_id
            stage = Stages(rawValue: file.stage)
        }
    }

    /// Decides about an entry.
    public typealias Decide = @Sendable (_ key: RawSpan, _ value: RawSpan, _ context: Context) -> Decision

    /// The name that is written to the options file.
    public let name: String
    let handle: ObjectHandle

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - name: The name that is written to the options file. Opening throws ``RocksError/Code/invalidArgument`` if it is empty, begins with
    ///     `rocksdb.`, `leveldb.` or `cairn.`, or contains `;`, `{`, `}`, `=` or line breaks.
    ///   - stages: When the filter runs; by default, only in compactions.
    ///   - mergeOperands: Decides about merge operands that have not been combined yet; its value argument is the operand. `nil`, the default,
    ///     keeps them. Operands that a snapshot can see are always kept. Neither closure sees the result of a new merge before the next
    ///     compaction.
    ///   - decide: Decides about values.
    public init(
        name: String,
        stages: Stages = .compaction,
        mergeOperands: Decide? = nil,
        decide: @escaping Decide
    ) {
        self.name = name
        handle = ObjectHandle(compactionFilterNamed: name, stages: stages, body: FilterBody(values: decide, operands: mergeOperands))
    }

    /// Refuses a name that RocksDB could not read back.
    func checkName() throws(RocksError) {
        try checkObjectName(name, "compaction filter name")
        try checkReserved(name, "a compaction filter")
    }
}
