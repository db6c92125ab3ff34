public import CairnCore

/// The data structure of memtables; RocksDB's `MemTableRepFactory`. All but ``skipList`` require
/// ``DatabaseOptions/allowConcurrentMemtableWrite`` to be false.
public struct MemtableFactory: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// A skip list: always sorted, with concurrent writers. The default.
    public static let skipList = MemtableFactory(rawValue: "SkipListFactory")
    /// A skip list in which a cursor's seek starts where the last one ended and takes at most `lookahead` steps; for seeks close together.
    public static func skipList(lookahead: Int) -> MemtableFactory {
        lookahead == 0 ? .skipList : MemtableFactory(rawValue: "SkipListFactory:\(lookahead)")
    }
    /// An array that is sorted when it is read: for bulk loading without reads. `capacity` is the number of entries it initially has room for.
    public static func vector(capacity: Int = 0) -> MemtableFactory {
        MemtableFactory(rawValue: "{id=VectorRepFactory;count=\(capacity)}")
    }
    /// A skip list for each prefix. Requires a ``ColumnFamilyOptions/prefixExtractor``; without one, RocksDB uses ``skipList``. Keys shorter
    /// than a fixed prefix are their own prefix; cursors other than ``ReadOptions/SeekMode/totalOrder`` only move forward.
    public static func hashSkipList(bucketCount: Int = 1_000_000, height: Int = 4, branchingFactor: Int = 4) -> MemtableFactory {
        MemtableFactory(
            rawValue: "{id=HashSkipListRepFactory;bucket_count=\(bucketCount);skiplist_height=\(height);"
                + "branching_factor=\(branchingFactor)}"
        )
    }
    /// A linked list for each prefix, which becomes a skip list past `skipListThreshold` entries; has the same requirements as
    /// ``hashSkipList(bucketCount:height:branchingFactor:)``. Buckets with `loggingThreshold` entries are reported in the log.
    public static func hashLinkedList(
        bucketCount: Int = 50_000,
        skipListThreshold: Int = 256,
        hugePageSize: ByteCount = .zero,
        loggingThreshold: Int = 4096,
        logsOnFlush: Bool = true
    ) -> MemtableFactory {
        MemtableFactory(
            rawValue: "{id=HashLinkListRepFactory;bucket_count=\(bucketCount);threshold=\(skipListThreshold);"
                + "huge_page_size=\(hugePageSize.bytes);logging_threshold=\(loggingThreshold);log_when_flash=\(logsOnFlush)}"
        )
    }
}

/// Where compaction must start a new file; RocksDB's `SstPartitionerFactory`.
public struct SSTPartitioner: OptionObject {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = Self.canonical(rawValue) }

    /// Nowhere in particular.
    public static let none = SSTPartitioner(rawValue: "nullptr")
    /// Where the first `length` bytes of the key change, so that dropping a prefix drops whole files.
    public static func fixedPrefix(_ length: Int) -> SSTPartitioner {
        SSTPartitioner(rawValue: "{id=SstPartitionerFixedPrefixFactory;length=\(length)}")
    }
}
