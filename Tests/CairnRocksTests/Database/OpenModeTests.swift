import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Frozen views, and the lock that keeps two writers apart.
struct OpenModeTests {
    let scene = try! Scene()

    private func view() throws -> RocksDB { try RocksDB(path: scene.path, mode: .readOnly) }

    @Test func aFrozenViewReads() throws {
        do {
            let db = try scene.open()
            try db.put("1", for: "a")
            try db.createColumnFamily("b").put("2", for: "b")
        }
        let view = try view()
        #expect(view.mode == .readOnly)
        #expect(try view.pairTexts() == ["a=1"])
        #expect(try view.multiGet(["a", "z"], as: String.self) == ["1", nil])
        #expect(try view.walk(.all.reversed, .next, .next) == ["a", nil])
        #expect(try view.columnFamily("b").text("b") == "2")
        #expect(try view.withSnapshot { try $0.text("a") } == "1")
        try view.close()
    }

    @Test func aFrozenViewIsNotWritable() throws {
        var families = ColumnFamilyOptions()
        families.mergeOperator = try MergeOperator(named: "stringappend")
        do {
            let db = try scene.open(families)
            try db.put("1", for: "a")
            try db.createColumnFamily("b")
        }
        let files = try FileSystem.system.list(scene.path)
        let view = try RocksDB(path: scene.path, columnFamilyOptions: families, mode: .readOnly)
        #expect(code { try view.put("2", for: "a") } == .readOnly)
        #expect(code { try view.delete("a") } == .readOnly)
        #expect(code { try view.singleDelete("a") } == .readOnly)
        #expect(code { try view.deleteRange(from: "a", to: "b") } == .readOnly)
        #expect(code { try view.merge("2", for: "a") } == .readOnly)
        #expect(code { try view.write { $0.put("2", for: "a") } } == .readOnly)
        #expect(code { try view.write(WriteBatch(data: WriteBatch().data)) } == .readOnly)
        #expect(code { try view.flush() } == .readOnly)
        #expect(code { try view.createColumnFamily("c") } == .readOnly)
        #expect(code { try view.dropColumnFamily("b") } == .readOnly)
        #expect(view.columnFamilyNames == ["b", "default"])
        #expect(try view.pairTexts() == ["a=1"])
        #expect(try FileSystem.system.list(scene.path) == files)
    }

    @Test func aFrozenViewStaysAsItWas() throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        let view = try view()
        try db.put("2", for: "a")
        try db.flush()
        #expect(try view.text("a") == "1")
        #expect(try self.view().text("a") == "2")
    }

    @Test func oneWriterInAProcess() throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        let error = failure { try scene.open() }
        #expect(error?.code == .locked)
        #expect(error?.message.contains("already open") == true && error?.message.contains(scene.path) == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path).filter { $0.hasPrefix("LOG") } == ["LOG"])
        // The one that is open is not harmed, and the lock goes with it.
        try db.put("2", for: "b")
        try db.close()
        #expect(try scene.open().pairTexts() == ["a=1", "b=2"])
    }

    @Test func oneWriterAmongProcesses() async throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        await #expect(processExitsWith: .exitCode(42)) { [path = scene.path as String] in
            let error = failure { try RocksDB(path: path) }
            // Reading is allowed all the same.
            let text = try RocksDB(path: path, mode: .readOnly).text("a")
            exit(error?.code == .locked && error?.message.contains("already open") == true && text == "1" ? 42 : 2)
        }
        try db.put("2", for: "b")
        #expect(try db.pairTexts() == ["a=1", "b=2"])
    }

    /// RocksDB compares paths as they are spelled: it would open both, each would delete the other's files, and closing one would release the lock.
    @Test func oneWriterHoweverThePathIsSpelled() async throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        let (parent, name) = FileSystem.split(scene.path)
        let link = scene.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.path)
        let spellings = [
            "\(scene.path)/", "\(scene.path)//.", "\(parent)//\(name)", "\(parent)/./\(name)", "\(scene.path)/../\(name)", link,
        ]
        for path in spellings {
            #expect(code { try RocksDB(path: path) } == .locked, "\(path)")
            #expect(code { try RocksDB(path: path, mode: .transactions()) } == .locked, "\(path)")
            #expect(code { try RocksDB.destroy(path: path) } == .locked, "\(path)")
            #expect(code { try RocksDB.repair(path: path) } == .locked, "\(path)")
            #expect(try RocksDB(path: path, mode: .readOnly).text("a") == "1")
        }
        await #expect(processExitsWith: .exitCode(42)) { [path = scene.path as String] in
            exit(failure { try RocksDB(path: path) }?.code == .locked ? 42 : 2)
        }
        try db.put("2", for: "b")
        try db.close()
        #expect(try RocksDB(path: link).pairTexts() == ["a=1", "b=2"])
        // One that is created is known by its other paths too.
        let new = scene.path + "-new"
        let created = try RocksDB(path: new + "/", options: .init(createIfMissing: true))
        #expect(code { try RocksDB(path: new) } == .locked)
        try created.close()
    }

    @Test func theLockOfAKilledProcessIsFree() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scene.path as String] in
            let db = try RocksDB(path: path, options: .init(createIfMissing: true))
            try db.put("1", for: "a")
            kill(getpid(), SIGKILL)
        }
        #expect(try RocksDB(path: scene.path).pairTexts() == ["a=1"])
    }

    @Test func anotherComparator() throws {
        do { try scene.open(ColumnFamilyOptions(comparator: .reverseBytewise)).fill("a", "b") }
        let error = failure { try scene.open() }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("rocksdb.ReverseBytewiseComparator") == true)
        #expect(code { try view() } == .invalidArgument)
        #expect(try scene.open(ColumnFamilyOptions(comparator: .reverseBytewise)).keyTexts() == ["b", "a"])
    }
}
