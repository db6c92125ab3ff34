import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Backups: made, listed, verified, restored, deleted.
struct BackupTests {
    let scene = try! Scene()
    var backupPath: String { scene.directory.path("backups") }
    var restoredPath: String { scene.directory.path("restored") }

    private func fill(_ db: RocksDB, _ range: Range<Int>) throws {
        for number in range { try db.put("value \(number)", for: "key \(number)") }
    }

    @Test func backedUpAndRestored() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        try fill(db, 0..<100)
        try songs.put("3:18", for: "katrina")
        let engine = try BackupEngine(path: backupPath)
        let id = try engine.createBackup(of: db, metadata: "before\0the move")
        try db.put("changed", for: "key 1")
        #expect(id == 1)

        let backup = try #require(try engine.backups(withFiles: true).first)
        #expect(backup.id == 1 && backup.metadata == [UInt8]("before\0the move".utf8))
        #expect(abs(backup.date.timeIntervalSinceNow) < 3_600)
        #expect(backup.files.count == backup.fileCount && backup.files.contains { $0.name.hasSuffix(".sst") && $0.size > .zero })
        #expect(backup.size.bytes == backup.files.map(\.size.bytes).reduce(0, +))
        #expect(try engine.backups().first?.files.isEmpty == true)

        try engine.verify(id)
        try engine.verify(id, checksums: false)
        try engine.restore(to: restoredPath)
        let restored = try RocksDB(path: restoredPath)
        #expect(try restored.count() == 100 && restored.text("key 1") == "value 1")
        #expect(try restored.columnFamily("songs").text("katrina") == "3:18")
    }

    @Test func aPathMayBeRelative() throws {
        let db = try scene.open()
        try fill(db, 0..<1)
        let up = String(repeating: "../", count: FileManager.default.currentDirectoryPath.count(where: { $0 == "/" }))
        let engine = try BackupEngine(path: up + backupPath.dropFirst())
        try engine.createBackup(of: db)
        #expect(try BackupEngine(path: backupPath, readOnly: true).backups().map(\.id) == [1])
    }

    /// They would be waited for forever.
    @Test(.endsWhenItHangs) func pipesAreRefused() throws {
        let db = try scene.open()
        try fill(db, 0..<1)
        try BackupEngine(path: backupPath).createBackup(of: db)
        for directory in ["meta", "private/1", "shared_checksum"] {
            let pipe = backupPath + "/\(directory)/1.pipe"
            #expect(unsafe mkfifo(pipe, 0o600) == 0)
            for readOnly in [false, true] {
                let error = failure { try BackupEngine(path: backupPath, readOnly: readOnly) }
                #expect(error?.code == .notSupported, "\(String(describing: error))")
                #expect(error?.message == "opening the backups at '\(backupPath)': '\(pipe)' is a pipe, a device or a socket, not a file")
            }
            try FileSystem.system.unlink(pipe)
        }
        #expect(try BackupEngine(path: backupPath, readOnly: true).backups().count == 1)
    }

    @Test func laterBackupsStoreOnlyWhatIsNew() throws {
        let db = try scene.open()
        let engine = try BackupEngine(path: backupPath)
        var generator = SeededGenerator(seed: 1)
        for number in 0..<100 { try db.put(generator.bytes(1_000), for: "a\(number)") }
        try engine.createBackup(of: db)
        let shared = backupPath + "/shared_checksum"
        let first = try Set(FileSystem.system.list(shared))
        try db.put("1", for: "b")
        try engine.createBackup(of: db)
        let second = try Set(FileSystem.system.list(shared))
        #expect(!first.isEmpty && first.isSubset(of: second) && second.count == first.count + 1)
        #expect(try engine.backups().map(\.id) == [1, 2])
        try engine.restore(1, to: restoredPath)
        #expect(try RocksDB(path: restoredPath).text("b") == nil)
        try engine.restore(2, to: restoredPath)
        #expect(try RocksDB(path: restoredPath).text("b") == "1")
        // Deleting the first leaves what the second shares with it.
        try engine.delete(1)
        try engine.verify(2)
    }

    @Test func withoutSharingEveryBackupStandsAlone() throws {
        var options = BackupOptions()
        options.sharesFiles = false
        options.syncs = false
        options.threads = 2
        options.backupRateLimit = .gibibytes(1)
        options.restoreRateLimit = .gibibytes(1)
        let db = try scene.open()
        try db.fill("a")
        let engine = try BackupEngine(path: backupPath, options: options)
        try engine.createBackup(of: db)
        try engine.createBackup(of: db, lowersPriority: true)
        #expect(try FileSystem.system.list(backupPath + "/private/2").contains { $0.hasSuffix(".sst") })
        try engine.restore(to: restoredPath)
        #expect(try RocksDB(path: restoredPath).keyTexts() == ["a"])
    }

    /// Without care RocksDB ends the process here.
    @Test(arguments: [true, false], [true, false])
    func customComparators(sharesFiles: Bool, namesByChecksum: Bool) throws {
        let order = KeyComparator(name: "test.by-length") { a, b in a.byteCount - b.byteCount }
        var backupOptions = BackupOptions()
        backupOptions.sharesFiles = sharesFiles
        backupOptions.namesFilesByChecksum = namesByChecksum
        let db = try scene.open(ColumnFamilyOptions(), ["x": ColumnFamilyOptions(comparator: order)], options: .creating)
        try db.columnFamily("x").fill("aaa", "b", "cc")
        try db.fill("a")
        let engine = try BackupEngine(path: backupPath, options: backupOptions)
        try engine.createBackup(of: db)
        try engine.createBackup(of: db)
        try engine.verify(2)
        try engine.restore(to: restoredPath)
        let restored = try RocksDB(path: restoredPath, columnFamilies: ["x": ColumnFamilyOptions(comparator: order)])
        #expect(try restored.columnFamily("x").keyTexts() == ["b", "cc", "aaa"])
        // And the name still cannot be had as an option.
        var named = ColumnFamilyOptions()
        named["comparator"] = "test.by-length"
        #expect(code { try db.createColumnFamily("y", options: named) } != nil)
    }

    /// However its path is spelled.
    @Test func openDatabasesAreNotRestoredOver() throws {
        let db = try scene.open()
        try db.put("1", for: "a")
        let engine = try BackupEngine(path: backupPath)
        try engine.createBackup(of: db)
        try db.put("2", for: "b", options: .synced)
        let link = scene.directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.path)
        for path in ["", "/", "/.", "/../db"].map({ scene.path + $0 }) + [link] {
            #expect(code { try engine.restore(to: path) } == .locked, "\(path)")
        }
        #expect(code { try engine.restore(99, to: scene.path + "/") } != nil)
        try db.put("3", for: "c")
        try db.close()
        #expect(try scene.open().keyTexts() == ["a", "b", "c"])
    }

    @Test func logsAreCopiedWhereNothingIsFlushed() throws {
        let db = try scene.open()
        try db.fill("a")
        let engine = try BackupEngine(path: backupPath)
        try engine.createBackup(of: db, flushesFirst: false)
        #expect(try engine.backups(withFiles: true)[0].files.allSatisfy { !$0.name.hasSuffix(".sst") })
        try engine.restore(to: restoredPath, walPath: scene.directory.path("logs"))
        var options = DatabaseOptions()
        options.walDirectory = scene.directory.path("logs")
        #expect(try RocksDB(path: restoredPath, options: options).keyTexts() == ["a"])
    }

    @Test func logsThatAreKeptAreReplayed() throws {
        var options = BackupOptions()
        options.includesLogs = false
        let engine = try BackupEngine(path: backupPath, options: options)
        do {
            let db = try scene.open()
            try db.fill("a")
            try engine.createBackup(of: db)
            try db.put("2", for: "b")
        }
        try engine.restore(to: scene.path, keepsLogs: true)
        #expect(try scene.open().keyTexts() == ["a", "b"])
        try engine.restore(to: scene.path)
        #expect(try scene.open().keyTexts() == ["a"])
    }

    @Test func purgingAndDeleting() throws {
        let db = try scene.open()
        let engine = try BackupEngine(path: backupPath)
        for key in ["a", "b", "c", "d"] {
            try db.fill(key)
            try engine.createBackup(of: db)
        }
        try engine.purge(keeping: 2)
        #expect(try engine.backups().map(\.id) == [3, 4])
        try engine.delete(3)
        #expect(code { try engine.delete(3) } == .notFound)
        #expect(code { try engine.verify(3) } == .notFound)
        #expect(code { try engine.restore(3, to: restoredPath) } == .notFound)
        #expect(code { try engine.purge(keeping: -1) } == .invalidArgument)
        try engine.collectGarbage()
        try engine.verify(4)
        try engine.purge(keeping: 0)
        #expect(try engine.backups().isEmpty)
        #expect(code { try engine.restore(to: restoredPath) } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: restoredPath + "/CURRENT"))
    }

    @Test func openingDestroysOldBackupsOnRequestOnce() throws {
        let db = try scene.open()
        try BackupEngine(path: backupPath).createBackup(of: db)
        var options = BackupOptions()
        options.destroysOldBackups = true
        let engine = try BackupEngine(path: backupPath, options: options)
        #expect(try engine.backups().isEmpty)
        try engine.createBackup(of: db)
        #expect(try engine.backups().count == 1)
    }

    @Test func damageIsFound() throws {
        let db = try scene.open()
        try fill(db, 0..<100)
        try BackupEngine(path: backupPath).createBackup(of: db)
        try db.fill("b")
        try BackupEngine(path: backupPath).createBackup(of: db)
        let shared = backupPath + "/shared_checksum"
        let name = try #require(try FileSystem.system.list(shared).sorted().first)
        let url = URL(fileURLWithPath: shared + "/" + name)
        var bytes = [UInt8](try Data(contentsOf: url))
        bytes[50] ^= 1
        try Data(bytes).write(to: url)
        do {
            let engine = try BackupEngine(path: backupPath)
            try engine.verify(1, checksums: false)
            let error = failure { try engine.verify(1) }
            #expect(error?.code == .corruption && error?.message.contains("backup 1 at '\(backupPath)'") == true)
            for walPath in [nil, restoredPath + "/wal"] {
                let refused = failure { try engine.restore(1, to: restoredPath, walPath: walPath) }
                #expect(refused?.code == .corruption && refused?.message.contains(name) == true, "\(String(describing: refused))")
                // Nothing remains of a directory that was not there.
                #expect(!FileManager.default.fileExists(atPath: restoredPath))
            }
            try FileManager.default.createDirectory(atPath: restoredPath, withIntermediateDirectories: false)
            #expect(code { try engine.restore(1, to: restoredPath) } == .corruption)
            #expect(!FileManager.default.fileExists(atPath: restoredPath + "/CURRENT"))
        }
        // One byte short: the record of a backup has checksums, but no sizes.
        try Data(bytes.dropLast()).write(to: url)
        #expect(code { try BackupEngine(path: backupPath).verify(2) } == .corruption)
        // Missing, it shows at once.
        try FileManager.default.removeItem(at: url)
        let engine = try BackupEngine(path: backupPath)
        #expect(try engine.corruptedBackups() == [1, 2])
        #expect(try engine.backups().isEmpty)
        #expect(code { try engine.verify(1) } == .corruption)
        try engine.delete(1)
        #expect(try engine.corruptedBackups() == [2])
        // A new backup is a whole one.
        try engine.delete(2)
        let id = try engine.createBackup(of: db)
        try engine.restore(id, to: restoredPath)
        #expect(try RocksDB(path: restoredPath).count() == 101)
    }

    @Test func readOnlyEngines() throws {
        #expect(code { try BackupEngine(path: backupPath, readOnly: true) } != nil)
        let db = try scene.open()
        try db.fill("a")
        let writer = try BackupEngine(path: backupPath)
        for _ in 0..<3 { try writer.createBackup(of: db) }
        let reader = try BackupEngine(path: backupPath, readOnly: true)
        #expect(reader.isReadOnly && !writer.isReadOnly)
        try writer.createBackup(of: db)
        #expect(try reader.backups().map(\.id) == [1, 2, 3])
        for change in [
            { try reader.createBackup(of: db) }, { try reader.delete(1) }, { try reader.purge(keeping: 1) },
            { try reader.collectGarbage() },
        ] as [() throws -> Void] { #expect(code(change) == .readOnly) }
        try reader.verify(2)
        try reader.restore(2, to: restoredPath)
        #expect(try RocksDB(path: restoredPath).keyTexts() == ["a"])
        var options = BackupOptions()
        options.maxBackupsToOpen = 2
        #expect(try BackupEngine(path: backupPath, options: options, readOnly: true).backups().map(\.id) == [3, 4])
    }

    @Test func openedInPlace() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        try songs.fill("x")
        try fill(db, 0..<100)
        var engine: BackupEngine? = try BackupEngine(path: backupPath)
        try engine?.createBackup(of: db)
        try db.fill("later")
        try engine?.createBackup(of: db, flushesFirst: false)
        let first = try #require(try engine?.openBackup(1)), latest = try #require(try engine?.openBackup())
        #expect(code { try engine!.openBackup(9) } == .notFound)
        engine = nil
        #expect(try first.count() == 100 && first.columnFamily("songs").keyTexts() == ["x"])
        #expect(try latest.count() == 101)
        #expect(first.mode == .readOnly && code { try first.put("1", for: "a") } == .readOnly)
        try first.close()
    }

    /// The shim takes 0 for the latest backup; no backup has that number.
    @Test func zeroIsNotTheLatest() throws {
        let db = try scene.open()
        try db.fill("a")
        let engine = try BackupEngine(path: backupPath)
        try engine.createBackup(of: db)
        #expect(code { try engine.restore(0, to: restoredPath) } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: restoredPath))
        #expect(code { try engine.openBackup(0) } == .notFound)
        #expect(code { try engine.verify(0) } == .notFound && code { try engine.delete(0) } == .notFound)
        // What is there stays.
        do { try RocksDB(path: restoredPath, options: .init(createIfMissing: true)).fill("old") }
        #expect(code { try engine.restore(0, to: restoredPath) } == .notFound)
        #expect(try RocksDB(path: restoredPath).keyTexts() == ["old"])
        try engine.restore(to: restoredPath)
        #expect(try RocksDB(path: restoredPath).keyTexts() == ["a"] && engine.openBackup(1).keyTexts() == ["a"])
    }

    @Test func aReadOnlyDatabaseIsBackedUpToo() throws {
        do { try scene.open().fill("a") }
        let frozen = try RocksDB(path: scene.path, mode: .readOnly)
        let engine = try BackupEngine(path: backupPath)
        try engine.createBackup(of: frozen)
        try engine.restore(to: restoredPath)
        #expect(try RocksDB(path: restoredPath).keyTexts() == ["a"])
    }

    @Test func refusedArguments() throws {
        var options = BackupOptions()
        options.backupRateLimit = .bytes(5)
        #expect(code { try BackupEngine(path: backupPath, options: options) } == .invalidOption)
        options = BackupOptions()
        options.progressInterval = .zero
        #expect(code { try BackupEngine(path: backupPath, options: options) } == .invalidOption)
        options = BackupOptions()
        options.threads = 0
        #expect(code { try BackupEngine(path: backupPath, options: options) } == .invalidOption)
        #expect(code { try BackupEngine(path: "x\0y") } == .invalidArgument)
        let missing = #expect(throws: RocksError.self) { try BackupEngine(path: scene.directory.path("no/such/parent")) }
        #expect(
            missing?.code == .notFound
                && missing?.message.hasSuffix("create the directory '\(scene.directory.path("no/such"))' first") == true
        )

        let db = try scene.open()
        let engine = try BackupEngine(path: backupPath)
        let most = [UInt8](repeating: 7, count: 1 << 20)
        #expect(code { try engine.createBackup(of: db, metadata: most + [7]) } == .invalidArgument)
        try engine.createBackup(of: db, metadata: most)
        #expect(try BackupEngine(path: backupPath).backups().first?.metadata == most)
        #expect(code { try engine.restore(to: "x\0y") } == .invalidArgument)
        // Over an open database.
        #expect(code { try engine.restore(to: scene.path) } == .locked)
        try db.fill("still there")
        try db.close()
        #expect(code { try engine.createBackup(of: db) } == .closed)
        try engine.restore(to: scene.path)
        #expect(try scene.open().keyTexts() == [])
    }

    /// Otherwise it would wait for itself forever.
    @Test func noEngineIsUsedWhileItReportsProgress() throws {
        var options = BackupOptions()
        options.progressInterval = .kibibytes(4)
        let db = try scene.open()
        try db.put([UInt8](repeating: 1, count: 100_000), for: "a")
        let engine = try BackupEngine(path: backupPath, options: options)
        let codes = Box<[RocksError.Code?]>([])
        try engine.createBackup(of: db) { _ in
            let found = [code { try engine.backups() }, code { try engine.createBackup(of: db) }]
            codes.update { $0 += found }
        }
        #expect(codes.value.count >= 2 && codes.value.allSatisfy { $0 == .invalidArgument })
        #expect(try engine.backups().count == 1)
    }

    @Test func progressAndCancellation() async throws {
        var options = BackupOptions()
        options.progressInterval = .kibibytes(64)
        let db = try scene.open()
        var generator = SeededGenerator(seed: 2)
        for number in 0..<100 { try db.put(generator.bytes(10_000), for: "\(number)") }
        let engine = try BackupEngine(path: backupPath, options: options)
        let steps = Box<[ByteCount]>([])
        let seen = Box<RocksError.Code?>(nil)
        try await engine.createBackupInBackground(of: db) { copied in
            steps.update { $0.append(copied) }
            do throws(RocksError) { try db.close() } catch { seen.value = error.code }
        }
        #expect(steps.value.count > 10 && steps.value.first == .kibibytes(64) && steps.value.sorted() == steps.value)
        #expect(seen.value == .busy)

        // Cancelled in its middle; and again before its beginning.
        for number in 0..<100 { try db.put(generator.bytes(10_000), for: "\(number)") }
        let cancelled = DispatchSemaphore(value: 0)
        let began = AsyncStream<Void>.makeStream()
        let task = Task { () -> RocksError.Code? in
            do throws(RocksError) {
                try await engine.createBackupInBackground(of: db) { _ in
                    began.continuation.yield()
                    cancelled.wait()
                    cancelled.signal()
                }
            } catch { return error.code }
            return nil
        }
        for await _ in began.stream { break }
        task.cancel()
        cancelled.signal()
        #expect(await task.value == .incomplete)
        #expect(try engine.backups().map(\.id) == [1])
        let early = Task { () -> RocksError.Code? in
            while !Task.isCancelled { await Task.yield() }
            do throws(RocksError) { try await engine.createBackupInBackground(of: db) } catch { return error.code }
            return nil
        }
        early.cancel()
        #expect(await early.value == .incomplete)
        // The engine is as good as new.
        let id = try await engine.createBackupInBackground(of: db)
        try await engine.verifyInBackground(id)
        try await engine.restoreInBackground(id, to: restoredPath)
        #expect(try RocksDB(path: restoredPath).count() == 100)
    }

    @Test func usedByManyThreads() async throws {
        let db = try scene.open()
        let engine = try BackupEngine(path: backupPath)
        try engine.createBackup(of: db)
        try await onThreads(4) { thread in
            for round in 0..<3 {
                try db.put("\(round)", for: "\(thread)")
                let id = try engine.createBackup(of: db)
                try engine.verify(id)
                try engine.restore(id, to: scene.directory.path("thread\(thread)"))
                #expect(try RocksDB(path: scene.directory.path("thread\(thread)")).text("\(thread)") == "\(round)")
                _ = try engine.backups(withFiles: true)
            }
        }
        #expect(try engine.backups().map(\.id) == Array(1...13))
    }
}
