import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Tables that are declared once, to open the database and to access it.
@Suite struct TableDefinitionTests {
    let scene = try! Scene()

    private static let adding = MergeOperator(name: "test.add", keys: .ordered, values: .littleEndian) { (_: String, sum: Int?, n: Int) in
        (sum ?? 0) + n
    }
    private static let plays = TableDefinition(
        "plays",
        key: String.self,
        value: Int.self,
        codec: .littleEndian,
        options: ColumnFamilyOptions(mergeOperator: adding)
    )
    private static let newest = TableDefinition(
        "newest",
        keys: .ordered,
        values: ValueCodec<Int, String>.utf8,
        options: ColumnFamilyOptions(comparator: .reverseBytewise)
    )
    private static let dropping: TableDefinition<String, String> = {
        var options = ColumnFamilyOptions()
        options.compactionFilter = CompactionFilter(name: "test.drop") { key, _, _ in key.byteCount > 3 ? .remove : .keep }
        return TableDefinition("dropping", codec: .utf8, options: options)
    }()
    private static let all: [any ColumnFamilyDefinition] = [plays, newest, dropping]

    /// Flushed or left in the log, what was merged is read at the next start.
    @Test(arguments: [false, true]) func worksAtEveryStart(flushes: Bool) throws {
        for start in 1...3 {
            let db = try RocksDB(path: scene.path, tables: Self.all)
            #expect(db.columnFamilyNames == ["default", "dropping", "newest", "plays"])
            let plays = try db.table(Self.plays)
            try plays.merge(2, for: "katrina")
            #expect(try plays.get("katrina") == 2 * start)
            let newest = try db.table(Self.newest)
            try newest.put("\(start)", for: start)
            #expect(try newest.keys() == (1...start).reversed())
            let texts = try db.table(Self.dropping)
            try texts.put("x", for: "longer")
            try texts.put("x", for: "a")
            try texts.space.compact()
            #expect(try texts.keys() == ["a"])
            if flushes { try plays.space.flush() }
            try db.close()
        }
    }

    @Test func worksInEveryMode() throws {
        for mode in [RocksDB.OpenMode.optimisticTransactions(), .transactions(), .readOnly, .secondary(path: scene.directory.path("log"))] {
            let db = try RocksDB(path: scene.path, tables: Self.all, mode: mode)
            #expect(try db.table(Self.plays).get("katrina") ?? 0 == 0)
            try db.close()
        }
        try RocksDB(path: scene.path, tables: Self.all).table(Self.plays).put(1, for: "katrina")
        #expect(try RocksDB(path: scene.path, tables: Self.all, mode: .readOnly).table(Self.plays).get("katrina") == 1)
    }

    /// Views create nothing; nor does a list of options beside the tables.
    @Test func createsOnlyWhatIsDeclared() throws {
        #expect(code { try RocksDB(path: scene.path, tables: Self.all, mode: .readOnly) } == .notFound)
        #expect(code { try RocksDB(path: scene.path, tables: Self.all, options: DatabaseOptions()) } == .notFound)
        try scene.open().close()
        let error = failure { try RocksDB(path: scene.path, tables: Self.all, mode: .readOnly) }
        #expect(error?.code == .columnFamilyNotFound && error?.message.contains("for writing") == true)
        let other = failure { try RocksDB(path: scene.path, tables: Self.all, columnFamilies: ["other": ColumnFamilyOptions()]) }
        #expect(other?.code == .columnFamilyNotFound && other?.message.contains("'other'") == true)
        #expect(try RocksDB.columnFamilyNames(path: scene.path) == ["default"])
    }

    @Test func isDeclaredOnce() throws {
        #expect(code { try RocksDB(path: scene.path, tables: [Self.plays, Self.plays]) } == .invalidArgument)
        let error = failure { try RocksDB(path: scene.path, tables: [Self.plays], columnFamilies: ["plays": ColumnFamilyOptions()]) }
        #expect(error?.code == .invalidArgument && error?.message.contains("'plays'") == true)
    }

    /// Before the table exists and afterwards: what works at the first start works at the second.
    @Test func mustBeGivenWhenOpening() throws {
        do {
            let db = try scene.open()
            let error = failure { try db.table(Self.plays) }
            #expect(error?.code == .columnFamilyNotFound && error?.message.contains("'plays'") == true)
            #expect(error?.message.contains("declare the table in `tables:`") == true)
            #expect(db.columnFamilyNames == ["default"])
        }
        try RocksDB(path: scene.path, tables: [Self.plays]).close()
        let error = failure { try RocksDB(path: scene.path).table(Self.plays) }
        #expect(error?.code == .invalidArgument && error?.message.contains("'plays'") == true)
        #expect(error?.message.contains("declare it in `tables:`") == true)
    }

    @Test func withoutOptionsIsCreatedWhenFirstUsed() throws {
        let songs = TableDefinition("songs", codec: ValueCodec<String, String>.utf8)
        for start in 1...2 {
            let db = try scene.open()
            try db.table(songs).put("x", for: "\(start)")
            #expect(try db.table(songs).count() == start)
            try db.close()
        }
    }

    @Test func ofTheDefaultColumnFamily() throws {
        let numbers = TableDefinition("default", key: Int.self, value: Int.self, codec: .littleEndian, options: Self.newest.options)
        for _ in 0..<2 {
            let db = try RocksDB(path: scene.path, tables: [numbers])
            try db.table(numbers).put(1, for: 1)
            try db.table(numbers).put(2, for: 2)
            #expect(try db.table(numbers).keys() == [2, 1])
            try db.close()
        }
    }
}
