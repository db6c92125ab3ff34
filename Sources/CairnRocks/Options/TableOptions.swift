import CRocks
import CairnCore

/// The format of a column family's files; RocksDB's `BlockBasedTableOptions`.
///
/// ``NamedOptions`` tells how to set an option by name.
public struct TableOptions: NamedOptions {
    public var settings: [String: String] = [:]
    /// The block cache; `nil` gives the column family one of its own, of the library's default size. Default: nil.
    public var blockCache: BlockCache?

    /// RocksDB's defaults.
    public init() {}

    public static let defaults: [String: String] = {
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_table_options_list($0, $1) }
        crk_status_free(status)
        return pairs
    }()

    /// Whether anything differs from RocksDB's defaults.
    var isDefault: Bool { settings.isEmpty && blockCache == nil }
}
