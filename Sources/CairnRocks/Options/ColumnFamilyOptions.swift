import CRocks
import CairnCore

/// The options of one column family; RocksDB's `ColumnFamilyOptions`.
///
/// ```swift
/// var options = ColumnFamilyOptions()
/// options.comparator = .reverseBytewise
/// options.table.filterPolicy = .bloom(bitsPerKey: 10)
/// options.compression = .zstd
/// ```
///
/// See ``NamedOptions`` for setting an option by name.
public struct ColumnFamilyOptions: NamedOptions {
    public var settings: [String: String] = [:]
    /// The order of the keys. Must be the same each time the column family is opened. `nil` means bytewise. RocksDB's `comparator`.
    /// Default: nil.
    public var comparator: KeyComparator?
    /// How `merge` combines values; without an operator, merging throws ``RocksError/Code/notSupported``. Must be given each time the
    /// column family is opened: without it, a database that holds merge operands is refused with ``RocksError/Code/invalidArgument``.
    /// RocksDB's `merge_operator`. Default: nil.
    public var mergeOperator: MergeOperator?
    /// Decides what happens to entries when files are compacted. Can differ, or be `nil`, each time the column family is opened. RocksDB's
    /// `compaction_filter_factory`. Default: nil, all is kept.
    public var compactionFilter: CompactionFilter?
    /// The extractor that ``prefixExtractor`` was set to, if it is more than a name.
    var customPrefixExtractor: PrefixExtractor?
    /// The cache for values of blob files (``enableBlobFiles``); may be the block cache. `nil` means that they are read from the file each
    /// time. RocksDB's `blob_cache`. Default: nil; fixed while open.
    public var blobCache: BlockCache?
    /// Whether every put and delete has a timestamp, and keys keep their earlier values (RocksDB's user-defined timestamps): see
    /// ``ColumnFamily/at(_:)``. Keys are then in bytewise order, and neither merging nor blob files are available. Must be the same each time
    /// the column family is opened. Default: false.
    public var keepsHistory = false
    /// Limits how many compactions run at once in all column families that share this limiter. `nil` means as many as the database's
    /// background jobs. RocksDB's `compaction_thread_limiter`. Default: nil; fixed while open.
    public var compactionLimiter: ConcurrentTaskLimiter?
    /// Which files to compact because they hold many deletions. `nil` means none. Default: nil; fixed while open.
    public var compactsDeletions: DeletionTrigger?
    /// The format of the files.
    public var table = TableOptions()

    /// Creates RocksDB's default options.
    public init() {}

    /// Creates RocksDB's default options with a comparator and a merge operator.
    public init(comparator: KeyComparator? = nil, mergeOperator: MergeOperator? = nil) {
        self.comparator = comparator
        self.mergeOperator = mergeOperator
    }

    /// Describes, by name, how these options differ from `other`; `nil` if they do not, or if they are the default options.
    func difference(from other: ColumnFamilyOptions) -> String? {
        if settings.isEmpty, table.settings.isEmpty, comparator == nil, mergeOperator == nil, compactionFilter == nil, !keepsHistory {
            return nil
        }
        if keepsHistory != other.keepsHistory { return "keepsHistory" }
        if (comparator ?? .bytewise).name != (other.comparator ?? .bytewise).name { return "comparator" }
        if mergeOperator?.name != other.mergeOperator?.name { return "merge_operator" }
        if compactionFilter?.name != other.compactionFilter?.name { return "compaction_filter_factory" }
        let names = Set(settings.keys).union(other.settings.keys).sorted()
        let tableNames = Set(table.settings.keys).union(other.table.settings.keys).sorted()
        return names.first { self[$0] != other[$0] } ?? tableNames.first { table[$0] != other.table[$0] }
    }

    public static let defaults: [String: String] = {
        guard let options = unsafe crk_cf_options_create() else { return [:] }
        defer { unsafe crk_cf_options_free(options) }
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_cf_options_list(options, $0, $1) }
        crk_status_free(status)
        return pairs
    }()
}
