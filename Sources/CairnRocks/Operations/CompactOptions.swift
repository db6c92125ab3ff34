import CRocks

/// Options of a manual compaction; RocksDB's `CompactRangeOptions`.
public struct CompactOptions: Sendable, Hashable {
    /// How files already in the lowest level are handled.
    public enum BottommostLevel: UInt8, Sendable {
        /// They are skipped.
        case skip
        /// They are compacted if the column family has a compaction filter. The default.
        case ifFiltered
        /// They are compacted.
        case force
        /// They are compacted, except those that this compaction itself has written.
        case forceOptimized
    }

    /// Whether automatic compactions wait until this one is done. Default: false.
    public var isExclusive = false
    /// Whether the result is moved to ``targetLevel``, or to the lowest level that can hold it. Default: false.
    public var changesLevel = false
    /// The level to move to with ``changesLevel``; `nil`: the lowest that can hold the result. Default: nil.
    public var targetLevel: Int?
    /// Whether to begin immediately even if that makes writers wait. Default: false.
    public var allowsWriteStall = false
    /// How many threads share the work; zero: as many as ``DatabaseOptions`` allows. Default: zero.
    public var maxSubcompactions = 0
    /// How files in the lowest level are handled. Default: ``BottommostLevel/ifFiltered``.
    public var bottommostLevel = BottommostLevel.ifFiltered

    /// RocksDB's defaults.
    public init(bottommostLevel: BottommostLevel = .ifFiltered) { self.bottommostLevel = bottommostLevel }

    var shimOptions: crk_compact_options {
        crk_compact_options(
            exclusive: isExclusive,
            change_level: changesLevel,
            allow_write_stall: allowsWriteStall,
            bottommost_level: bottommostLevel.rawValue,
            target_level: targetLevel.map { Int32(clamping: $0) } ?? -1,
            max_subcompactions: UInt32(clamping: maxSubcompactions)
        )
    }
}
