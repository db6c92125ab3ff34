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
    /// How `merge` combines; without one, merging throws ``RocksError/Code/notSupported``. Default: nil.
    public var mergeOperator: MergeOperator?
    /// The file format.
    public var table = TableOptions()

    /// RocksDB's defaults.
    public init() {}

    /// RocksDB's defaults with this order, and this way to merge.
    public init(comparator: Comparator? = nil, mergeOperator: MergeOperator? = nil) {
        self.comparator = comparator
        self.mergeOperator = mergeOperator
    }

    public static let defaults: [String: String] = {
        guard let options = unsafe crk_cf_options_create() else { return [:] }
        defer { unsafe crk_cf_options_free(options) }
        let (status, pairs) = unsafe PairCollector.collect { unsafe crk_cf_options_list(options, $0, $1) }
        crk_status_free(status)
        return pairs
    }()
}
