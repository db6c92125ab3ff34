import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct ParityBackupTests {
    let scene: Scene
    let db: RocksDB
    let engine: BackupEngine
    init() throws {
        scene = try Scene()
        db = try scene.open()
        engine = try BackupEngine(path: scene.directory.path("backup"))
    }

    /// Puts a value for each number and backs up after each.
    func backUp(_ numbers: Int...) throws {
        for number in numbers {
            try db.put("value \(number)", for: "key")
            try engine.createBackup(of: db)
        }
    }

    @Test func `a backup makes its directory`() throws {
        try backUp(1)
        #expect(FileManager.default.fileExists(atPath: engine.path))
    }

    @Test func `one backup is listed with number 1`() throws {
        try backUp(1)
        let backups = try engine.backups()
        #expect(backups.map(\.id) == [1])
        #expect(backups[0].size > .zero && backups[0].fileCount > 0)
    }

    @Test func `backups are numbered from 1 on`() throws {
        try backUp(1, 2, 3)
        #expect(try engine.backups().map(\.id) == [1, 2, 3])
    }

    @Test func `purging keeps the last ones`() throws {
        try backUp(1, 2, 3)
        try engine.purge(keeping: 2)
        #expect(try engine.backups().map(\.id) == [2, 3])
    }

    @Test func `one backup is deleted`() throws {
        try backUp(1, 2, 3)
        try engine.delete(2)
        #expect(try engine.backups().map(\.id) == [1, 3])
    }

    @Test func `restoring the latest undoes what was written later`() throws {
        try backUp(1)
        try db.put("later", for: "key")
        try db.close()
        try engine.restore(to: scene.path)
        #expect(try scene.open().text("key") == "value 1")
    }

    @Test func `any backup is restored, one after the other to the same place`() throws {
        try backUp(1, 2, 3)
        try db.close()
        let path = scene.directory.path("restored")
        for id: Backup.ID in [1, 2] {
            try engine.restore(id, to: path)
            let restored = try RocksDB(path: path)
            #expect(try restored.text("key") == "value \(id)")
            try restored.close()
        }
    }
}

@Suite struct ParityStatisticsTests {
    let scene: Scene
    let statistics: Statistics
    let db: RocksDB
    init() throws {
        scene = try Scene()
        statistics = try Statistics()
        var options = DatabaseOptions(createIfMissing: true)
        options.statistics = statistics
        db = try scene.open(options: options)
    }

    @Test func `statistics have a text`() throws {
        #expect(try statistics.report().contains("rocksdb.bytes.written"))
    }

    @Test func `tickers count bytes written and read`() throws {
        try db.put("value", for: "key")
        #expect(try #require(statistics.count(of: .bytesWritten)) > 0)
        #expect(statistics.count(of: .bytesRead) == 0)
        _ = try db.get("key")
        #expect(try #require(statistics.count(of: .bytesRead)) > 0)
    }

    @Test func `histograms tell how long a get takes`() throws {
        for number in 0...10_000 { try db.put("value", for: "key \(number)") }
        _ = try db.get("key 1")
        let get = try #require(statistics.histogram(of: .dbGet))
        #expect(get.median > 0 && get.percentile95 <= get.percentile99 && get.count == 1)
    }
}

@Suite struct ParityMetadataTests {
    let scene: Scene
    init() throws { scene = try Scene() }

    @Test func `every column family lists its files`() throws {
        let db = try scene.open()
        let family = try db.createColumnFamily("new_cf")
        try db.fill("a", "b")
        try db.flush()
        let metadata = try db.metadata()
        #expect(metadata.fileCount == 1 && metadata.size > .zero && metadata.files[0].smallestKey == Array("a".utf8))
        #expect(try family.metadata().fileCount == 0)
    }
}
