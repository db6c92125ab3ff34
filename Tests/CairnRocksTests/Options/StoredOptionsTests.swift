import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct StoredOptionsTests {
    static let byLength = KeyComparator(name: "test.length") { $0.byteCount - $1.byteCount }
    static let last = MergeOperator(name: "test.last", associative: { _, _, operand in [UInt8](copying: operand) })

    /// A database with column families that differ.
    private func makeVaried(_ scene: Scene) throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        options.maxBackgroundJobs = 3
        options.logDirectory = scene.directory.path("log #1; a=b")
        var tuned = ColumnFamilyOptions()
        tuned.compression = .zstd
        tuned.compressionOptions.level = 7
        tuned.compressionPerLevel = [.none, .lz4]
        tuned.prefixExtractor = .capped(4)
        tuned.table.blockSize = .kibibytes(16)
        tuned.table.filterPolicy = .bloom(bitsPerKey: 12)
        tuned.mergeOperator = try MergeOperator(named: "uint64add")
        var plain = ColumnFamilyOptions()
        plain.prefixExtractor = .fixed(3)
        var plainTable = PlainTableOptions()
        plainTable.bloomBitsPerKey = 20
        plain.tableFormat = .plain(plainTable)
        let db = try scene.open(
            ColumnFamilyOptions(),
            [
                "tuned": tuned, "plain": plain, "reversed": ColumnFamilyOptions(comparator: .reverseBytewise),
                "a \"b] \\c\u{2028}d": ColumnFamilyOptions(),
            ],
            options: options
        )
        try db.columnFamily("tuned").merge([1, 0, 0, 0, 0, 0, 0, 0], for: "n")
        try db.close()
    }

    @Test func load() throws {
        let scene = try Scene()
        try makeVaried(scene)
        let stored = try StoredOptions(path: scene.path)
        #expect(stored.libraryVersion == RocksDB.libraryVersion && stored.unknown.isEmpty)
        #expect(stored.database.maxBackgroundJobs == 3 && stored.database.logDirectory == scene.directory.path("log #1; a=b"))
        #expect(stored.database.walRecoveryMode == .tolerateCorruptedTail)
        #expect(stored.columnFamilies.keys.sorted() == ["a \"b] \\c\u{2028}d", "default", "plain", "reversed", "tuned"])
        let tuned = try #require(stored.columnFamilies["tuned"])
        #expect(tuned.compression == .zstd && tuned.compressionOptions.level == 7 && tuned.compressionPerLevel == [.none, .lz4])
        #expect(tuned.prefixExtractor == .capped(4) && tuned.table.blockSize == .kibibytes(16) && tuned.mergeOperator != nil)
        #expect(tuned.table.filterPolicy == .bloom(bitsPerKey: 12) && tuned.comparator == nil)
        // Only what differs from the defaults is set.
        #expect(tuned.settings["num_levels"] == nil && tuned.table.settings["checksum"] == nil)
        #expect(stored.columnFamilies["reversed"]?.comparator?.name == KeyComparator.reverseBytewise.name)
        let plain = try #require(stored.columnFamilies["plain"])
        #expect(plain.tableFormat.rawValue.contains("bloom_bits_per_key=20") && plain.prefixExtractor == .fixed(3))
    }

    @Test func openStored() throws {
        let scene = try Scene()
        try makeVaried(scene)
        for mode in [RocksDB.OpenMode.readOnly, .readWrite] {
            let db = try RocksDB(storedAt: scene.path, mode: mode)
            #expect(try db.currentOptions()["max_background_jobs"] == "3")
            let tuned = try db.columnFamily("tuned")
            #expect(try tuned.currentTableOptions()["block_size"] == "16384")
            #expect(try tuned.get("n") == [1, 0, 0, 0, 0, 0, 0, 0])
            #expect(try db.columnFamily("reversed").currentColumnFamilyOptions()["comparator"] == KeyComparator.reverseBytewise.name)
            #expect(try db.columnFamily("plain").currentTableOptions().isEmpty)
            try db.close()
        }
        #expect(code { try RocksDB(storedAt: scene.directory.path("nothing")) } == .notFound)
    }

    /// Orders that the library has itself.
    @Test func ownOrdersAreKnown() throws {
        let scene = try Scene()
        let families = ["up": ColumnFamilyOptions(comparator: .unicodeAscending), "prices": HistoryTests.keeping]
        let db = try scene.open(ColumnFamilyOptions(comparator: .unicodeDescending), families, options: Self.making)
        try db.columnFamily("prices").at(7).put("1", for: "apple")
        try db.close()
        let stored = try StoredOptions(path: scene.path)
        #expect(stored.columnFamilies["prices"]?.keepsHistory == true && stored.columnFamilies["prices"]?.comparator == nil)
        #expect(stored.columnFamilies["up"]?.comparator?.name == KeyComparator.unicodeAscending.name)
        let other = StoredOptions(columnFamilies: stored.columnFamilies.mapValues { _ in ColumnFamilyOptions() })
        #expect(stored.differences(from: other).filter { $0.name == "comparator" }.count == 3)
        let path = scene.directory.path("saved")
        try stored.save(to: path)
        #expect(try StoredOptions(file: path).differences(from: stored).isEmpty)
        let again = try RocksDB(storedAt: scene.path)
        #expect(try again.columnFamily("prices").at(8).text("apple") == "1")
        try again.close()
    }

    static let making: DatabaseOptions = {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        return options
    }()

    /// Without it, the library would take the bytewise order in silence.
    @Test func ownComparatorMustBeGiven() throws {
        let scene = try Scene()
        var options = ColumnFamilyOptions(comparator: Self.byLength, mergeOperator: Self.last)
        options.compression = .none
        try scene.open(options).close()
        let error = failure { try StoredOptions(path: scene.path) }
        #expect(error?.code == .invalidArgument && error?.message.contains("'test.length'") == true)
        let second = failure { try RocksDB(storedAt: scene.path, comparators: [Self.byLength]) }
        #expect(second?.code == .invalidArgument && second?.message.contains("'test.last'") == true)
        let db = try RocksDB(storedAt: scene.path, comparators: [.bytewise, Self.byLength], mergeOperators: [Self.last])
        try db.fill("ccc", "a", "bb")
        #expect(try db.keyTexts() == ["a", "bb", "ccc"])
        try db.close()
    }

    @Test func saveAndLoad() throws {
        let scene = try Scene()
        try makeVaried(scene)
        let stored = try StoredOptions(path: scene.path)
        let path = scene.directory.path("saved.ini")
        try stored.save(to: path)
        let loaded = try StoredOptions(file: path)
        #expect(loaded.differences(from: stored) == [])
        #expect(loaded.columnFamilies.count == 5)
        // RocksDB reads what was saved as its own: put in the place of its file, it is compatible, and a database opens with it.
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasPrefix("OPTIONS-") }
        for name in names { try FileManager.default.removeItem(atPath: scene.path + "/" + name) }
        try stored.save(to: scene.path + "/OPTIONS-000777")
        try stored.checkCompatibility(withDatabaseAt: scene.path)
        try RocksDB(storedAt: scene.path).close()
        #expect(code { try StoredOptions(columnFamilies: [:]).save(to: path) } == .invalidArgument)
        #expect(code { try stored.save(to: scene.directory.path("no/such/directory")) } == .notFound)
    }

    @Test func differences() throws {
        var first = StoredOptions(columnFamilies: ["default": ColumnFamilyOptions(), "one": ColumnFamilyOptions()])
        var second = StoredOptions(columnFamilies: ["default": ColumnFamilyOptions()])
        #expect(first.differences(from: first).isEmpty)
        first.database["max_total_wal_size"] = "1M"
        second.database["max_total_wal_size"] = "1048576"
        first.columnFamilies["default"]?.table.blockSize = .kibibytes(4)
        first.columnFamilies["default"]?.compressionOptions.level = 32767
        #expect(first.differences(from: second).map(\.name) == ["name"])
        second.database.maxBackgroundJobs = 9
        second.columnFamilies["default"]?.comparator = Self.byLength
        second.columnFamilies["default"]?.table.blockSize = .kibibytes(8)
        let differences = first.differences(from: second)
        #expect(differences.map(\.name) == ["max_background_jobs", "block_size", "comparator", "name"])
        #expect(differences[0].columnFamily == nil && differences[0].here == "2" && differences[0].there == "9")
        #expect(differences[1].columnFamily == "default" && differences[1].here == "4096" && differences[1].there == "8192")
        #expect(differences[2].there == "test.length" && differences[3].columnFamily == "one" && differences[3].there == nil)
    }

    @Test func compatibility() throws {
        let scene = try Scene()
        try scene.open().close()
        try StoredOptions(columnFamilies: ["default": ColumnFamilyOptions()]).checkCompatibility(withDatabaseAt: scene.path)
        let reversed = StoredOptions(columnFamilies: ["default": ColumnFamilyOptions(comparator: .reverseBytewise)])
        #expect(code { try reversed.checkCompatibility(withDatabaseAt: scene.path) } == .invalidArgument)
        #expect(code { try reversed.checkCompatibility(withDatabaseAt: scene.directory.path("nothing")) } != nil)
        #expect(code { try StoredOptions(columnFamilies: [:]).checkCompatibility(withDatabaseAt: scene.path) } == .invalidArgument)
    }

    /// What a newer library wrote.
    @Test func unknownOptions() throws {
        let scene = try Scene()
        try scene.open().close()
        let stored = try StoredOptions(path: scene.path)
        let path = scene.directory.path("newer.ini")
        try stored.save(to: path)
        var text = try String(contentsOfFile: path, encoding: .utf8)
        text.replace("[DBOptions]\n", with: "[DBOptions]\n  shiny_new=1 # a comment\n")
        text.replace("  block_size=", with: "  sparkle=a\\#b\n  block_size=")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let error = failure { try StoredOptions(file: path) }
        #expect(error?.code == .invalidOption && error?.message.contains("shiny_new, sparkle") == true)
        let loaded = try StoredOptions(file: path, ignoresUnknown: true)
        #expect(loaded.unknown == ["shiny_new", "sparkle"] && loaded.differences(from: stored).isEmpty)
    }

    @Test(arguments: [
        "", "[Version]\n  rocksdb_version=7.8.3\n", "\u{0}\u{1}garbage", "[DBOptions\n", "[CFOptions \"default\"]\n nonsense\n", "x=1\n",
    ])
    func damagedFile(_ text: String) throws {
        let scene = try Scene()
        let path = scene.directory.path("options")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(code { try StoredOptions(file: path) } == .corruption)
        #expect(code { try StoredOptions(file: path + "x") } == .notFound)
        #expect(code { try StoredOptions(file: "a\0b") } == .invalidArgument)
    }

    @Test func theNewestFileCounts() throws {
        let scene = try Scene()
        try scene.open().close()
        var stored = try StoredOptions(path: scene.path)
        for (name, jobs) in [("OPTIONS-999999", 4), ("OPTIONS-1000000", 5), ("OPTIONS-1000001.dbtmp", 6), ("OPTIONS-old", 7)] {
            stored.database.maxBackgroundJobs = jobs
            try stored.save(to: scene.path + "/" + name)
        }
        #expect(try StoredOptions(path: scene.path).database.maxBackgroundJobs == 5)
    }

    /// A database whose last options file is missing.
    @Test func noFile() throws {
        let scene = try Scene()
        try scene.open().close()
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.path) where name.hasPrefix("OPTIONS-") {
            try FileManager.default.removeItem(atPath: scene.path + "/" + name)
        }
        #expect(code { try StoredOptions(path: scene.path) } == .notFound)
    }
}
