import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct InsightTests {
    @Test func mapProperties() throws {
        try OptionSetup().open { db in
            for key in 0..<10 { try db.put("value", for: "key\(key)") }
            try db.flush()
            #expect(try db.property(.columnFamilyStats)?["compaction.L0.NumFiles"] != nil)
            #expect(try db.property(.databaseStats)?["db.user_keys_written"] == "10")
            #expect(try db.property(.blockCacheEntryStats)?["capacity"] != nil)
            #expect(try db.property(.fastBlockCacheEntryStats)?["capacity"] != nil)
            #expect(try db.property(.aggregatedTableProperties)?["num_entries"] == "10")
            #expect(try db.property(.aggregatedTablePropertiesAtLevel(0))?["num_entries"] == "10")
            #expect(try db.property(.aggregatedTablePropertiesAtLevel(1))?["num_entries"] == "0")
            #expect(try db.property(.aggregatedTablePropertiesAtLevel(99)) == nil)
            #expect(try db.property(MapProperty(name: "rocksdb.num-snapshots")) == nil)
            #expect(try db.property(MapProperty(name: "nope\0")) == nil)
            try db.resetStats()
            #expect(try db.property(.databaseStats)?["db.user_keys_written"] == "0")
        }
    }

    @Test func aggregatedProperties() throws {
        try OptionSetup().open { db in
            let songs = try db.createColumnFamily("songs")
            try db.fill("a", "b")
            try songs.fill("c")
            #expect(try db.aggregated(.estimateNumKeys) == 3)
            #expect(try db.aggregated(.numEntriesActiveMemTable) == 3)
            #expect(try db.aggregated(.curSizeAllMemTables) ?? .zero > .zero)
            #expect(try db.aggregated(Property<UInt64>(name: "rocksdb.stats")) == nil)
            #expect(try db.aggregated(Property<UInt64>(name: "nope\0")) == nil)
        }
    }

    @Test func metadata() throws {
        var setup = OptionSetup()
        setup.family.disableAutoCompactions = true
        setup.family.enableBlobFiles = true
        setup.family.minBlobSize = .bytes(100)
        try setup.open { db in
            #expect(try db.metadata().files.isEmpty)
            try db.put("small", for: [0x00, 0xFF])
            try db.put(String(repeating: "v", count: 200), for: "large")
            try db.delete("nothing")
            try db.flush()
            try db.put("again", for: "x")
            try db.flush()
            let data = try db.metadata()
            #expect(data.fileCount == 2 && data.files.count == 2 && data.levels.count == 7)
            #expect(data.levels.map(\.level) == Array(0..<7))
            #expect(data.levels[0].size == data.size && data.levels[1].size == .zero)
            let file = try #require(data.files.first { $0.entryCount == 3 })
            #expect(file.smallestKey == [0x00, 0xFF] && file.largestKey == Array("nothing".utf8))
            #expect(file.deletionCount == 1 && file.level == 0 && file.name.hasSuffix(".sst"))
            #expect(file.name.contains(String(file.number)) && file.directory == db.path)
            #expect(file.smallestSequenceNumber == 1 && file.largestSequenceNumber == 3)
            #expect(!file.isBeingCompacted && file.temperature == .unknown && file.checksum == nil && file.checksumFunction == nil)
            #expect(file.creationTime != nil && file.oldestAncestorTime != nil)
            let size = try FileManager.default.attributesOfItem(atPath: file.directory + "/" + file.name)[.size] as? Int64
            #expect(size == file.size.bytes)
            let blob = try #require(data.blobFiles.first)
            #expect(data.blobFiles.count == 1 && file.oldestBlobFileNumber == blob.number && data.blobFileSize == blob.size)
            #expect(blob.blobCount == 1 && blob.blobSize > .bytes(200) && blob.garbageCount == 0 && blob.garbageSize == .zero)
            #expect(FileManager.default.fileExists(atPath: blob.directory + "/" + blob.name))
            #expect(try #require(data.files.first { $0.entryCount == 1 }).oldestBlobFileNumber == nil)
            try db.delete("large")
            try db.compact()
            #expect(try db.metadata().blobFiles.isEmpty)
        }
    }

    @Test func tableProperties() throws {
        var setup = OptionSetup()
        setup.family.disableAutoCompactions = true
        setup.family.table.filterPolicy = .bloom(bitsPerKey: 10)
        setup.family.prefixExtractor = .fixed(2)
        setup.family.compression = .none
        setup.family.mergeOperator = try MergeOperator(named: "uint64add")
        try setup.open { db in
            #expect(try db.tableProperties().isEmpty)
            try db.fill("aa1", "aa2", "bb1")
            try db.delete("aa1")
            try db.deleteRange(from: "ba", to: "bc")
            try db.merge([1, 0, 0, 0, 0, 0, 0, 0], for: "cc1")
            try db.flush()
            try db.fill("x", "y")
            try db.flush()
            let tables = try db.tableProperties()
            #expect(tables.count == 2 && tables.map(\.path) == tables.map(\.path).sorted())
            let first = try #require(tables.first { $0.mergeOperandCount == 1 })
            #expect(first.rangeDeletionCount == 1 && first.deletionCount == 2)
            #expect(first.comparator == KeyComparator.bytewise.name && first.mergeOperator == "UInt64AddOperator")
            #expect(first.prefixExtractor?.contains("FixedPrefix") == true && first.filterPolicy?.contains("bloom") == true)
            #expect(first.compression == "NoCompression" && first.columnFamilyName == "default" && first.columnFamilyID == 0)
            #expect(first.dataSize > .zero && first.indexSize > .zero && first.filterSize > .zero && first.rawKeySize > .zero)
            #expect(first.dataBlockCount == 1 && first.filterEntryCount > 0 && !first.databaseID.isEmpty && !first.sessionID.isEmpty)
            #expect(first.fileCreationTime != nil && first.originalFileNumber > 0 && first.slowCompressionEstimate == nil)
            #expect(first.userCollected["rocksdb.merge.operands"] == [1])
            let second = try #require(tables.first { $0.mergeOperandCount == 0 })
            #expect(second.entryCount == 2 && second.rawValueSize == .bytes(2))
            #expect(try db.tableProperties(from: "x", to: "z") == [second])
            #expect(try db.tableProperties(from: "m", to: "n").isEmpty)
            #expect(try db.tableProperties(from: "z", to: "a").isEmpty)
            #expect(try db.tableProperties(from: "", to: "zz").count == 2)
        }
    }

    @Test func closedAndDropped() throws {
        let scene = try Scene()
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        try db.dropColumnFamily("songs")
        #expect(code { try songs.metadata() } == .columnFamilyDropped)
        #expect(code { try songs.tableProperties() } == .columnFamilyDropped)
        #expect(code { try songs.property(.columnFamilyStats) } == .columnFamilyDropped)
        _ = try db.memoryUse()
        try db.close()
        #expect(code { try db.metadata() } == .closed)
        #expect(code { try db.tableProperties(from: "a", to: "b") } == .closed)
        #expect(code { try db.property(.databaseStats) } == .closed)
        #expect(code { try db.aggregated(.estimateNumKeys) } == .closed)
        #expect(code { try db.resetStats() } == .closed)
        #expect(code { try db.threadList() } == .closed)
        #expect(code { try db.backgroundThreads(in: .low) } == .closed)
        #expect(code { try db.setBackgroundThreads(2, in: .low) } == .closed)
        #expect(code { try db.memoryUse() } == .closed)
    }

    @Test func memoryUse() throws {
        var setup = OptionSetup()
        let cache = try BlockCache(capacity: .mebibytes(4))
        setup.family.table.blockCache = cache
        try setup.open { db in
            let songs = try db.createColumnFamily("songs", options: setup.family)
            for key in 0..<100 { try songs.put(String(repeating: "v", count: 1000), for: "key\(key)") }
            let full = try db.memoryUse()
            #expect(full.memtables >= .bytes(100_000) && full.unflushedMemtables >= .bytes(100_000))
            try songs.flush()
            for key in 0..<100 { _ = try songs.get("key\(key)", as: String.self) }
            let flushed = try db.memoryUse()
            #expect(flushed.unflushedMemtables < full.unflushedMemtables && flushed.tableReaders > .zero)
            // A cache that two column families share counts once.
            #expect(flushed.caches == cache.usage && flushed.caches > .bytes(50_000))
            #expect(flushed.total.bytes == flushed.memtables.bytes + flushed.tableReaders.bytes + flushed.caches.bytes)
        }
    }
}

