import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// What copies and loads data while no file may grow beyond a size, which is as if the disk were full; in processes of their own.
@Suite struct FullDiskTests {
    @Test func `operations fail, say so, and work again when there is room`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            var options = ColumnFamilyOptions()
            options.compression = .none
            let db = try scene.open(options)
            var generator = SeededGenerator(seed: 1)
            for number in 0..<100 { try db.put(generator.bytes(10_000), for: "\(100 + number)") }
            try db.flush()
            let backups = try BackupEngine(path: scene.directory.path("backups"))
            let values = (0..<100).map { _ in generator.bytes(10_000) }
            let loaded = scene.directory.path("a.sst")
            func load() throws {
                let writer = try SSTFileWriter(path: loaded, options: options)
                for (number, value) in values.enumerated() { try writer.put(value, for: "\(100 + number)") }
                try writer.finish()
            }

            let unlimited = limitFileSize(to: 200_000)
            must(code { try backups.createBackup(of: db) } == .tooLarge)
            must(code { try load() } == .tooLarge)
            // What could not be finished is gone.
            must(!FileManager.default.fileExists(atPath: loaded))
            limitFileSize(to: unlimited)

            must(try backups.backups().isEmpty)
            let id = try backups.createBackup(of: db)
            try backups.verify(id)
            try load()
            limitFileSize(to: 200_000)
            must(code { try backups.restore(id, to: scene.directory.path("restored")) } == .tooLarge)
            must(code { try db.ingest([loaded]) } == .tooLarge)
            limitFileSize(to: unlimited)
            must(try db.count() == 100)
            try backups.restore(id, to: scene.directory.path("restored"))
            must(try RocksDB(path: scene.directory.path("restored")).count() == 100)
            try db.ingest([loaded])
            must(try db.get("150") == values[50])
        }
    }
}
