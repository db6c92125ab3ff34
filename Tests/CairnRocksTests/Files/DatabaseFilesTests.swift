import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Files of a database, background work, secondary instances.
struct DatabaseFilesTests {
    let scene = try! Scene()

    private var quiet: ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.disableAutoCompactions = true
        return options
    }

    @Test func files() throws {
        let db = try scene.open(quiet)
        let songs = try db.createColumnFamily("songs", options: quiet)
        try songs.fill("a", "m")
        try songs.delete("m")
        try db.fill("x")
        try db.flush(nil)
        let file = try #require(try songs.metadata().files.first)
        let files = try db.metadata().files + [file]
        #expect(files.count == 2)
        #expect(file.name.hasSuffix("\(file.number).sst") && file.directory == scene.path && file.level == 0 && !file.isBeingCompacted)
        #expect(file.smallestKey == Array("a".utf8) && file.largestKey == Array("m".utf8) && file.size > .bytes(100))
        #expect(file.smallestSequenceNumber <= 3 && file.largestSequenceNumber <= 3 && file.oldestBlobFileNumber == nil)
        #expect(file.checksum == nil && file.checksumFunction == nil)
        let age = try #require(file.creationTime.map { Double($0) }) - Date().timeIntervalSince1970
        #expect(abs(age) < 3_600)

        try db.put("1", for: "y")
        let storage = try db.storageFiles(flushAbove: .mebibytes(1))
        #expect(Set(storage.map(\.kind)) == [.table, .current, .manifest, .log, .options])
        #expect(storage.filter { $0.kind == .table }.map(\.name).sorted() == files.map(\.name).sorted())
        #expect(storage.first { $0.kind == .current }?.replacement.isEmpty == false)
        let log = try db.currentLogFile()
        #expect(try db.logFiles().contains { $0.number == log.number } && !log.isArchived && log.path.hasSuffix(".log"))
        #expect(try db.logFiles().last?.firstSequenceNumber == 5)
    }

    @Test func copiedByHand() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        try db.flush()
        try db.fill("c")
        let copy = scene.directory.path("copy")
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        try db.withFileDeletionsDisabled {
            for file in try db.storageFiles(flushAbove: .mebibytes(1)) {
                let bytes =
                    file.replacement.isEmpty
                    ? try Data(contentsOf: URL(fileURLWithPath: file.directory + "/" + file.name)).prefix(Int(file.size.bytes))
                    : Data(file.replacement)
                #expect(bytes.count == Int(file.size.bytes))
                try bytes.write(to: URL(fileURLWithPath: copy + "/" + file.name))
            }
        }
        #expect(try RocksDB(path: copy).keyTexts() == ["a", "b", "c"])
    }

    @Test func filesAreKeptWhileDeletionsAreDisabled() throws {
        let db = try scene.open(quiet)
        try db.fill("a")
        try db.flush()
        let name = try db.metadata().files[0].name
        let exists = { FileManager.default.fileExists(atPath: scene.path + "/" + name) }
        try db.withFileDeletionsDisabled {
            try db.withFileDeletionsDisabled { try db.compact(options: CompactOptions(bottommostLevel: .force)) }
            #expect(try db.metadata().files[0].name != name && exists())
        }
        #expect(!exists())
        #expect(code { try db.withFileDeletionsDisabled { try db.close() } } == nil)
        #expect(code { try db.withFileDeletionsDisabled {} } == .closed)
    }

    @Test func deletingFiles() throws {
        let db = try scene.open(quiet)
        for keys in [["a", "b"], ["c", "d"], ["e", "f"]] {
            for key in keys { try db.fill(key) }
            try db.flush()
            // Level 0 is left alone by RocksDB.
            try db.compactFiles(db.metadata().files.filter { $0.level == 0 }.map(\.name), to: 2)
        }
        #expect(try db.metadata().files.map(\.level) == [2, 2, 2])
        try db.deleteFiles(in: [("a", "d"), ("e", "g")])
        #expect(try db.keyTexts() == ["c", "d"])
        #expect(code { try db.deleteFiles(in: [("d", "a")]) } == .invalidArgument)
        try db.deleteFiles(in: [] as [(start: String, end: String)])
        #expect(try db.keyTexts() == ["c", "d"])
    }

    @Test func compactingFiles() throws {
        let db = try scene.open(quiet)
        for key in ["a", "b"] {
            try db.fill(key)
            try db.flush()
        }
        let names = try db.metadata().files.map(\.name)
        let made = try db.compactFiles(names, to: 1)
        #expect(made.count == 1 && made[0].hasSuffix(".sst"))
        #expect(try db.metadata().files.map(\.level) == [1] && db.keyTexts() == ["a", "b"])
        #expect(code { try db.compactFiles(names, to: 1) } == .invalidArgument)
        #expect(code { try db.compactFiles([], to: 1) } == .invalidArgument)
        #expect(code { try db.compactFiles(["nonsense"], to: 1) } == .invalidArgument)
        for level in [-1, 7, 1_000, .max] {
            #expect(code { try db.compactFiles(db.metadata().files.map(\.name), to: level) } == .invalidArgument)
        }
        #expect(code { try db.compactFiles(db.metadata().files.map(\.name), to: 0) } == .invalidArgument)
    }

    @Test func promotingAndSuggesting() throws {
        let db = try scene.open(quiet)
        for key in ["a", "b"] {
            try db.fill(key)
            try db.flush()
        }
        for level in [-1, 0, 7, .max] { #expect(code { try db.promoteLevelZero(to: level) } == .invalidArgument) }
        try db.promoteLevelZero(to: 2)
        #expect(try db.metadata().files.map(\.level) == [2, 2])
        try db.suggestCompaction()
        try db.suggestCompaction(.from("a", to: "b"))
        #expect(try db.keyTexts() == ["a", "b"])
    }

    /// Without the refusal these would wait forever.
    @Test func pausedBackgroundWork() throws {
        let db = try scene.open(quiet)
        try db.fill("a")
        let songs = try db.createColumnFamily("songs")
        let file = try SSTFileWriter(path: scene.directory.path("a.sst"))
        try file.put("1", for: "a")
        try file.finish()
        try db.withBackgroundWorkPaused {
            try db.withBackgroundWorkPaused { try db.fill("b") }
            let waiting: [(String, () throws -> Void)] = [
                ("flush", { try db.flush() }), ("flush all", { try db.flush(nil) }), ("compact", { try db.compact() }),
                ("checkpoint", { try db.makeCheckpoint(at: scene.directory.path("checkpoint")) }),
                ("backup", { try BackupEngine(path: scene.directory.path("backups")).createBackup(of: db) }),
                ("export", { try db.exportColumnFamily("songs", to: scene.directory.path("export")) }),
                ("ingest", { try songs.ingest([scene.directory.path("a.sst")]) }), ("storage", { _ = try db.storageFiles() }),
            ]
            for (name, call) in waiting { #expect(code(call) == .invalidArgument, "\(name)") }
            #expect(failure { try db.close() }?.message.hasSuffix("still in use: 1 pause; close it first") == true)
            #expect(try db.keyTexts() == ["a", "b"])
        }
        try db.flush()
        #expect(try db.metadata().files.count == 1)
        try db.close()
        #expect(code { try db.withBackgroundWorkPaused {} } == .closed)
    }

    @Test func manualCompactionsDisabled() throws {
        let db = try scene.open(quiet)
        try db.fill("a")
        try db.flush()
        try db.withManualCompactionsDisabled {
            try db.withManualCompactionsDisabled {}
            #expect(code { try db.compact(options: CompactOptions(bottommostLevel: .force)) } == .incomplete)
        }
        try db.compact(options: CompactOptions(bottommostLevel: .force))
        #expect(code { try db.withManualCompactionsDisabled { try db.close() } } == nil)
    }

    /// It waits for the compactions that run: a closure of one of them cannot call it.
    @Test func manualCompactionsAreNotDisabledByOneOfThem() throws {
        let db = Box<RocksDB?>(nil), found = Box<RocksError.Code?>(nil)
        var options = quiet
        options.compactionFilter = CompactionFilter(name: "test.disabling") { _, _, _ in
            found.value = code { try db.value?.withManualCompactionsDisabled {} }
            return .keep
        }
        db.value = try scene.open(options)
        try db.value?.fill("a")
        try db.value?.compact()
        #expect(found.value == .invalidArgument)
        let last = db.value
        db.value = nil
        try last?.close()
    }

    /// The body's own error comes first.
    @Test func errorsOfBodies() throws {
        struct Stop: Error {}
        let db = try scene.open()
        #expect(throws: Stop.self) { try db.withFileDeletionsDisabled { throw Stop() } }
        #expect(throws: Stop.self) { try db.withBackgroundWorkPaused { throw Stop() } }
        #expect(throws: Stop.self) {
            try db.withManualCompactionsDisabled {
                try db.close()
                throw Stop()
            }
        }
    }

    @Test func automaticCompactionsEnabled() throws {
        let db = try scene.open(quiet)
        try db.enableAutomaticCompactions(of: [])
        try db.enableAutomaticCompactions(of: [db.defaultColumnFamily])
        #expect(try db.currentColumnFamilyOptions()["disable_auto_compactions"] == "false")
    }

    @Test func flushingSeveral() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.atomicFlush = true
        let db = try scene.open(options: options)
        let songs = try db.createColumnFamily("songs"), gone = try db.createColumnFamily("gone")
        try db.fill("a")
        try songs.fill("b")
        try db.flush([songs, db.defaultColumnFamily], allowsWriteStall: true)
        #expect(try db.metadata().fileCount == 1 && songs.metadata().fileCount == 1)
        try db.flush([])
        try db.dropColumnFamily("gone")
        #expect(code { try db.flush([gone]) } == .columnFamilyDropped)
        let stranger = try Scene()
        #expect(code { try db.flush([stranger.open().defaultColumnFamily]) } == .invalidArgument)
        #expect(try db.memtableEstimate(from: "a", to: "z").count == 0)
        try db.fill("c")
        let estimate = try db.memtableEstimate(from: "a", to: "z")
        #expect(estimate.count == 1 && estimate.size > .zero)
        #expect(try db.memtableEstimate(from: "z", to: "a").count == 0)
    }

    @Test func identitiesAndChecksums() throws {
        let db = try scene.open()
        #expect(try db.identity().count > 10 && db.sessionIdentity().count > 10)
        try db.makeCheckpoint(at: scene.directory.path("copy"))
        try db.resetStats()
        try db.resume()
        #expect(code { try db.verifyFileChecksums() } == .invalidArgument)
        try db.close()
        #expect(code { try db.identity() } == .closed)
        #expect(code { try db.catchUp() } == .closed)

        var options = DatabaseOptions(createIfMissing: true)
        options["file_checksum_gen_factory"] = "FileChecksumGenCrc32cFactory"
        let checked = try RocksDB(path: scene.directory.path("checked"), options: options)
        try checked.fill("a")
        try checked.flush()
        let file = try #require(try checked.metadata().files.first)
        #expect(file.checksum?.count == 4 && file.checksumFunction == "FileChecksumCrc32c")
        #expect(try checked.storageFiles(withChecksums: true).first { $0.kind == .table }?.checksum == file.checksum)
        try checked.verifyFileChecksums()
        let url = URL(fileURLWithPath: file.directory + "/" + file.name)
        var bytes = [UInt8](try Data(contentsOf: url))
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: url)
        #expect(code { try checked.verifyFileChecksums() } == .corruption)
    }

    @Test func secondaryInstances() async throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        try songs.fill("x")
        try db.fill("a")
        let mode = RocksDB.OpenMode.secondary(path: scene.directory.path("secondary"))
        let secondary = try RocksDB(path: scene.path, mode: mode)
        #expect(secondary.mode == mode && FileManager.default.fileExists(atPath: scene.directory.path("secondary/LOG")))
        #expect(try secondary.keyTexts() == ["a"] && secondary.columnFamily("songs").keyTexts() == ["x"])
        try db.fill("b")
        try db.flush()
        try db.fill("c")
        #expect(try secondary.keyTexts() == ["a"])
        var cursor = try secondary.makeCursor()
        try secondary.catchUp()
        #expect(try secondary.keyTexts() == ["a", "b", "c"] && secondary.text("c") == "c")
        #expect(try secondary.multiGet(["a", "c"]).count == 2)
        #expect(try cursor.perform(.next) == "a" && cursor.perform(.next) == nil)
        cursor.close()
        try db.delete("a")
        try db.compact(options: CompactOptions(bottommostLevel: .force))
        try secondary.catchUp()
        #expect(try secondary.keyTexts() == ["b", "c"])
        try await onThreads(4) { thread in
            for number in 0..<50 {
                if thread == 0 { try db.put("\(number)", for: "number") } else { try secondary.catchUp() }
                if number % 20 == 0, thread == 0 { try db.flush() }
                _ = try secondary.count()
            }
        }
        try secondary.catchUp()
        #expect(try secondary.text("number") == "49")
        try db.dropColumnFamily("songs")
        try secondary.catchUp()
        #expect(try secondary.columnFamily("songs").keyTexts() == ["x"])

        let refused: [(String, () throws -> Void)] = [
            ("put", { try secondary.fill("z") }), ("batch", { try secondary.write { $0.put("1", for: "z") } }),
            ("flush", { try secondary.flush() }), ("flush all", { try secondary.flush(nil) }), ("compact", { try secondary.compact() }),
            ("create", { try secondary.createColumnFamily("y") }), ("drop", { try secondary.dropColumnFamily("songs") }),
            ("snapshot", { _ = try secondary.makeSnapshot() }), ("ingest", { try secondary.ingest(["a.sst"]) }),
            ("pause", { try secondary.withBackgroundWorkPaused {} }), ("deletions", { try secondary.withFileDeletionsDisabled {} }),
            ("delete files", { try secondary.deleteFiles(in: [("a", "b")]) }), ("resume", { try secondary.resume() }),
            ("export", { try secondary.exportColumnFamily("default", to: scene.directory.path("export")) }),
            ("changes", { _ = try secondary.makeChangeReader(since: 0) }), ("tailing", { try tail(secondary) }),
        ]
        for (name, call) in refused {
            let expected: RocksError.Code = ["snapshot", "changes", "tailing"].contains(name) ? .notSupported : .readOnly
            #expect(code(call) == expected, "\(name)")
        }
        #expect(code { try db.catchUp() } == .notSupported)
        try secondary.verifyChecksums()
        _ = try secondary.metadata().files
        try secondary.close()
        #expect(code { try secondary.catchUp() } == .closed)
        #expect(code { try RocksDB(path: scene.directory.path("nowhere"), mode: mode) } == .notFound)
        #expect(code { try RocksDB(path: scene.path, mode: .secondary(path: "a\0b")) } == .invalidArgument)
        #expect(code { try RocksDB(path: scene.path, mode: .secondary(path: scene.directory.path("no/such"))) } == .ioError)
    }

    private func tail(_ db: RocksDB) throws {
        var options = ReadOptions()
        options.tailing = true
        _ = try db.makeCursor(.all, options: options)
    }

    @Test func readOnlyDatabasesChangeNothing() throws {
        do {
            let db = try scene.open()
            try db.fill("a")
            try db.flush()
        }
        let db = try RocksDB(path: scene.path, mode: .readOnly)
        let name = try db.metadata().files[0].name
        let refused: [(String, () throws -> Void)] = [
            ("flush", { try db.flush(nil) }), ("delete files", { try db.deleteFiles(in: [("a", "z")]) }),
            ("compact files", { try db.compactFiles([name], to: 1) }), ("suggest", { try db.suggestCompaction() }),
            ("promote", { try db.promoteLevelZero(to: 1) }), ("resume", { try db.resume() }),
            ("pause", { try db.withBackgroundWorkPaused {} }), ("deletions", { try db.withFileDeletionsDisabled {} }),
            ("automatic", { try db.enableAutomaticCompactions(of: [db.defaultColumnFamily]) }),
            ("manual", { try db.withManualCompactionsDisabled {} }),
        ]
        for (name, call) in refused { #expect(code(call) == .readOnly, "\(name)") }
        #expect(try db.keyTexts() == ["a"] && db.identity().isEmpty == false)
        #expect(code { try db.put("1", for: "a", options: .unlogged) } == .readOnly)
        // Nothing was written past the log that closing would have to flush.
        try db.close()
    }

    /// Over operands in a file that nothing combines, RocksDB ends the process.
    @Test func secondariesMergeAsTheirPrimary() throws {
        var db = try scene.open(.init(), ["other \"]\\": .init()], options: StoredOptionsTests.making)
        try db.put("1", for: "a")
        try db.close()
        let path = scene.directory.path("secondary")
        let secondary = try RocksDB(path: scene.path, mode: .secondary(path: path))
        let merging = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        db = try scene.open(.init(), ["other \"]\\": merging])
        let other = try db.columnFamily("other \"]\\")
        try other.put("1", for: "k")
        try other.merge("2", for: "k")
        try other.flush()
        try other.merge("3", for: "k")
        try other.flush()
        let error = failure { try secondary.catchUp() }
        #expect(error?.code == .invalidArgument && error?.message.contains("other") == true)
        #expect(try secondary.columnFamily("other \"]\\").get("k") == nil && secondary.text("a") == "1")
        let able = try RocksDB(path: scene.path, columnFamilies: ["other \"]\\": merging], mode: .secondary(path: path + "2"))
        try able.catchUp()
        #expect(try able.columnFamily("other \"]\\").text("k") == "1,2,3")
        var options = DatabaseOptions()
        options.rowCache = try BlockCache(capacity: .mebibytes(1))
        #expect(code { try RocksDB(path: scene.path, options: options, mode: .secondary(path: path)) } == .notSupported)
    }
}