@Suite struct ThreadTests {
    /// Alone in a process: the pools belong to it.
    @Test func pools() async {
        await #expect(processExitsWith: .success) {
            try OptionSetup().open { db in
                for pool in ThreadPool.allCases {
                    try db.setBackgroundThreads(3, in: pool)
                    #expect(try db.backgroundThreads(in: pool) == 3)
                    try db.setBackgroundThreads(1, in: pool)
                    #expect(try db.backgroundThreads(in: pool) == 1)
                    for count in [0, -1, 513, Int.max, Int.min] {
                        #expect(code { try db.setBackgroundThreads(count, in: pool) } == .invalidArgument)
                    }
                    #expect(try db.backgroundThreads(in: pool) == 1)
                }
                try db.fill("a")
                try db.flush()
            }
        }
    }

    /// The threads of the pools are listed, those that wait for work too.
    @Test func threadList() throws {
        var setup = OptionSetup()
        setup.database.enableThreadTracking = true
        try setup.open { db in
            try db.setBackgroundThreads(try db.backgroundThreads(in: .low) + 1, in: .low)
            try db.fill("a")
            try db.flush()
            let threads = try db.threadList()
            #expect(threads.contains { $0.type == "High Pri" } && Set(threads.map(\.id)).count == threads.count)
            #expect(threads.allSatisfy { $0.id != 0 && $0.elapsed >= .zero && ($0.operation != nil || $0.properties.isEmpty) })
        }
    }
}

