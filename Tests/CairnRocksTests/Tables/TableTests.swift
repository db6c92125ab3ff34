import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct TableTests {
    let scene = try! Scene()

    struct Song: Codable, Equatable, Sendable { var title: String, seconds: Int }
    private static let sunshine = Song(title: "Walking on Sunshine", seconds: 298)

    @Test func typedVerbs() throws {
        let db = try scene.open()
        let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
        try songs.put(Self.sunshine, for: "katrina")
        try songs.put(Song(title: "Hello", seconds: 1), for: "adele")
        #expect(try songs.get("katrina") == Self.sunshine)
        #expect(try songs.get("nobody") == nil)
        #expect(try songs.contains("adele") && !songs.contains("nobody"))
        #expect(try songs.multiGet(["nobody", "katrina"]) == [nil, Self.sunshine])
        #expect(try songs.keys() == ["adele", "katrina"])
        #expect(try songs.entries(.all.reversed).map(\.key) == ["katrina", "adele"])
        #expect(try songs.count() == 2)
        try songs.delete("adele")
        try songs.singleDelete("katrina")
        #expect(try songs.count() == 0)
        // It is a column family of its own.
        #expect(db.columnFamilyNames == ["default", "songs"])
        #expect(try db.keys().isEmpty)
    }

    @Test func keysSortAsTheirTypeDoes() throws {
        let numbers = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        for number in [5, -1, .max, 0, -300, .min, 256] { try numbers.put("\(number)", for: number) }
        #expect(try numbers.keys() == [.min, -300, -1, 0, 5, 256, .max])
        #expect(try numbers.keys(.from(-1, to: 256)) == [-1, 0, 5])
        #expect(try numbers.keys(.from(5, to: -300).reversed) == [5, 0, -1])
        #expect(try numbers.keys(.to(0)) == [.min, -300, -1])
        try numbers.deleteRange(from: -300, to: 6)
        #expect(try numbers.entries().map(\.value) == ["\(Int.min)", "256", "\(Int.max)"])
    }

    @Test func compoundKeys() throws {
        let visits = try scene.open().table("visits", key: Key<String, Int>.self, value: String.self, codec: .utf8)
        for name in ["ann", "bob", "anna"] { for number in 0..<3 { try visits.put("\(name) \(number)", for: Key(name, number)) } }
        #expect(try visits.entries(.keys(Key("ann").prefixRange)).map(\.value) == ["ann 0", "ann 1", "ann 2"])
        #expect(try visits.entries(.keys(Key("ann").prefixRange).reversed, limit: 1).map(\.value) == ["ann 2"])
        #expect(try visits.keys(.keys(.strings(startingWith: "an"))).count == 6)
    }

    @Test func batchesAndSnapshots() throws {
        let db = try scene.open()
        let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
        let counts = try countsTable(in: db, ColumnFamilyOptions(mergeOperator: Self.adding))
        try db.write { batch in
            try batch.in(songs).put(Self.sunshine, for: "katrina")
            for number in 1...4 { try batch.in(counts).merge(number, for: "plays") }
        }
        let snapshot = try db.makeSnapshot()
        try counts.merge(10, for: "plays")
        try songs.delete("katrina")
        #expect(try counts.get("plays") == 20)
        #expect(try snapshot.in(counts).get("plays") == 10)
        #expect(try snapshot.in(songs).entries().map(\.value) == [Self.sunshine])
        snapshot.close()
        #expect(code { try snapshot.in(songs).get("katrina") } == .closed)
        try counts.merge(bytes: "bad", for: "plays")
        #expect(code { try counts.get("plays") } == .corruption)
    }

    @Test func cursors() throws {
        let numbers = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        for number in 0..<5 { try numbers.put("\(number)", for: number) }
        var cursor = try numbers.makeCursor(.from(1))
        var values: [String?] = []
        values.append(try cursor.next()?.value)
        values.append(try cursor.next()?.value)
        values.append(try cursor.previous()?.value)
        values.append(try cursor.last()?.value)
        values.append(try cursor.next()?.value)
        values.append(try cursor.first()?.value)
        values.append(try cursor.seek(to: 3)?.value)
        values.append(try cursor.seek(toOrBefore: 99)?.value)
        values.append(try cursor.seek(toOrBefore: 0)?.value)
        #expect(values == ["1", "2", "1", "4", nil, "1", "3", "4", nil])
        cursor.close()
        #expect(code { try cursor.next()?.key } == .closed)
        var seen: [Int] = []
        try numbers.forEach(.to(2)) { key, _ in seen.append(key) }
        #expect(seen == [0, 1])
    }

    // MARK: What does not decode

    @Test func aValueThatDoesNotDecode() throws {
        let songs = try scene.open().table("songs", key: String.self, value: Song.self, codec: .json)
        try songs.put(Self.sunshine, for: "katrina")
        try songs.space.put("no json", for: "bad".keyBytes)
        for error in [failure { try songs.get("bad") }, failure { try songs.multiGet(["bad"]) }, failure { try songs.entries() }] {
            #expect(error?.code == .codec)
            #expect(error?.message.contains("table 'songs'") == true)
            #expect(error?.cause is CodecError)
            #expect(error?.description.contains("no json") == false)
        }
        // A cursor leads past it.
        var cursor = try songs.makeCursor()
        #expect(code { try cursor.next()?.value } == .codec)
        let next = try cursor.next()
        #expect(next?.key == "katrina" && next?.value == Self.sunshine)
        // Keys are read without values.
        #expect(try songs.keys() == ["bad", "katrina"])
    }

    @Test func aKeyThatDoesNotDecode() throws {
        let numbers = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        try numbers.space.put("value", for: [0x02, 0x41, 0x00])
        for error in [failure { try numbers.keys() }, failure { try numbers.entries() }] {
            #expect(error?.code == .codec)
            #expect(error?.message.contains("decoding a key of table 'numbers'") == true)
        }
        #expect(try numbers.count() == 1)
    }

    @Test func codecsThatSeeTheKey() throws {
        let codec = ValueCodec<String, Int>.custom(
            encode: { key, value in Array((key == "hex" ? String(value, radix: 16) : "\(value)").utf8) },
            decode: { key, bytes in Int(try String(copying: bytes), radix: key == "hex" ? 16 : 10) ?? -1 }
        )
        let table = try scene.open().table("mixed", keys: .ordered, values: codec)
        try table.put(255, for: "hex")
        try table.put(255, for: "plain")
        #expect(try table.entries().map(\.value) == [255, 255])
        #expect(try table.space.entries().map(\.value) == [Array("ff".utf8), Array("255".utf8)])
    }

    @Test func onAFrozenView() throws {
        do { try scene.open().table("songs", key: String.self, value: Song.self, codec: .json).put(Self.sunshine, for: "katrina") }
        let view = try RocksDB(path: scene.path, mode: .readOnly)
        #expect(try view.table("songs", key: String.self, value: Song.self, codec: .json).get("katrina") == Self.sunshine)
        #expect(code { try view.table("none", key: String.self, value: Song.self, codec: .json) } == .columnFamilyNotFound)
    }

    // MARK: Options

    private static let adding = MergeOperator(name: "test.add", keys: .ordered, values: .littleEndian) { (_: String, sum: Int?, n: Int) in
        (sum ?? 0) + n
    }

    private func countsTable(in db: RocksDB, _ options: ColumnFamilyOptions = .init()) throws -> Table<String, Int> {
        try db.columnFamily("counts", createdWith: options).table(key: String.self, value: Int.self, codec: .littleEndian)
    }

    @Test func reopeningATableWithAMergeOperator() throws {
        let options = ColumnFamilyOptions(mergeOperator: Self.adding)
        try countsTable(in: scene.open(), options).put(1, for: "plays")
        // Without the operator the database opens as long as nothing needs it, but the table is refused with it.
        do {
            let db = try scene.open()
            let error = failure { try countsTable(in: db, options) }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains("`tables:` or `columnFamilies:`") == true && error?.message.contains("merge_operator") == true)
            #expect(error?.message.contains("'counts'") == true)
        }
        #expect(code { try countsTable(in: RocksDB(path: scene.path, mode: .readOnly), options) } == .invalidArgument)
        let db = try scene.open(.init(), ["counts": options])
        let counts = try countsTable(in: db, options)
        try counts.merge(4, for: "plays")
        #expect(try counts.get("plays") == 5)
    }

    /// RocksDB ends the process when it reads merge operands from a file without an operator.
    @Test(arguments: [RocksDB.OpenMode.readWrite, .readOnly]) func reopeningWithMergesInFiles(mode: RocksDB.OpenMode) throws {
        let options = ColumnFamilyOptions(mergeOperator: Self.adding)
        do {
            let counts = try countsTable(in: scene.open(), options)
            try counts.put(1, for: "plays")
            try counts.space.flush()
            try counts.merge(2, for: "plays")
            try counts.space.flush()
        }
        let error = failure { try RocksDB(path: scene.path, mode: mode) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("'counts'") == true && error?.message.contains("merge operator") == true)
        let db = try RocksDB(path: scene.path, columnFamilies: ["counts": options], mode: mode)
        #expect(try db.columnFamily("counts").table(key: String.self, value: Int.self, codec: .littleEndian).get("plays") == 3)
    }

    /// A merge that is only in the log cannot even be replayed without the operator.
    @Test func reopeningWithAMergeInTheLog() throws {
        var quiet = DatabaseOptions(createIfMissing: true)
        quiet.avoidFlushDuringShutdown = true
        let options = ColumnFamilyOptions(mergeOperator: Self.adding)
        do { try countsTable(in: scene.open(options: quiet), options).merge(2, for: "plays") }
        #expect(failure { try scene.open() }?.message.contains("merge_operator") == true)
        #expect(try countsTable(in: scene.open(.init(), ["counts": options]), options).get("plays") == 2)
    }

    @Test func otherOptionsThanThoseOfTheOpenTable() throws {
        var options = ColumnFamilyOptions(comparator: .reverseBytewise, mergeOperator: Self.adding)
        options.compression = .none
        options.table.blockSize = .kibibytes(8)
        let db = try scene.open()
        _ = try countsTable(in: db, options)
        _ = try countsTable(in: db, options)
        _ = try countsTable(in: db)
        for change: (inout ColumnFamilyOptions) -> Void in [
            { $0.comparator = nil }, { $0.mergeOperator = nil }, { $0.compression = .snappy }, { $0["num_levels"] = "3" },
            { $0.table.blockSize = .kibibytes(16) }, { $0.table.settings = [:] },
        ] {
            var other = options
            change(&other)
            #expect(code { try countsTable(in: db, other) } == .invalidArgument)
            #expect(code { try db.columnFamily("counts", createdWith: other) } == .invalidArgument)
        }
        // A default that is set explicitly is not a difference.
        options["num_levels"] = ColumnFamilyOptions.defaults["num_levels"]
        _ = try countsTable(in: db, options)
    }

    /// What is not logged is gone when the directory is copied under an open database; what is logged is there.
    @Test func writeOptions() throws {
        let db = try scene.open()
        let counts = try countsTable(in: db, .init(mergeOperator: Self.adding))
        try counts.put(1, for: "deleted", options: .synced)
        try counts.put(1, for: "synced", options: .synced)
        try counts.merge(2, for: "synced", options: .synced)
        try counts.merge(bytes: [4, 0, 0, 0, 0, 0, 0, 0], for: "synced", options: .synced)
        try counts.put(1, for: "single", options: .synced)
        try counts.put(1, for: "x", options: .synced)
        try counts.delete("deleted", options: .synced)
        try counts.singleDelete("single", options: .synced)
        try counts.deleteRange(from: "x", to: "y", options: .synced)
        try counts.put(1, for: "unlogged", options: .unlogged)
        try counts.with(writeOptions: .unlogged).put(1, for: "unlogged too")
        #expect(try counts.keys() == ["synced", "unlogged", "unlogged too"])
        try FileManager.default.copyItem(atPath: scene.path, toPath: scene.directory.path("copy"))
        let copy = try RocksDB(path: scene.directory.path("copy"), columnFamilies: ["counts": counts.space.options])
        let entries = try countsTable(in: copy).entries()
        #expect(entries.map(\.key) == ["synced"] && entries.map(\.value) == [7])
    }

    @Test func inAnExistingColumnFamily() throws {
        let family = try scene.open().createColumnFamily("down", options: .init(comparator: .reverseBytewise))
        let table = family.table(key: Int.self, value: String.self, codec: .utf8)
        for number in 0..<3 { try table.put("\(number)", for: number) }
        #expect(try table.keys() == [2, 1, 0])
    }
}
