import CRocks
import CairnCore

/// The format of a column family's files; RocksDB's `BlockBasedTableOptions`.
///
/// See ``NamedOptions`` for setting an option by name.
public struct TableOptions: NamedOptions {
    public var settings: [String: String] = [:]
    /// The block cache; `nil` gives the column family its own cache of the library's default size. Default: nil.
    public var blockCache: BlockCache?

    /// Creates RocksDB's default options.
    public init() {}

    public static let defaults: [String: String] = {
        let (status, pairs) = unsafe Collector.pairs { unsafe crk_table_options_list($0, $1) }
        crk_status_free(status)
        return pairs
    }()

    /// Whether anything differs from RocksDB's defaults.
    var isDefault: Bool { settings.isEmpty && blockCache == nil }
}
