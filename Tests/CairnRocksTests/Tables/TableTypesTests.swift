import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// The types of tables that a database remembers for tools.
struct TableTypesTests {
    let scene = try! Scene()
    private var file: String { scene.path + "/cairn-tables.json" }

    private static let plays = TableDefinition("plays", key: Key<String, Int>.self, value: Int.self, codec: .littleEndian)
    private static let songs = TableDefinition("songs", key: UUID?.self, value: [String].self, codec: .json)
    private static let lines = TableDefinition(
        "lines",
        keys: .custom(encode: { (line: Int) in "\(line)" }, decode: { try Int(String(copying: $0)) ?? 0 }),
        values: .utf8
    )

    /// As a tool reads them: "key type, value type".
    private func types(in path: String? = nil) throws -> [String: String] {
        try TableTypesFile.read(in: path ?? scene.path).mapValues { "\($0.key ?? "-") \($0.value ?? "-")" }
    }

    private var exists: Bool { FileManager.default.fileExists(atPath: file) }

    @Test func declaredWhenOpening() throws {
        try RocksDB(path: scene.path, tables: [Self.plays, Self.songs, Self.lines]).close()
        #expect(try types() == ["plays": "string,int int64", "songs": "uuid? json", "lines": "- text"])
        // The format that docs/formats/table-types.md describes.
        let json = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? [String: Any])
        #expect(json["version"] as? Int == 1 && json.count == 2)
        let tables = try #require(json["tables"] as? [String: [String: String]])
        #expect(tables["plays"] == ["key": "string,int", "value": "int64"] && tables["lines"] == ["value": "text"])
    }

    @Test func declaredByUse() throws {
        let db = try scene.open()
        #expect(!exists)
        let dates = try db.table("dates", key: Date.self, value: Double.self, codec: .bigEndian)
        _ = db.table(key: String.self, value: String.self, codec: .utf8)
        _ = try db.createColumnFamily("flags").table(key: Bool.self, value: Data.self, codec: .raw)
        #expect(try types() == ["dates": "date doublebe", "default": "string text", "flags": "bool bytes"])
        // The first declaration counts, in batches and snapshots too.
        _ = try db.table("dates", key: Double.self, value: String.self, codec: .utf8)
        try db.write { batch in try batch.in(dates).put(1, for: .now) }
        #expect(try types()["dates"] == "date doublebe")
        try db.close()
        // A closed database may be another program's by now.
        _ = db.table(key: Int.self, value: Int.self, codec: .json)
        #expect(try types()["default"] == "string text")
    }

    @Test func reopenedWithOthers() throws {
        try RocksDB(path: scene.path, tables: [Self.plays, Self.songs]).close()
        let before = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
        let unchanged = try RocksDB(path: scene.path, tables: [Self.songs, Self.plays])
        _ = try unchanged.table(Self.plays)
        try unchanged.close()
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == before)
        // A program without definitions keeps what is there.
        let other = try RocksDB(path: scene.path)
        try other.put("1", for: "a")
        try other.close()
        #expect(try types() == ["plays": "string,int int64", "songs": "uuid? json"])
        let db = try RocksDB(path: scene.path)
        _ = try db.table("plays", key: Int.self, value: String.self, codec: .utf8)
        _ = try db.table("songs", keys: KeyCodec<[UInt8]>.raw, values: ValueCodec<[UInt8], Int>.choosing { _ in .littleEndian })
        #expect(try types() == ["plays": "int text"])
        // A dropped table is forgotten; one of the same name is another table.
        try db.dropColumnFamily("plays")
        #expect(try types() == [:] && !exists)
        _ = try db.table(Self.plays)
        #expect(try types() == ["plays": "string,int int64"])
        try db.close()
    }

    @Test func viewsWriteNothing() throws {
        let empty = try scene.open()
        try empty.createColumnFamily("plays")
        try empty.close()
        for mode in [RocksDB.OpenMode.readOnly, .secondary(path: scene.directory.path("log"))] {
            let db = try RocksDB(path: scene.path, tables: [Self.plays], mode: mode)
            _ = try db.table(Self.plays)
            try db.close()
            #expect(!exists)
        }
        for mode in [RocksDB.OpenMode.transactions(), .optimisticTransactions()] {
            try RocksDB(path: scene.path, tables: [Self.plays], mode: mode).close()
            #expect(exists)
            try FileManager.default.removeItem(atPath: file)
        }
    }

    /// The file is not encrypted.
    @Test func anEnvironmentOfItsOwn() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.environment = try .encrypted(by: EnvironmentTests.Toy(key: 7))
        let db = try RocksDB(path: scene.path, tables: [Self.plays], options: options)
        _ = db.table(key: String.self, value: String.self, codec: .utf8)
        try db.makeCheckpoint(at: scene.directory.path("copy"))
        try db.close()
        #expect(!exists && FileManager.default.fileExists(atPath: scene.path + "/CURRENT"))
    }

    @Test(arguments: ["", "{", #"{"version":2,"tables":{}}"#, #"{"tables":[]}"#, "\u{0}\u{0}", String(repeating: " ", count: 2 << 20)])
    func aDamagedOrForeignFile(content: String) throws {
        try RocksDB(path: scene.path, tables: [Self.plays]).close()
        try Data(content.utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: TableTypesFile.Unreadable.self) { try TableTypesFile.read(in: scene.path) }
        // Without types to remember, it is left alone.
        let other = try RocksDB(path: scene.path)
        _ = try other.table("raw", keys: KeyCodec<[UInt8]>.raw, values: ValueCodec<[UInt8], Int>.missing)
        try other.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(content.utf8))
        try RocksDB(path: scene.path, tables: [Self.songs]).close()
        #expect(try types() == ["songs": "uuid? json"])
    }

    /// What cannot be remembered does not matter to the program.
    @Test func aFileThatCannotBeWritten() async throws {
        try scene.open().close()
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        let db = try RocksDB(path: scene.path, tables: [Self.plays])
        try db.table(Self.plays).put(1, for: Key("katrina", 2024))
        try db.makeCheckpoint(at: scene.directory.path("copy"))
        try db.dropColumnFamily("plays")
        try db.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasPrefix(".cairn") } == [])
    }

    /// In a separate process, which gives up the superuser's rights if it has them.
    @Test func aDirectoryThatMayNotBeWritten() async throws {
        try RocksDB(path: scene.path, tables: [Self.plays]).close()
        await #expect(processExitsWith: .success) { [path = scene.path as String] in
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path + "/" + name)
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: path)
            if geteuid() == 0 { must(setuid(65534) == 0) }
            let db = try RocksDB(path: path, tables: [TableTypesTests.plays], mode: .readOnly)
            must(try db.table("plays", key: Int.self, value: Int.self, codec: .json).count() == 0)
            must(try TableTypesFile.read(in: path)["plays"]?.key == "string,int")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path)
    }

    @Test func inCheckpoints() throws {
        let copy = scene.directory.path("copy")
        let db = try RocksDB(path: scene.path, tables: [Self.plays])
        try db.makeCheckpoint(at: copy)
        #expect(try types(in: copy) == ["plays": "string,int int64"])
        let opened = try RocksDB(path: copy)
        try opened.dropColumnFamily("plays")
        try opened.close()
        #expect(try types(in: copy) == [:] && types().count == 1)
        try db.close()
    }

    /// Backups have only what is RocksDB's.
    @Test func inRestoredBackups() throws {
        let restored = scene.directory.path("restored")
        let db = try RocksDB(path: scene.path, tables: [Self.plays])
        try db.table(Self.plays).put(3, for: Key("katrina", 2024))
        let engine = try BackupEngine(path: scene.directory.path("backups"))
        try engine.createBackup(of: db)
        try db.close()
        try engine.restore(to: restored)
        #expect(try types(in: restored) == [:])
        let again = try RocksDB(path: restored)
        #expect(try again.table(Self.plays).get(Key("katrina", 2024)) == 3)
        #expect(try types(in: restored) == ["plays": "string,int int64"])
        try again.close()
        // Over a database that has one.
        try engine.restore(to: scene.path)
        #expect(try RocksDB(path: scene.path, tables: [Self.plays]).table(Self.plays).count() == 1)
        #expect(try types() == ["plays": "string,int int64"])
    }

    @Test func repaired() throws {
        let db = try RocksDB(path: scene.path, tables: [Self.plays])
        try db.table(Self.plays).put(3, for: Key("katrina", 2024))
        try db.table(Self.plays).space.flush()
        try db.close()
        try RocksDB.repair(path: scene.path)
        #expect(try types() == ["plays": "string,int int64"])
        #expect(try RocksDB(path: scene.path).table(Self.plays).get(Key("katrina", 2024)) == 3)
        #expect(try types() == ["plays": "string,int int64"])
    }

    @Test func destroyed() throws {
        let db = try RocksDB(path: scene.path, tables: [Self.plays])
        #expect(code { try RocksDB.destroy(path: scene.path) } == .locked && exists)
        try db.close()
        try RocksDB.destroy(path: scene.path)
        #expect(!FileManager.default.fileExists(atPath: scene.path))
        // Other files stay.
        try RocksDB(path: scene.path, tables: [Self.plays]).close()
        try Data("text".utf8).write(to: URL(fileURLWithPath: scene.path + "/notes.txt"))
        try RocksDB.destroy(path: scene.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path) == ["notes.txt"])
    }

    @Test func aProgramThatChangesItsDirectory() async throws {
        await #expect(processExitsWith: .success) { [path = scene.directory.path("") as String] in
            must(FileManager.default.changeCurrentDirectoryPath(path))
            let db = try RocksDB(path: "db", options: DatabaseOptions(createIfMissing: true))
            must(FileManager.default.changeCurrentDirectoryPath("/"))
            _ = db.table(key: Int.self, value: String.self, codec: .utf8)
            must(try TableTypesFile.read(in: path + "/db")["default"]?.key == "int")
        }
    }
}