@Suite struct PerfReportTests {
    @Test func countsReads() throws {
        var setup = OptionSetup()
        setup.family.table.blockCache = try BlockCache(capacity: .mebibytes(1))
        try setup.open { db in
            try db.fill("a", "b", "c")
            try db.flush()
            let first = try measuringPerformance { _ = try db.text("b") }
            #expect(first.blockReads == 1 && first.blockReadSize > .zero && first.keyComparisons > 0)
            #expect(first.blockReadTime == .zero && first.bytesRead > .zero)
            #expect(first["block_read_count"] == 1 && first["nope"] == 0 && first.counters.count > 80)
            let second = try measuringPerformance(.all) { _ = try db.text("b") }
            #expect(second.blockReads == 0 && second.blockCacheHits == 1 && second.fileReadTime > .zero)
            let write = try measuringPerformance(.timeExceptMutex) { try db.put("1", for: "d", options: .synced) }
            #expect(write.logWriteTime > .zero && write.memtableWriteTime > .zero && write.bytesWritten > .zero && write.syncTime > .zero)
            let nothing = try measuringPerformance(.disabled) { _ = try db.text("b") }
            #expect(nothing.keyComparisons == 0 && nothing.blockCacheHits == 0)
        }
    }

    /// What an inner measurement counts is counted by the outer one too, whose level comes back; as after an error.
    @Test func nested() throws {
        try OptionSetup().open { db in
            try db.fill("a", "b")
            var inner: PerfReport?
            let outer = try measuringPerformance {
                _ = try db.text("a")
                inner = try measuringPerformance(.counts) { _ = try db.text("b") }
                #expect(throws: CancellationError.self) { try measuringPerformance(.disabled) { throw CancellationError() } }
                _ = try db.text("a")
            }
            #expect(inner?.memtableReads == 1)
            #expect(outer.memtableReads == 3)
        }
    }

    @Test func threadsAreMeasuredApart() async throws {
        let scene = try Scene()
        let db = try scene.open()
        try db.fill("a")
        let reads = Box([0, 0, 0] as [UInt64])
        try await onThreads(3) { thread in
            let report = try measuringPerformance { for _ in 0..<(10 + thread) { _ = try db.text("a") } }
            reads.update { $0[thread] = report.memtableReads }
        }
        #expect(reads.value == [10, 11, 12])
    }
}
