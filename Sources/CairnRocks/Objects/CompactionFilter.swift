import CRocks
import CairnCore

/// What becomes of entries when files are rewritten; RocksDB's `CompactionFilter`.
///
/// ```swift
/// let expire = CompactionFilter(name: "example.expire") { key, value, _ in
///     value.byteCount == 0 ? .remove : .keep
/// }
/// var options = ColumnFamilyOptions()
/// options.compactionFilter = expire
/// ```
///
/// A compaction shows the filter the newest value of each key it meets, in the order of the keys, and not more: it may run late, or never, and
/// older values of a key that were dropped are not shown. What is removed is removed without a trace in the log: **snapshots do not protect
/// from it** (RocksDB's `IgnoreSnapshots`). Values in blob files are read and shown, unless they were written as wide columns.
///
/// The closures run on RocksDB's threads, several at once; they should depend on nothing but their arguments and a clock, must be fast and
/// must not call the database. Spans are lent for the call. A filter may be shared by many databases, which keep it alive as long as they are
/// open. RocksDB does not check the name on reopening; the filter can be another one each time, or none.
public final class CompactionFilter: Sendable {
    /// What a filter decides about one entry.
    public enum Decision: Sendable, Hashable {
        /// Stays as it is.
        case keep
        /// Goes; a read finds nothing any more.
        case remove
        /// Stays with this value.
        case change([UInt8])
        /// Goes with all that follows up to this key, which itself stays. The entries between are skipped unseen and unread; if there are
        /// older values of them in other files, these may come back.
        ///
        /// A key that does not come after the filtered one changes nothing: the entry is kept. Column families of plain tables cannot skip:
        /// the entry is removed, and the filter is asked about each that follows.
        case removeAndSkipUntil([UInt8])
    }

    /// When a filter runs.
    public struct Stages: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// While memtables are written to files.
        public static let flush = Stages(rawValue: 1)
        /// While files are compacted.
        public static let compaction = Stages(rawValue: 2)
        /// While the log of an earlier run is written to files, when a database is opened.
        public static let recovery = Stages(rawValue: 4)
    }

    /// The work that a filter is part of; RocksDB's `CompactionFilter::Context`.
    public struct Context: Sendable, Hashable {
        /// The level that is written to; -1 where there is none, in flushes.
        public let level: Int
        /// Whether the compaction rewrites all files of the column family.
        public let isFullCompaction: Bool
        /// Whether it was asked for by ``RocksStore/compact(_:options:progress:)`` rather than begun by RocksDB.
        public let isManualCompaction: Bool
        /// The ``ColumnFamily/id`` of the column family.
        public let columnFamilyID: UInt32
        /// What is being done.
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

    /// The name written to the options file.
    public let name: String
    let handle: ObjectHandle

    /// A filter.
    ///
    /// - Parameters:
    ///   - name: Written to the options file; opening throws ``RocksError/Code/invalidArgument`` if it is empty, begins with `rocksdb.`,
    ///     `leveldb.` or `cairn.`, or contains `;`, `{`, `}`, `=` or line breaks.
    ///   - stages: When it runs. In compactions only, unless said otherwise.
    ///   - mergeOperands: Decides about operands of merges that have not been combined yet; the value it gets is the operand. `nil`, the
    ///     default, keeps them, and those that a snapshot can see are kept in any case. A value that a merge has just made is shown to neither
    ///     closure before the next compaction.
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
