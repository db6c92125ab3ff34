import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Secondary instances whose primary does what RocksDB cannot follow.
struct SecondaryTests {
    let scene = try! Scene()

    private func openSecondary() throws -> RocksDB {
        try RocksDB(path: scene.path, mode: .secondary(path: scene.directory.path("secondary")))
    }

    @Test func `a primary that was opened for transactions meanwhile cannot be followed`() throws {
        try scene.open().fill("a")
        let secondary = try openSecondary()
        let db = try RocksDB(path: scene.path, mode: .transactions())
        let transaction = try db.makeTransaction()
        try transaction.setName("first")
        try transaction.put("1", for: "b")
        try transaction.prepare()
        let error = try #require(failure { try secondary.catchUp() })
        #expect(error.code == .notSupported && error.message.contains("reopen the secondary"), "\(error)")
        #expect(try secondary.keyTexts() == ["a"])
        try secondary.close()
        let again = try openSecondary()
        try transaction.commit()
        try again.catchUp()
        #expect(try again.keyTexts() == ["a", "b"])
    }

    /// Neither a copy's options file nor its mode says that its log holds a prepared transaction.
    @Test func `copies made from a secondary can be opened`() throws {
        let db = try RocksDB(path: scene.path, options: DatabaseOptions(createIfMissing: true), mode: .transactions())
        try db.put("a", for: "a")
        let transaction = try db.makeTransaction()
        try transaction.setName("first")
        try transaction.put("b", for: "b")
        try transaction.prepare()
        try db.put("c", for: "c", options: .synced)
        let secondary = try openSecondary()
        let checkpoint = scene.directory.path("checkpoint"), restored = scene.directory.path("restored")
        try secondary.makeCheckpoint(at: checkpoint)
        let backups = try BackupEngine(path: scene.directory.path("backups"))
        try backups.createBackup(of: secondary)
        try backups.restore(to: restored)
        #expect(try backups.openBackup().keyTexts() == ["a", "c"])
        for path in [checkpoint, restored] {
            #expect(try RocksDB(path: path, mode: .readOnly).keyTexts() == ["a", "c"])
            #expect(try RocksDB(path: path).keyTexts() == ["a", "c"])
            let copy = try RocksDB(path: path, mode: .transactions())
            #expect(try copy.preparedTransactions().map(\.name) == ["first"])
        }
    }

    @Test func `new column families need a new secondary`() throws {
        let db = try scene.open()
        try db.fill("a")
        let secondary = try openSecondary()
        try db.createColumnFamily("songs").put("1", for: "x")
        try db.flush(nil)
        try db.put("b", for: "b")
        let error = try #require(failure { try secondary.catchUp() })
        #expect(error.code == .notSupported && error.message.contains("reopen the secondary"), "\(error)")
        try secondary.close()
        #expect(try openSecondary().keyTexts() == ["a", "b"])
    }

    @Test func `entities must be flushed`() throws {
        let db = try scene.open()
        try db.fill("a")
        let secondary = try openSecondary()
        try db.putEntity(["title": "x"], for: "b")
        let error = try #require(failure { try secondary.catchUp() })
        #expect(error.code == .notSupported && error.message.contains("once the primary has flushed"), "\(error)")
        let opening = try #require(failure { try RocksDB(path: scene.path, mode: .secondary(path: scene.directory.path("other"))) })
        #expect(opening.code == .notSupported && opening.message.contains("once the primary has flushed"), "\(opening)")
        try db.flush()
        try secondary.catchUp()
        #expect(try secondary.entity(for: "b")?["title"] != nil)
    }
}
