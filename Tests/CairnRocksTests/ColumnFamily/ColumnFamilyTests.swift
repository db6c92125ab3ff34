import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct ColumnFamilyTests {
    let scene = try! Scene()

    private var onDisk: [String] { get throws { try RocksDB.columnFamilyNames(path: scene.path) } }

    @Test func aFreshDatabaseHasTheDefaultOne() throws {
        let db = try scene.open()
        #expect(db.columnFamilyNames == ["default"])
        #expect(try onDisk == ["default"])
        #expect(db.defaultColumnFamily.name == "default" && db.defaultColumnFamily.id == 0)
        #expect(try db.columnFamily("default") === db.defaultColumnFamily)
    }

    @Test func created() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("new_cf")
        #expect(family.name == "new_cf" && family.id == 1)
        #expect(db.columnFamilyNames == ["default", "new_cf"])
        #expect(try db.columnFamily("new_cf") === family)
        try db.close()
        #expect(try onDisk == ["default", "new_cf"])
        #expect(try scene.open().columnFamilyNames == ["default", "new_cf"])
    }

    @Test func dropped() throws {
        let db = try scene.open()
        try db.createColumnFamily("new_cf").put("1", for: "a")
        try db.dropColumnFamily("new_cf")
        #expect(db.columnFamilyNames == ["default"])
        #expect(code { try db.columnFamily("new_cf") } == .columnFamilyNotFound)
        // A new one of that name is another one.
        let again = try db.createColumnFamily("new_cf")
        #expect(again.id == 2)
        #expect(try again.keys().isEmpty)
        try db.dropColumnFamily("new_cf")
        try db.close()
        #expect(try onDisk == ["default"])
    }

    @Test func openedWithOptionsOfTheirOwn() throws {
        let reverse = ColumnFamilyOptions(comparator: .reverseBytewise)
        do {
            let db = try scene.open()
            try db.fill("a", "b")
            try db.createColumnFamily("down", options: reverse).fill("a", "b")
        }
        let db = try scene.open(.init(), ["down": reverse])
        #expect(try db.keyTexts() == ["a", "b"])
        #expect(try db.columnFamily("down").keyTexts() == ["b", "a"])
        #expect(try db.columnFamily("down").options.comparator === KeyComparator.reverseBytewise)
        #expect(db.defaultColumnFamily.options.comparator == nil)
    }

    @Test func openedWithTheWrongComparator() throws {
        do { try scene.open().createColumnFamily("down", options: .init(comparator: .reverseBytewise)).fill("a") }
        let error = failure { try scene.open() }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("does not match existing comparator") == true)
        #expect(try scene.open(.init(), ["down": .init(comparator: .reverseBytewise)]).columnFamily("down").keyTexts() == ["a"])
    }

    @Test func theOptionsOfDefaultCanBeNamed() throws {
        do { try scene.open(.init(), ["default": .init(comparator: .reverseBytewise)]).fill("a", "b") }
        #expect(code { try scene.open() } == .invalidArgument)
        #expect(try scene.open(.init(comparator: .reverseBytewise)).keyTexts() == ["b", "a"])
    }

    @Test func anUnknownOne() throws {
        let error = failure { try scene.open(.init(), ["new_cf": .init()]) }
        #expect(error?.code == .columnFamilyNotFound)
        let remedy = "declare it in `tables:` or set createMissingColumnFamilies to create it"
        #expect(error?.message == "'\(scene.path)' has no column family 'new_cf'; \(remedy)")
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        #expect(try scene.open(.init(), ["new_cf": .init()], options: options).columnFamilyNames == ["default", "new_cf"])
        #expect(try onDisk == ["default", "new_cf"])
    }

    @Test func eachIsAKeyspaceOfItsOwn() throws {
        do { try scene.open().createColumnFamily("new_cf") }
        let db = try scene.open()
        let family = try db.columnFamily("new_cf")
        try db.put("df_1", for: "key")
        try db.defaultColumnFamily.put("df_2", for: "key 2")
        try family.put("cf_1", for: "key")
        #expect(try db.pairTexts() == ["key=df_1", "key 2=df_2"])
        #expect(try db.defaultColumnFamily.pairTexts() == ["key=df_1", "key 2=df_2"])
        #expect(try family.pairTexts() == ["key=cf_1"])
        try family.delete("key")
        try family.delete("key")
        #expect(try family.get("key") == nil)
        #expect(try db.text("key") == "df_1")
        #expect(try family.walk(.next) == [nil])
        #expect(try db.walk(.next, .next, .next) == ["key", "key 2", nil])
    }

    @Test func batchesSpanThem() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("new_cf")
        try db.put("df", for: "old")
        try family.put("cf", for: "old")
        try family.write { batch in
            batch.put("cf_1", for: "a")
            batch.in(db.defaultColumnFamily).put("df_1", for: "a")
            batch.delete("old")
        }
        #expect(try family.pairTexts() == ["a=cf_1"])
        #expect(try db.pairTexts() == ["a=df_1", "old=df"])
    }

    @Test func refusals() throws {
        let db = try scene.open()
        try db.createColumnFamily("a")
        #expect(code { try db.createColumnFamily("a") } == .invalidArgument)
        #expect(code { try db.createColumnFamily("default") } == .invalidArgument)
        #expect(code { try db.dropColumnFamily("default") } == .invalidArgument)
        #expect(code { try db.dropColumnFamily("b") } == .columnFamilyNotFound)
        #expect(code { try db.createColumnFamily("") } == .invalidArgument)
        try db.dropColumnFamily("a")
        #expect(code { try db.dropColumnFamily("a") } == .columnFamilyNotFound)
        // None of this disturbs the database.
        try db.put("1", for: "a")
        #expect(db.columnFamilyNames == ["default"])
    }

    @Test func madeWhenMissing() throws {
        let db = try scene.open()
        let options = ColumnFamilyOptions(comparator: .reverseBytewise)
        let family = try db.columnFamily("a", createdWith: options)
        #expect(try db.columnFamily("a", createdWith: .init()) === family)
        #expect(family.options.comparator === KeyComparator.reverseBytewise)
    }

    @Test(arguments: [" ", "a b/c", "ü\n", String(repeating: "x", count: 100_000)]) func anyName(name: String) throws {
        do { try scene.open().createColumnFamily(name).put("1", for: "a") }
        let db = try scene.open()
        #expect(db.columnFamilyNames == [name, "default"].sorted())
        #expect(try db.columnFamily(name).pairTexts() == ["a=1"])
    }

    @Test func otherDefaults() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("a")
        let bulk = family.with(writeOptions: .unlogged)
        #expect(bulk.writeOptions.durability == .none && bulk.readOptions == family.readOptions && bulk.name == "a")
        #expect(family.writeOptions.durability == .buffered)
        try bulk.put("1", for: "a")
        let cached = bulk.with(readOptions: ReadOptions(tier: .cached))
        #expect(cached.writeOptions.durability == .none && cached.readOptions.tier == .cached)
        #expect(try cached.text("a") == "1")
    }

    @Test func manyCanBeMadeDroppedAndMadeAgain() throws {
        let db = try scene.open()
        for round in 0..<3 {
            for index in 0..<10 { try db.createColumnFamily("\(index)").put("\(round)", for: "a") }
            for index in 0..<10 { #expect(try db.columnFamily("\(index)").pairTexts() == ["a=\(round)"]) }
            for index in 0..<10 { try db.dropColumnFamily("\(index)") }
        }
        try db.close()
        #expect(try onDisk == ["default"])
    }
}
