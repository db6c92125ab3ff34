import CairnCore
import CairnRocks
import Testing

@Suite struct FormatTests {
    /// Short keys with a fixed prefix and a hash index: their own prefix, found like all others.
    @Test(arguments: [PrefixExtractor.fixed(4), .capped(4)]) func hashIndexTakesShortKeys(_ extractor: PrefixExtractor) async {
        await #expect(processExitsWith: .success) { [extractor = extractor.rawValue as String] in
            var setup = OptionSetup()
            setup.family.prefixExtractor = PrefixExtractor(rawValue: extractor)
            setup.family.table.indexType = .hashSearch
            setup.family.table.blockSize = .bytes(64)
            try setup.open { db in
                let keys = ["", "a", "ab", "abc", "abcd", "abcd1", "abcd2", "abce", "b", "zzzz9"]
                for round in 0..<2 {
                    for key in keys { try db.put("\(key)\(round)", for: key) }
                    try db.flush()
                }
                try db.compact()
                for key in keys { #expect(try db.text(key) == "\(key)1") }
                for key in ["c", "abcd3", "abcf", "zz"] { #expect(try db.text(key) == nil) }
                #expect(try db.keyTexts() == keys)
                #expect(try db.keyTexts(.prefix("ab")) == ["ab", "abc", "abcd", "abcd1", "abcd2", "abce"])
                #expect(try db.keyTexts(.all.reversed) == keys.reversed())
                #expect(try db.walk(.seek("ab"), .next, .seekToOrBefore("abcd9")) == ["ab", "abc", "abcd2"])
                // By the hash index, not by halving.
                var hashed = ReadOptions()
                hashed.seekMode = .prefix
                for key in keys { #expect(try db.get(key, as: String.self, options: hashed) == "\(key)1") }
                for key in ["c", "abcd3", "zz"] { #expect(try db.get(key, as: String.self, options: hashed) == nil) }
                #expect(try db.walk(.all, options: hashed, .seek("abcd"), .next, .next) == ["abcd", "abcd1", "abcd2"])
                #expect(try db.walk(.all, options: hashed, .seek("ab")) == ["ab"])
            }
        }
    }

    @Test(arguments: [Compression.snappy, .lz4, .lz4hc, .zstd, .zlib, .bzip2]) func compresses(_ compression: Compression) throws {
        var setup = OptionSetup()
        setup.family.compression = compression
        try setup.open { db in
            for key in 0..<100 { try db.put(String(repeating: "again ", count: 200), for: "key\(key)") }
            try db.flush()
            let table = try #require(try db.tableProperties().first)
            #expect(table.dataSize.bytes * 5 < table.rawValueSize.bytes && table.compression != "NoCompression")
            #expect(try db.text("key7")?.utf8.count == 1200)
        }
    }

    /// Levels are compressed each in its own way.
    @Test func compressionPerLevel() throws {
        var setup = OptionSetup()
        setup.family.compressionPerLevel = [.none, .zstd]
        setup.family.bottommostCompression = .inherited
        try setup.open { db in
            for key in 0..<100 { try db.put(String(repeating: "again ", count: 200), for: "key\(key)") }
            try db.flush()
            #expect(try db.tableProperties().map(\.compression) == ["NoCompression"])
            var options = CompactOptions()
            options.bottommostLevel = .force
            try db.compact(options: options)
            #expect(try db.tableProperties().map(\.compression) == ["ZSTD"])
            #expect(try db.metadata().files.map(\.level) != [0])
        }
    }

    /// Values nothing refers to any more leave the blob files with the next compactions.
    @Test func blobGarbageIsCollected() throws {
        var setup = OptionSetup()
        setup.family.enableBlobFiles = true
        setup.family.minBlobSize = .bytes(500)
        setup.family.enableBlobGarbageCollection = true
        setup.family.blobGarbageCollectionAgeCutoff = 1
        setup.family.disableAutoCompactions = true
        try setup.open { db in
            for key in 0..<10 { try db.put(String(repeating: "v", count: 1000), for: "key\(key)") }
            try db.put("small", for: "small")
            try db.flush()
            let first = try #require(try db.metadata().blobFiles.first)
            #expect(first.blobCount == 10)
            for key in 0..<9 { try db.delete("key\(key)") }
            try db.flush()
            var options = CompactOptions()
            options.bottommostLevel = .force
            try db.compact(options: options)
            let files = try db.metadata().blobFiles
            #expect(files.map(\.blobCount) == [1] && files.map(\.number) != [first.number])
            #expect(try db.text("key9")?.utf8.count == 1000 && db.text("small") == "small" && db.text("key0") == nil)
        }
    }

    /// Each memtable takes entries and gives them back, before and after a flush.
    @Test(arguments: [
        MemtableFactory.skipList, .skipList(lookahead: 3), .vector(capacity: 10), .hashSkipList(bucketCount: 1000),
        .hashLinkedList(bucketCount: 1000, skipListThreshold: 2),
    ]) func memtables(_ memtable: MemtableFactory) throws {
        var setup = OptionSetup()
        setup.family.memtableFactory = memtable
        setup.family.prefixExtractor = .fixed(1)
        setup.database.allowConcurrentMemtableWrite = false
        try setup.open { db in
            try db.fill("b", "a1", "a2", "a3", "c", "")
            try db.delete("a2")
            for _ in 0..<2 {
                #expect(try db.text("a1") == "a1" && db.text("a2") == nil && db.text("c") == "c")
                #expect(try db.keyTexts() == ["", "a1", "a3", "b", "c"])
                try db.flush()
            }
        }
        guard memtable != .skipList, !memtable.rawValue.contains("SkipListFactory") else { return }
        setup.database.allowConcurrentMemtableWrite = true
        let error = failure { try setup.open { _ in } }
        #expect(error?.message.contains("allow_concurrent_memtable_write") == true)
    }
}
