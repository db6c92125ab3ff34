import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

@Suite struct ParityColumnFamilyTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    @Test func `a new database has one column family, default`() throws {
        try scene.open().close()
        #expect(try RocksDB.columnFamilyNames(path: scene.path) == ["default"])
    }

    @Test func `a column family that was created is listed`() throws {
        let db = try scene.open()
        _ = try db.createColumnFamily("new_cf")
        try db.close()
        #expect(try RocksDB.columnFamilyNames(path: scene.path) == ["default", "new_cf"])
    }

    @Test func `a column family that was dropped is not`() throws {
        let db = try scene.open()
        _ = try db.createColumnFamily("new_cf")
        try db.dropColumnFamily("new_cf")
        try db.close()
        #expect(try RocksDB.columnFamilyNames(path: scene.path) == ["default"])
    }

    @Test func `column families open with comparators of their own`() throws {
        var descending = ColumnFamilyOptions()
        descending.comparator = .reverseBytewise
        let db = try scene.open()
        try db.createColumnFamily("new_cf", options: descending).fill("a", "b")
        try db.close()
        let again = try scene.open(.init(), ["new_cf": descending])
        #expect(again.columnFamilyNames == ["default", "new_cf"])
        #expect(try again.columnFamily("new_cf").keyTexts() == ["b", "a"])
    }

    @Test func `opening with another comparator fails`() throws {
        var descending = ColumnFamilyOptions()
        descending.comparator = .reverseBytewise
        let db = try scene.open()
        _ = try db.createColumnFamily("new_cf", options: descending)
        try db.close()
        #expect(code { try scene.open() } == .invalidArgument)
    }

    @Test func `column families are apart, and the database is its default one`() throws {
        let db = try scene.open()
        try db.put("df_value", for: "df_key")
        _ = try db.createColumnFamily("new_cf")
        try db.columnFamily("new_cf").put("cf_value", for: "cf_key")
        try db.close()

        let again = try scene.open()
        let family = try again.columnFamily("new_cf")
        #expect(try again.pairTexts() == ["df_key=df_value"])
        #expect(try again.columnFamily("default").pairTexts() == ["df_key=df_value"])
        #expect(try family.pairTexts() == ["cf_key=cf_value"])
        try family.delete("cf_key")
        try family.delete("cf_key")
        #expect(try family.pairTexts().isEmpty)
        #expect(try again.text("df_key") == "df_value")
    }

    @Test func `a batch of one column family can write to another`() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("new_cf")
        let batch = family.makeBatch()
        batch.put("xyz", for: "xyz")
        batch.in(db.defaultColumnFamily).put("df", for: "df")
        try family.write(batch)
        #expect(try family.pairTexts() == ["xyz=xyz"])
        #expect(try db.pairTexts() == ["df=df"])

        batch.clear()
        batch.put("new", for: "new")
        batch.delete("xyz")
        batch.delete("df")
        try db.write(batch)
        #expect(try family.pairTexts() == ["new=new"])
        #expect(try db.pairTexts() == ["df=df"])
    }

    @Test func `cursors see the pairs of their column family only`() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("new_cf")
        try db.fill("df 1", "df 2")
        try family.fill("cf 1", "cf 2")
        #expect(try db.walk(.next, .next, .next) == ["df 1", "df 2", nil])
        #expect(try family.walk(.next, .next, .next) == ["cf 1", "cf 2", nil])
    }
}

@Suite struct ParityPropertyTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    @Test func `the memtable's properties count what was put`() throws {
        let db = try scene.open()
        for number in 1...3 { try db.put("value", for: "key \(number)") }
        #expect(try #require(try db.property(.numEntriesActiveMemTable)) > 0)
        #expect(try #require(try db.property(.curSizeActiveMemTable)).bytes > 0)
    }

    @Test func `every column family has properties of its own`() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("new_cf")
        try family.put("value", for: "key")
        #expect(try db.property(.estimateNumKeys) == 0)
        #expect(try family.property(.estimateNumKeys) == 1)
        for store in [db.defaultColumnFamily, family] {
            #expect(try store.property(.stats)?.isEmpty == false)
            #expect(try store.property(.ssTables) != nil)
        }
    }
}
