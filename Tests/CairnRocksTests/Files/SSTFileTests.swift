import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Sorted files: written, read, ingested.
struct SSTFileTests {
    let scene = try! Scene()

    private func path(_ name: String) -> String { scene.directory.path(name) }

    /// Writes keys with themselves as values.
    @discardableResult
    private func write(_ name: String, _ keys: String..., options: ColumnFamilyOptions = ColumnFamilyOptions()) throws -> String {
        let writer = try SSTFileWriter(path: path(name), options: options)
        for key in keys { try writer.put(key, for: key) }
        try writer.finish()
        return path(name)
    }

    @Test func writtenAndRead() throws {
        let writer = try SSTFileWriter(path: path("a.sst"))
        #expect(writer.size == .zero)
        try writer.put("1", for: "a")
        try writer.put([UInt8](), for: Array("c".utf8))
        let before = failure { try writer.put("x", for: "b") }
        #expect(before?.code == .invalidArgument && before?.message.contains(path("a.sst")) == true)
        #expect(code { try writer.put("again", for: "c") } == .invalidArgument)
        try writer.delete("d")
        try writer.deleteRange(from: "k", to: "m")
        try writer.deleteRange(from: "f", to: "g")
        #expect(code { try writer.deleteRange(from: "z", to: "y") } == .invalidArgument)
        #expect(code { try writer.singleDelete("z") } == .notSupported)
        let info = try writer.finish()
        #expect(info.path == path("a.sst") && info.entryCount == 3 && info.deletedRangeCount == 2 && info.size > .bytes(500))
        #expect(info.keys?.first == Array("a".utf8) && info.keys?.last == Array("d".utf8))
        #expect(info.deletedRanges?.first == Array("f".utf8) && info.deletedRanges?.last == Array("m".utf8))
        for misuse in [{ try writer.put("1", for: "z") }, { try writer.finish() }, { try writer.deleteRange(from: "z", to: "zz") }]
            as [() throws -> Void]
        {
            #expect(code(misuse) == .invalidArgument)
        }
    }

    @Test func readByItself() throws {
        let file = try SSTFileReader(path: write("a.sst", "a", "b", "bb", "c", "d"))
        #expect(try file.keyTexts() == ["a", "b", "bb", "c", "d"])
        #expect(try file.keyTexts(.prefix("b").reversed) == ["bb", "b"])
        #expect(try file.text("bb") == "bb" && file.text("x") == nil && file.contains("a"))
        #expect(try file.multiGet(["c", "x", "a"]).map { $0.map { String(decoding: $0, as: UTF8.self) } } == ["c", nil, "a"])
        #expect(try file.walk(.seek("bx"), .previous, .previous, .first, .last, .next) == ["c", "bb", "b", "a", "d", nil])
        try file.verifyChecksums()
        let properties = try file.properties()
        #expect(properties["num_entries"] == "5" && properties["comparator_name"] == "leveldb.BytewiseComparator")
        var cursor = try file.makeCursor()
        _ = consume file
        #expect(try cursor.perform(.next) == "a")
        var options = ReadOptions()
        options.tailing = true
        #expect(code { try SSTFileReader(path: path("a.sst")).keys(options: options) } == .notSupported)
    }

    @Test func emptyFilesAreRefused() throws {
        #expect(code { try SSTFileWriter(path: path("a.sst")).finish() } == .invalidArgument)
        #expect(code { try SSTFileWriter(path: path("no/such/a.sst")) } == .notFound)
        #expect(code { try SSTFileWriter(path: "a\0b") } == .invalidArgument)
        // Let go before it is finished.
        do { try SSTFileWriter(path: path("b.sst")).put("1", for: "a") }
        #expect(code { try SSTFileReader(path: path("b.sst")) } == .corruption)
        let db = try scene.open()
        #expect(code { try db.ingest([path("b.sst")]) } == .corruption)
        #expect(code { try db.ingest([path("missing.sst")]) } == .notFound)
        #expect(code { try db.ingest([]) } == .invalidArgument)
        #expect(code { try db.ingest([(db.defaultColumnFamily, [])]) } == .invalidArgument)
        #expect(try db.keyTexts() == [])
    }

    @Test func ingested() throws {
        let db = try scene.open()
        try db.fill("a", "m", "z")
        try db.put("old", for: "b")
        let before = try db.makeSnapshot()
        let writer = try SSTFileWriter(path: path("a.sst"))
        try writer.put("new", for: "b")
        try writer.put("c", for: "c")
        try writer.delete("m")
        try writer.deleteRange(from: "x", to: "zz")
        try writer.finish()
        try db.ingest([path("a.sst")])
        #expect(try db.pairTexts() == ["a=a", "b=new", "c=c"])
        #expect(try before.pairTexts() == ["a=a", "b=old", "m=m", "z=z"])
        #expect(FileManager.default.fileExists(atPath: path("a.sst")))
        // The file is as it was, so another database can take it too.
        #expect(try SSTFileReader(path: path("a.sst")).text("b") == "new")
        before.close()
        try db.close()
        #expect(try scene.open().pairTexts() == ["a=a", "b=new", "c=c"])
    }

