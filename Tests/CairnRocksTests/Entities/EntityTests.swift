import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct EntityTests {
    let scene = try! Scene()
    let song: Entity = ["title": "Walking on Sunshine", "artist": "Katrina", "": "plain"]

    @Test func entityValues() throws {
        var entity: Entity = ["b": "2", "a": "1", "b": "3"]
        #expect(entity.columns.map(\.name) == [Array("a".utf8), Array("b".utf8)])
        #expect(try entity.get("b") == "3" && entity["c"] == nil)
        entity["a"] = nil
        entity.put("", for: "c")
        #expect(entity.columns.count == 2 && entity["c"] == [] && entity.value == nil)
        entity.value = [1]
        #expect(entity.columns.first?.name == [] && Entity(value: [1]).value == [1])
        #expect(code { try Entity(value: [0xFF]).get("", as: String.self) } == .codec)
    }

    @Test(arguments: [false, true]) func writtenAndRead(flushed: Bool) throws {
        let db = try scene.open()
        try db.putEntity(song, for: "song")
        try db.putEntity([:], for: "none", options: .synced)
        try db.putEntity(["x": "1"], for: "no default")
        try db.put("plain", for: "value")
        if flushed { try db.flush() }
        #expect(try db.entity(for: "song") == song)
        #expect(try db.entity(for: "none") == Entity() && db.entity(for: "missing") == nil)
        #expect(try db.entity(for: "value") == Entity(value: "plain"))
        // Plain reads see the column without a name.
        #expect(try db.text("song") == "plain" && db.text("none") == "" && db.text("no default") == "")
        #expect(try db.multiGet(["song", "value"], as: String.self) == ["plain", "plain"])
        #expect(try db.contains("none"))
        let sizes = try db.withEntity(for: "song") { columns in (columns.count, columns["artist"]?.byteCount, columns["x"] == nil) }
        #expect(sizes?.0 == 3 && sizes?.1 == 7 && sizes?.2 == true)
        #expect(try db.withEntity(for: "missing") { _ in } == nil)
        try db.put("again", for: "song")
        #expect(try db.entity(for: "song") == Entity(value: "again"))
    }

    @Test(arguments: [false, true]) func cursorsSeeColumns(flushed: Bool) throws {
        let db = try scene.open()
        try db.putEntity(song, for: "a")
        try db.put("plain", for: "b")
        if flushed { try db.flush() }
        var cursor = try db.makeCursor()
        if let entry = try cursor.next() {
            let columns = try entry.columns
            #expect(Entity(copying: columns) == song)
            // Asked again: the same, and those lent before stay.
            let count = try entry.columns.count
            #expect(count == 3 && columns["artist"]?.byteCount == 7)
            #expect(try entry.value(as: String.self) == "plain")
        } else {
            Issue.record("no entry")
        }
        if let entry = try cursor.next() {
            let columns = try entry.columns
            #expect(Entity(copying: columns) == Entity(value: "plain"))
        } else {
            Issue.record("no entry")
        }
    }

    /// The writes of a transaction or batch have no columns, and RocksDB cannot read those of the entries below them.
    @Test func entriesUnderWritesHaveNoColumns() throws {
        let db = try scene.open(.transactions())
        try db.put("1", for: "a")
        let tx = try db.makeTransaction(), batch = try db.makeIndexedBatch()
        for reader in [tx, batch.over(db)] as [any RocksReader] {
            var cursor = try reader.makeCursor(.all, options: nil)
            guard let entry = try cursor.next() else { throw RocksError(.notFound, "no entry") }
            do throws(RocksError) {
                _ = try entry.columns.count
                Issue.record("columns of \(reader)")
            } catch {
                #expect(error.code == .notSupported)
            }
        }
    }

    @Test func errorsOfBodiesAreThrown() throws {
        struct Stop: Error {}
        let db = try scene.open()
        try db.putEntity(song, for: "song")
        #expect(throws: Stop.self) { try db.withEntity(for: "song") { _ in throw Stop() } }
        // The database cannot be closed while columns are lent.
        #expect(code { try db.withEntity(for: "song") { _ in try db.close() } } == .busy)
        try db.close()
        #expect(code { try db.entity(for: "song") } == .closed)
        #expect(code { try db.putEntity(song, for: "song") } == .closed)
    }

    @Test func batchesAndSnapshots() throws {
        let db = try scene.open(), family = try db.createColumnFamily("family")
        let before = try db.makeSnapshot()
        let batch = db.makeBatch()
        batch.putEntity(song, for: "song")
        batch.in(family).putEntity(["x": "1"], for: "song")
        #expect(try batch.operations().map { try $0.entity() } == [song, ["x": "1"]])
        try db.write(WriteBatch(data: batch.data))
        #expect(try db.entity(for: "song") == song && family.entity(for: "song") == ["x": "1"])
        #expect(try before.entity(for: "song") == nil)
        #expect(try db.withSnapshot { try $0.entity(for: "song") } == song)
        let unaddressed = WriteBatch()
        unaddressed.putEntity(song, for: "song")
        #expect(code { try db.write(unaddressed) } == .invalidArgument)
        before.close()
        try db.close()
        let again = try scene.open()
        #expect(try again.entity(for: "song") == song && again.columnFamily("family").entity(for: "song") == ["x": "1"])
    }

    /// RocksDB 7.8 cannot merge onto an entity: flushing both together fails, writes stop, and the database does not open again.
    @Test(.enabled(if: isLibrary(before: 8, 0), "a defect of RocksDB 7.8")) func notBesideMerges() throws {
        let merging = try ColumnFamilyOptions(mergeOperator: MergeOperator(named: "stringappend"))
        let db = try scene.open(ColumnFamilyOptions(), ["merging": merging], options: creating)
        let family = try db.columnFamily("merging")
        #expect(code { try family.putEntity(song, for: "a") } == .notSupported)
        let batch = family.makeBatch()
        batch.putEntity(song, for: "a")
        #expect(code { try db.write(batch) } == .notSupported)
        // The same bytes as data: the numbers of column families are in them.
        let plain = try db.createColumnFamily("plain").makeBatch()
        plain.putEntity(song, for: "a")
        var data = plain.data
        let place = try #require(data.firstIndex(of: 0x17))
        data[place + 1] = UInt8(family.id)
        #expect(code { try db.write(WriteBatch(data: data)) } == .notSupported)
        try family.merge("1", for: "a")
        try family.flush()
        try db.close()
        #expect(try scene.open(ColumnFamilyOptions(), ["merging": merging]).columnFamily("merging").text("a") == "1")
    }

    /// Entities in files, and an operator given later: reading throws, and nothing is lost.
    @Test(.enabled(if: isLibrary(before: 8, 0), "a defect of RocksDB 7.8")) func mergesOntoStoredEntities() throws {
        var db = try scene.open()
        try db.putEntity(song, for: "a")
        try db.close()
        db = try scene.open(ColumnFamilyOptions(mergeOperator: MergeOperator(named: "stringappend")))
        try db.merge("1", for: "a")
        #expect(code { try db.get("a") } == .notSupported && code { try db.entity(for: "a") } == .notSupported)
        #expect(code { try db.entries() } == .notSupported)
        try db.flush()
        try db.compact()
        try db.put("new", for: "a")
        #expect(try db.text("a") == "new")
    }

    @Test func deletionsAndOtherFormats() throws {
        let db = try scene.open()
        try db.putEntity(song, for: "a")
        try db.putEntity(song, for: "b")
        try db.putEntity(song, for: "c")
        try db.delete("a")
        try db.singleDelete("b")
        try db.deleteRange(from: "c", to: "d")
        try db.flush()
        try db.compact()
        #expect(try db.count() == 0)
        var blobs = ColumnFamilyOptions()
        blobs.enableBlobFiles = true
        var plain = ColumnFamilyOptions()
        plain.tableFormat = .plain()
        plain.prefixExtractor = .capped(2)
        for (name, options) in [("blobs", blobs), ("plain", plain)] {
            let family = try db.createColumnFamily(name, options: options)
            try family.putEntity(song, for: "a")
            try family.put("1", for: "b")
            try family.flush()
            #expect(try family.entity(for: "a") == song && family.entity(for: "b") == Entity(value: "1"), "\(name)")
        }
    }

    @Test func damagedEntitiesInBatches() async throws {
        let scene = scene, song = song
        try await withSeeds("damaged entities", count: Thorough.count(1, of: 4)) { generator in
            let db = try scene.open(), batch = db.makeBatch()
            batch.putEntity(song, for: "song")
            batch.putEntity(["a": "", "b": "2"], for: "k")
            let whole = batch.data
            var read = 0
            for _ in 0..<1_000 {
                var bytes = whole
                for _ in 0...generator.int(in: 0..<3) { bytes[generator.int(in: 12..<bytes.count)] = UInt8(generator.int(in: 0..<40)) }
                guard let batch = try? WriteBatch(data: bytes) else { continue }
                read += 1
                _ = code { try db.write(batch) }
            }
            #expect(read > 0 && read < 1_000)
            // What got in can be read.
            try db.flush()
            try db.forEach { key, _ in _ = try db.entity(for: [UInt8](copying: key)) }
            try db.put("1", for: "alive")
            try db.close()
        }
    }

    private var creating: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        return options
    }
}
