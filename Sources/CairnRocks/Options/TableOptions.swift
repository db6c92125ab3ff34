import CRocks
import CairnCore

/// The format of a column family's files; RocksDB's `BlockBasedTableOptions`.
///
/// See ``NamedOptions`` for setting an option by name.
public struct TableOptions: NamedOptions {
    public var settings: [String: String] = [:]
    /// The block cache; `nil` gives the column family its own cache of the library's default size. RocksDB's `block_cache`. Default: nil.
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

    /// Keeps indexes and filters in memory while their file is open, however the file was written, unless these options say how they are kept.
    ///
    /// In the block cache, an index or filter larger than a shard would be read for each lookup, and data could evict smaller ones.
    mutating func keepsMetadata() {
        var pinning = metadataCacheOptions
        if pinning.unpartitionedPinning == .fallback { pinning.unpartitionedPinning = .all }
        // With this index, partitions are meant to be evicted. Files written with other options may have some too.
        if indexType != .twoLevel, pinning.partitionPinning == .fallback { pinning.partitionPinning = .all }
        metadataCacheOptions = pinning
    }
}