    @Test func overlappingFilesInOrder() throws {
        let db = try scene.open()
        let first = try SSTFileWriter(path: path("1.sst")), second = try SSTFileWriter(path: path("2.sst"))
        for key in ["a", "b", "c"] { try first.put("1", for: key) }
        for key in ["b", "c", "d"] { try second.put("2", for: key) }
        try first.finish()
        try second.finish()
        #expect(code { try db.ingest([path("1.sst"), path("1.sst")]) } == .invalidArgument)
        try db.ingest([path("1.sst"), path("2.sst")])
        #expect(try db.pairTexts() == ["a=1", "b=2", "c=2", "d=2"])
        try db.compact()
        #expect(try db.pairTexts() == ["a=1", "b=2", "c=2", "d=2"])
    }

    @Test func moved() async throws {
        let db = try scene.open()
        try await db.ingestInBackground([write("a.sst", "a", "b")], options: IngestOptions(movesFiles: true))
        #expect(!FileManager.default.fileExists(atPath: path("a.sst")))
        #expect(try db.keyTexts() == ["a", "b"])
    }

    @Test func severalColumnFamiliesAtOnce() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs"), other = try Scene(), stranger = try other.open()
        let a = try write("a.sst", "a"), b = try write("b.sst", "b"), c = try write("c.sst", "c")
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path("bad.sst")))
        #expect(code { try db.ingest([(db.defaultColumnFamily, [a]), (songs, [b, path("bad.sst")])]) } == .corruption)
        #expect(try db.keyTexts() == [] && songs.keyTexts() == [])
        #expect(code { try db.ingest([(songs, [a]), (songs, [b])]) } == .invalidArgument)
        #expect(code { try db.ingest([(db.defaultColumnFamily, [a]), (stranger.defaultColumnFamily, [b])]) } == .invalidArgument)
        #expect(code { try db.ingest([] as [(columnFamily: ColumnFamily, paths: [String])]) } == .invalidArgument)
        try db.ingest([(db.defaultColumnFamily, [a]), (songs, [b, c])])
        #expect(try db.keyTexts() == ["a"] && songs.keyTexts() == ["b", "c"])
        try db.dropColumnFamily("songs")
        #expect(code { try songs.ingest([b]) } == .columnFamilyDropped)
        try db.close()
        #expect(code { try db.ingest([a]) } == .closed)
        #expect(code { try RocksDB(path: scene.path, mode: .readOnly).ingest([a]) } == .readOnly)
    }

    @Test func anotherOrderIsRefused() throws {
        let order = KeyComparator(name: "test.backwards") { a, b in
            a.byteCount == b.byteCount ? 0 : a.byteCount - b.byteCount
        }
        let custom = ColumnFamilyOptions(comparator: order)
        let bytewise = try write("a.sst", "a", "b"), sized = try write("b.sst", "z", "aa", options: custom)
        let db = try scene.open(ColumnFamilyOptions(), ["sized": custom], options: .creating)
        #expect(code { try db.ingest([sized]) } == .invalidArgument)
        #expect(code { try db.columnFamily("sized").ingest([bytewise]) } == .invalidArgument)
        #expect(code { try SSTFileReader(path: sized) } == .invalidArgument)
        try db.columnFamily("sized").ingest([sized])
        #expect(try db.columnFamily("sized").keyTexts() == ["z", "aa"])
        #expect(try SSTFileReader(path: sized, options: custom).keyTexts() == ["z", "aa"])
        let reversed = ColumnFamilyOptions(comparator: .reverseBytewise)
        #expect(try SSTFileReader(path: write("c.sst", "b", "a", options: reversed), options: reversed).keyTexts() == ["b", "a"])
    }

    /// Read without a merge operator, operands would end the process.
    @Test func mergeOperandsNeedTheirOperator() throws {
        let adding = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        let writer = try SSTFileWriter(path: path("a.sst"), options: adding)
        try writer.merge("1", for: "a")
        try writer.finish()
        let plain = try RocksDB(path: path("plain"), options: .creating)
        #expect(code { try plain.ingest([path("a.sst")]) } == .invalidArgument)
        #expect(code { try SSTFileReader(path: path("a.sst")).keys() } == .invalidArgument)
        #expect(code { try SSTFileReader(path: path("a.sst")).get("a") } == .invalidArgument)
        let db = try scene.open(adding)
        try db.put("0", for: "a")
        try db.ingest([path("a.sst")])
        #expect(try db.text("a") == "0,1")
        #expect(try SSTFileReader(path: path("a.sst"), options: adding).text("a") == "1")
    }

    @Test func rulesOfIngestion() throws {
        let db = try scene.open()
        try db.fill("b")
        let file = try write("a.sst", "a", "c")
        var options = IngestOptions()
        options.allowsFlush = false
        #expect(code { try db.ingest([file], options: options) } == .invalidArgument)
        options = IngestOptions()
        options.allowsOverlap = false
        #expect(code { try db.ingest([file], options: options) } == .invalidArgument)
        options = IngestOptions()
        options.ingestsBehind = true
        #expect(code { try db.ingest([file], options: options) } == .invalidArgument)
        options = IngestOptions()
        options.failsIfNotBottommost = true
        #expect(code { try db.ingest([file], options: options) } == .tryAgain)
        #expect(try db.keyTexts() == ["b"])
        options = IngestOptions()
        options.verifiesChecksums = true
        options.verificationReadahead = .kibibytes(256)
        options.keepsSnapshotsConsistent = false
        options.writesSequenceNumber = true
        options.copiesIfMoveFails = false
        options.verifiesFileChecksums = false
        try db.ingest([file], options: options)
        #expect(try db.keyTexts() == ["a", "b", "c"])
    }

    @Test func ingestingBehind() throws {
        var databaseOptions = DatabaseOptions(createIfMissing: true)
        databaseOptions["allow_ingest_behind"] = "true"
        var families = ColumnFamilyOptions()
        families["compaction_style"] = "kCompactionStyleUniversal"
        let db = try scene.open(families, options: databaseOptions)
        try db.put("present", for: "a")
        let writer = try SSTFileWriter(path: path("a.sst"))
        for key in ["a", "b"] { try writer.put("past", for: key) }
        try writer.finish()
        var options = IngestOptions()
        options.ingestsBehind = true
        try db.ingest([path("a.sst")], options: options)
        #expect(try db.pairTexts() == ["a=present", "b=past"])
    }

    @Test func filesOfADatabaseAreReadButNotIngested() throws {
        let other = try RocksDB(path: path("other"), options: .creating)
        try other.fill("a", "b")
        try other.put("new", for: "a")
        try other.flush()
        let name = try #require(try FileSystem.system.list(path("other")).first { $0.hasSuffix(".sst") })
        #expect(try SSTFileReader(path: path("other") + "/" + name).pairTexts() == ["a=new", "b=b"])
        let db = try scene.open()
        #expect(code { try db.ingest([path("other") + "/" + name]) } == .corruption)
    }

    /// A footer that points anywhere makes RocksDB assert, or ask for all memory.
    @Test func damagedEndsAreRefused() async throws {
        var sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: write("a.sst", "a", "b"))))
        let footer = sound.count - 53
        let db = try scene.open()
        func refuses(_ bytes: [UInt8]) throws -> Bool {
            try Data(bytes).write(to: URL(fileURLWithPath: path("b.sst")))
            return code { try SSTFileReader(path: path("b.sst")) } == .corruption && code { try db.ingest([path("b.sst")]) } == .corruption
        }
        for bytes in [[], Array(sound.prefix(10)), Array(sound.prefix(60)), Array(sound.dropLast(1)), Array(sound.dropFirst(1))] {
            #expect(try refuses(bytes))
        }
        // The handles of index and metaindex, at their largest.
        for start in [1, 4] {
            var bytes = sound
            bytes.replaceSubrange(footer + start..<footer + start + 9, with: [UInt8](repeating: 0xFF, count: 8) + [0x7F])
            #expect(try refuses(bytes))
        }
        // Whatever is flipped there: an error, or no harm.
        let whole = sound
        try await withSeeds("flipped bits at the end of a sorted file", count: Thorough.count(15, of: 40)) { generator in
            var bytes = whole
            bytes[generator.int(in: footer..<whole.count)] ^= 1 << UInt8(generator.int(in: 0..<8))
            try Data(bytes).write(to: URL(fileURLWithPath: path("b.sst")))
            _ = code { try SSTFileReader(path: path("b.sst")).keys() }
        }
        sound[0] ^= 1
        try Data(sound).write(to: URL(fileURLWithPath: path("b.sst")))
        #expect(code { try SSTFileReader(path: path("b.sst")).verifyChecksums() } == .corruption)
        var options = IngestOptions()
        options.verifiesChecksums = true
        #expect(code { try db.ingest([path("b.sst")], options: options) } == .corruption)
        #expect(try db.keyTexts() == [])
    }
}
