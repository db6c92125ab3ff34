import CairnCore
import CairnRocks
import Testing

/// A property: its name, and whether a live database gives an answer of its type.
struct PropertyCase: Sendable, CustomTestStringConvertible {
    let name: String
    let isAnswered: @Sendable (RocksDB) throws -> Bool
    var testDescription: String { name }

    static func number(_ property: Property<UInt64>) -> PropertyCase { make(property) }
    static func size(_ property: Property<ByteCount>) -> PropertyCase { make(property) }
    static func flag(_ property: Property<Bool>) -> PropertyCase { make(property) }
    static func ratio(_ property: Property<Double>) -> PropertyCase { make(property) }
    static func text(_ property: Property<String>) -> PropertyCase { make(property) }

    private static func make<Value>(_ property: Property<Value>) -> PropertyCase {
        PropertyCase(name: property.name) { try $0.property(property) != nil }
    }
}

@Suite struct PropertiesTests {
    /// All 58 of RocksDB 7.8, in the order of its `DB::Properties`.
    static let all: [PropertyCase] = [
        .number(.numFilesAtLevel(2)), .ratio(.compressionRatioAtLevel(1)), .text(.stats), .text(.ssTables), .text(.cfStats),
        .text(.cfStatsNoFileHistogram), .text(.cfFileHistogram), .text(.dbStats), .text(.levelStats), .text(.blockCacheEntryStats),
        .text(.fastBlockCacheEntryStats), .number(.numImmutableMemTable), .number(.numImmutableMemTableFlushed),
        .flag(.memTableFlushPending),
        .number(.numRunningFlushes), .flag(.compactionPending), .number(.numRunningCompactions), .number(.backgroundErrors),
        .size(.curSizeActiveMemTable), .size(.curSizeAllMemTables), .size(.sizeAllMemTables), .number(.numEntriesActiveMemTable),
        .number(.numEntriesImmMemTables), .number(.numDeletesActiveMemTable), .number(.numDeletesImmMemTables), .number(.estimateNumKeys),
        .size(.estimateTableReadersMem), .flag(.isFileDeletionsEnabled), .number(.numSnapshots), .number(.oldestSnapshotTime),
        .number(.oldestSnapshotSequence), .number(.numLiveVersions), .number(.currentSuperVersionNumber), .size(.estimateLiveDataSize),
        .number(.minLogNumberToKeep), .number(.minObsoleteSSTNumberToKeep), .size(.totalSSTFilesSize), .size(.liveSSTFilesSize),
        .size(.liveSSTFilesSize(at: .unknown)), .number(.baseLevel), .size(.estimatePendingCompactionBytes),
        .text(.aggregatedTableProperties),
        .text(.aggregatedTablePropertiesAtLevel(0)), .size(.actualDelayedWriteRate), .flag(.isWriteStopped),
        .number(.estimateOldestKeyTime),
        .size(.blockCacheCapacity), .size(.blockCacheUsage), .size(.blockCachePinnedUsage), .text(.optionsStatistics),
        .number(.numBlobFiles),
        .text(.blobStats), .size(.totalBlobFileSize), .size(.liveBlobFileSize), .size(.liveBlobFileGarbageSize), .size(.blobCacheCapacity),
        .size(.blobCacheUsage), .size(.blobCachePinnedUsage),
    ]

    /// Every property is answered, by a database that has what a few of them need: a blob cache, FIFO compaction.
    @Test func allAreAnswered() throws {
        #expect(Self.all.count == 58 && Set(Self.all.map(\.name)).count == 58)
        var setup = OptionSetup()
        setup.database.statistics = try Statistics()
        setup.family["blob_cache"] = "1M"
        setup.family.compactionStyle = .fifo
        try setup.open { db in
            try db.put("1", for: "a")
            try db.flush()
            for property in Self.all {
                let isAnswered = try property.isAnswered(db)
                #expect(isAnswered, "\(property.name)")
            }
        }
    }

    @Test func valuesAreTrue() throws {
        var setup = OptionSetup()
        setup.family.disableAutoCompactions = true
        setup.family.table.blockCache = try BlockCache(capacity: .mebibytes(3))
        try setup.open { db in
            #expect(try db.property(.estimateNumKeys) == 0)
            #expect(try db.property(.compressionRatioAtLevel(0)) == -1)
            for key in 0..<10 { try db.put(String(repeating: "v", count: 100), for: "key\(key)") }
            try db.delete("key3")
            #expect(try db.property(.numEntriesActiveMemTable) == 11)
            #expect(try db.property(.numDeletesActiveMemTable) == 1)
            let snapshot = try db.makeSnapshot()
            #expect(try db.property(.numSnapshots) == 1)
            #expect(try db.property(.oldestSnapshotSequence) == snapshot.sequenceNumber)
            snapshot.close()
            #expect(try db.property(.numSnapshots) == 0)
            try db.flush()
            #expect(try db.property(.numFilesAtLevel(0)) == 1)
            #expect(try db.property(.numFilesAtLevel(1)) == 0)
            #expect(try db.property(.numEntriesActiveMemTable) == 0)
            #expect(try db.property(.compressionRatioAtLevel(0)) ?? 0 > 0)
            let size = try db.property(.liveSSTFilesSize) ?? .zero
            #expect(size > .bytes(100))
            #expect(try db.property(.liveSSTFilesSize(at: .unknown)) == size)
            #expect(try db.property(.liveSSTFilesSize(at: .hot)) == .zero)
            #expect(try db.property(.blockCacheCapacity) == .mebibytes(3))
            #expect(try db.property(.isFileDeletionsEnabled) == true)
            #expect(try db.property(.isWriteStopped) == false)
            #expect(try db.property(.backgroundErrors) == 0)
            #expect(try db.property(.levelStats)?.contains("Level") == true)
        }
    }

    /// What does not exist is `nil`, by type and by name; so is text where a number is asked for.
    @Test func absentIsNil() throws {
        try OptionSetup().open { (db) throws in
            #expect(try db.property(.numFilesAtLevel(99)) == nil)
            #expect(try db.property(.numFilesAtLevel(-1)) == nil)
            #expect(try db.property(.compressionRatioAtLevel(-1)) == nil)
            #expect(try db.property(.blobCacheUsage) == nil)
            #expect(try db.property(.estimateOldestKeyTime) == nil)
            #expect(try db.property(.liveSSTFilesSize(at: Temperature(rawValue: "kLukewarm"))) == nil)
            #expect(try db.property("rocksdb.nope") == nil)
            #expect(try db.intProperty("rocksdb.stats") == nil)
            #expect(try db.property(Property<UInt64>(name: "rocksdb.stats")) == nil)
            #expect(try db.property(Property<String>(name: "rocksdb.num-snapshots")) == "0")
            #expect(try db.property("rocksdb.num-files-at-level0") == "0")
        }
    }

    /// A property is about one column family.
    @Test func columnFamilies() throws {
        try OptionSetup().open { (db) throws in
            let songs = try db.createColumnFamily("songs")
            try songs.put("1", for: "a")
            #expect(try songs.property(.numEntriesActiveMemTable) == 1)
            #expect(try db.property(.numEntriesActiveMemTable) == 0)
            try db.dropColumnFamily("songs")
            let error = #expect(throws: RocksError.self) { try songs.property(.numEntriesActiveMemTable) }
            #expect(error?.code == .columnFamilyDropped)
        }
    }
}
