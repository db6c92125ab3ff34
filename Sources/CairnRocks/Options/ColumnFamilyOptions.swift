import CRocks
import CairnCore

/// Options of one column family; RocksDB's `ColumnFamilyOptions`.
///
/// ```swift
/// var options = ColumnFamilyOptions()
/// options.comparator = .reverseBytewise
/// options.table.filterPolicy = .bloom(bitsPerKey: 10)
/// options.compression = .zstd
/// ```
///
/// ``NamedOptions`` tells how to set an option by name.
public struct ColumnFamilyOptions: NamedOptions {
    public var settings: [String: String] = [:]
    /// The order of the keys. Must be the same each time the column family is opened. `nil`: bytewise. Default: nil.
    public var comparator: Comparator?
    /// How `merge` combines; without one, merging throws ``RocksError/Code/notSupported``. Must be given each time the column family is
    /// opened: without it, a database that holds operands is refused with ``RocksError/Code/invalidArgument``. Default: nil.
    public var mergeOperator: MergeOperator?
    /// What becomes of entries when files are compacted. Can be another one, or none, each time the column family is opened. Default: nil,
    /// all is kept.
    public var compactionFilter: CompactionFilter?
    /// The extractor that ``prefixExtractor`` was set to, if it is more than a name.
    var customPrefixExtractor: PrefixExtractor?
    /// Keeps values of blob files (``enableBlobFiles``); may be the block cache. `nil`: they are read anew each time. Default: nil; fixed while
    /// open.
    public var blobCache: BlockCache?
    /// Whether every put and delete has a time, and keys keep their values of earlier times (RocksDB's user-defined timestamps):
    /// ``ColumnFamily/at(_:)``. Keys are then in bytewise order; there is no merging and there are no blob files. Must be the same each time the
    /// column family is opened. Default: false.
    public var keepsHistory = false
    /// How many compactions run at once in all column families that have this limiter. `nil`: as many as the database's background jobs.
    /// Default: nil; fixed while open.
    public var compactionLimiter: ConcurrentTaskLimiter?
    /// Which files are compacted because they are full of deletions. `nil`: none. Default: nil; fixed while open.
    public var compactsDeletions: DeletionTrigger?
    /// The file format.
    public var table = TableOptions()

    /// RocksDB's defaults.
    public init() {}

    /// RocksDB's defaults with this order, and this way to merge.
    public init(comparator: Comparator? = nil, mergeOperator: MergeOperator? = nil) {
        self.comparator = comparator
        self.mergeOperator = mergeOperator
    }

    /// What these options set otherwise than `other` does, by name; `nil` if nothing, or if these are the default ones.
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
