import CairnCDB
import CairnTestSupport
import Foundation
import Synchronization
import Testing

struct StoreTests {
    @Test func aMissingFileIsAnEmptyStore() throws {
        let scene = try Scene()
        let store = try scene.store()
        #expect(try store.isEmpty && store.count == 0 && store.keys().isEmpty && store["a"] == nil && !store.hasChanges)
        #expect(try !store.save())
        #expect(!scene.exists())
        try store.put("1", for: "a")
        #expect(try store.save() && scene.exists() && !store.save())
        #expect(code { try scene.store("no/where.cdb") } == .notFound)
        try scene.write([1, 2, 3], "short.cdb")
        #expect(code { try scene.store("short.cdb") } == .corruption)
    }

    @Test func readingAndWriting() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "2")])
        let store = try scene.store()
        #expect(try store["a"] == "1" && store.get("b") == "2" && store["x"] == nil && store["x", default: "-"] == "-")
        try store.put("3", for: "c")
        #expect(try store["c"] == "3" && store.contains("c") && store.count == 3)
        #expect(try store.delete("a") && !store.delete("a") && !store.delete("x"))
        #expect(try store["a"] == nil && !store.contains("a") && store.count == 2)
        #expect(try store.withValue(for: "b") { $0.byteCount } == 1)
        #expect(try store.withValue(for: "a") { $0.byteCount } == nil)
        try store.put("", for: "")
        #expect(try store[""] == "" && store.contains(""))
        try store.save()
        #expect(try scene.reader().pairTexts() == ["b=2", "c=3", "="])
    }

    @Test func orderIsThatOfTheFileThenThatOfPutting() throws {
        let scene = try Scene()
        try scene.make([("d", "1"), ("a", "2"), ("c", "3")])
        let store = try scene.store()
        for key in ["z", "y", "x", "w"] { try store.put("new", for: key) }
        try store.put("changed", for: "a")
        try store.delete("c")
        try store.delete("y")
        try store.put("again", for: "y")
        try store.put("twice", for: "z")
        let order = ["d=1", "a=changed", "z=twice", "x=new", "w=new", "y=again"]
        #expect(try store.pairTexts() == order)
        #expect(try store.keys() == order.map { String($0.prefix { $0 != "=" }) })
        #expect(try store.values() == ["1", "changed", "twice", "new", "new", "again"])
        #expect(try store.changedKeys() == ["z", "x", "w", "a", "c", "y"])
        #expect(try store.count == 6)
        try store.save()
        #expect(try scene.reader().pairTexts() == order && store.pairTexts() == order)
        #expect(try !store.hasChanges && store.changedKeys().isEmpty)
    }

    @Test func whatChangesNothingIsNoChange() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let store = try scene.store()
        try store.put("1", for: "a")
        #expect(!store.hasChanges)
        try store.put("2", for: "a")
        #expect(store.hasChanges)
        try store.put("1", for: "a")
        #expect(!store.hasChanges)
        try store.put("x", for: "new")
        try store.delete("new")
        #expect(!store.hasChanges)
        try store.delete("a")
        try store.put("1", for: "a")
        #expect(!store.hasChanges)
        let disk = try scene.bytes()
        #expect(try !store.save() && scene.bytes() == disk)
    }

    @Test func removeAllThenPut() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "2")])
        let store = try scene.store()
        try store.put("3", for: "c")
        try store.removeAll()
        #expect(try store.isEmpty && store["a"] == nil && store.hasChanges && store.pairTexts().isEmpty)
        #expect(try Set(store.changedKeys()) == ["a", "b"])
        try store.put("1", for: "b")
        try store.put("2", for: "a")
        #expect(try store.pairTexts() == ["b=1", "a=2"] && store.count == 2)
        try store.save()
        #expect(try scene.reader().pairTexts() == ["b=1", "a=2"])
        try store.removeAll()
        try store.save()
        #expect(try scene.bytes().count == 2048)
    }

    @Test func revertDropsChanges() throws {
        let scene = try Scene()
        try scene.make([("a", "1")])
        let store = try scene.store()
        try store.put("2", for: "a")
        try store.put("3", for: "b")
        try store.revert()
        #expect(try !store.hasChanges && store.pairTexts() == ["a=1"])
        try store.removeAll()
        try store.revert()
        #expect(try store.pairTexts() == ["a=1"])
        try store.close()
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }

    @Test func ofSeveralValuesTheFirstIsSeenAndKept() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "2"), ("a", "3"), ("a", "4"), ("c", "5"), ("b", "6")])
        let store = try scene.store()
        #expect(try store.pairTexts() == ["a=1", "b=2", "c=5"] && store.count == 3)
        try store.put("x", for: "c")
        try store.save()
        #expect(try scene.reader().pairTexts() == ["a=1", "b=2", "c=x"])
    }

    @Test func recordsFilledWithZerosAreNotSeen() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "2"), ("a", "3")], "db.cdb", .zeroFill)
        let store = try scene.store()
        #expect(try store.pairTexts() == ["b=2", "a=3"] && store.count == 2)
        try store.put("4", for: "")
        try store.save()
        #expect(try store.pairTexts() == ["b=2", "a=3", "=4"])
    }

    @Test func typedKeysAndValues() throws {
        struct Song: Codable, Equatable { var title: String, seconds: Int }
        let scene = try Scene()
        let songs = try CDBStore(path: scene.path(), key: Int.self, value: Song.self, codec: .json, keys: .ordered)
        try songs.put(Song(title: "Waterloo", seconds: 213), for: 7)
        try songs.save()
        let again = try CDBStore(path: scene.path(), key: Int.self, value: Song.self, codec: .json, keys: .ordered)
        #expect(try again[7] == Song(title: "Waterloo", seconds: 213) && again.keys() == [7])
        let wrong = try CDBStore(path: scene.path(), key: Int.self, value: Int.self, codec: .littleEndian, keys: .ordered)
        #expect(code { try wrong[7] } == .codec)
        #expect(code { try wrong.values() } == .codec)
        let wrongKeys = try CDBStore(path: scene.path(), key: String.self, value: [UInt8].self, codec: .raw, keys: .ordered)
        #expect(code { try wrongKeys.keys() } == .codec)
    }

    @Test func valuesThatCannotBeEncodedAreRefusedAtOnce() throws {
        struct No: Error {}
        let scene = try Scene()
        let codec = ValueCodec<String, Int>.custom(encode: { _, _ throws -> [UInt8] in throw No() }, decode: { _, _ in 0 })
        let store = try CDBStore(path: scene.path(), codec: codec)
        #expect(code { try store.put(1, for: "a") } == .codec)
        #expect(!store.hasChanges)
    }

    @Test func cachedValuesAreNotDecodedAgainAndNeverStale() throws {
        let scene = try Scene()
        try scene.make((0..<100).map { ("\($0)", String(repeating: "v", count: 100)) })
        let decoded = Mutex(0)
        let codec = ValueCodec<String, String>.custom(
            encode: { _, value in value },
            decode: { _, bytes in
                decoded.withLock { $0 += 1 }
                return try String(copying: bytes)
            }
        )
        var options = CDBStoreOptions.buffered
        options.cacheLimit = .bytes(2_000)
        let store = try CDBStore(path: scene.path(), codec: codec, options: options)
        for _ in 0..<5 { _ = try store["1"] }
        #expect(decoded.withLock { $0 } == 1)
        store.emptyCache()
        _ = try store["1"]
        #expect(decoded.withLock { $0 } == 2)
        // The limit holds: of 100 values of 100 bytes, not all stay.
        for key in 0..<100 { _ = try store["\(key)"] }
        for key in 0..<100 { _ = try store["\(key)"] }
        #expect(decoded.withLock { $0 } > 150)
        _ = try store["1"]
        try store.put("new", for: "1")
        #expect(try store["1"] == "new")
        try store.delete("1")
        #expect(try store["1"] == nil)
        try store.revert()
        #expect(try store["1"] != nil)
        try store.removeAll()
        #expect(try store["1"] == nil)
    }

    @Test func closingSavesAndEnds() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.put("1", for: "a")
        try store.close()
        try store.close()
        #expect(try scene.reader().pairTexts() == ["a=1"])
        #expect(code { try store["a"] } == .closed)
        #expect(code { try store.put("1", for: "a") } == .closed)
        #expect(code { try store.keys() } == .closed)
        #expect(failure { try store.keys() }?.message.hasSuffix("the store is closed") == true)
        #expect(code { try store.save() } == .closed)
        #expect(code { try store.count } == .closed)
        #expect(code { try store.revert() } == .closed)
        #expect(code { try store.autosave(every: .seconds(1)) } == .closed)
        #expect(code { try store.changedKeys() } == .closed)
        #expect(code { try store.removeAll() } == .closed)
        #expect(!store.hasChanges)
    }

    @Test func savesOfDialects() throws {
        for dialect in CDBDialect.allCases {
            let scene = try Scene()
            var options = CDBStoreOptions.buffered
            options.dialect = dialect
            options.access = .positioned
            let store = try scene.store(options: options)
            try store.put("1", for: "a")
            try store.save()
            try store.put("2", for: "b")
            try store.save()
            #expect(try scene.reader("db.cdb", .mapped, dialect).pairTexts() == ["a=1", "b=2"])
        }
    }

    @Test func aSymbolicLinkIsFollowed() throws {
        let scene = try Scene()
        let link = scene.directory.path("link.cdb")
        try FileManager.default.createSymbolicLink(atPath: scene.directory.path("second"), withDestinationPath: "db.cdb")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scene.directory.path("second"))
        let store = try CDBStore(path: link, key: String.self, value: String.self, codec: .utf8)
        try store.put("1", for: "a")
        try store.save()
        try store.put("2", for: "b")
        try store.save()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == scene.directory.path("second"))
        #expect(store.path == scene.path())
        #expect(try scene.reader().pairTexts() == ["a=1", "b=2"])
    }

    @Test func updatesReadAndWriteInOneStep() async throws {
        let scene = try Scene()
        let store = try CDBStore(path: scene.path(), key: String.self, value: Int.self, codec: .json, options: .buffered)
        #expect(
            try store.update("a", default: 5) {
                $0 += 1; return $0 * 2
            } == 12
        )
        #expect(try store.get("a") == 6)
        #expect(throws: CancellationError.self) {
            try store.update("a", default: 0) {
                $0 = 100; throw CancellationError()
            }
        }
        #expect(try store.get("a") == 6)
        // The body may read the store, and is called again where another thread changes it.
        var calls = 0
        try store.update("a", default: 0) { value in
            calls += 1
            if calls == 1 {
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    try? store.put(50, for: "a")
                    done.signal()
                }
                done.wait()
            }
            value = try #require(try store.get("a")) + 1
        }
        #expect(try store.get("a") == 51 && calls == 2)
        // If the body could change the store, it would be called again each time.
        let changes: [(CDBStore<String, Int>) throws -> Void] = [
            { try $0.put(1, for: "b") }, { try $0.delete("a") }, { try $0.update("b", default: 0) { $0 += 1 } }, { try $0.removeAll() },
            { try $0.reload() }, { try $0.revert() },
        ]
        for change in changes {
            #expect(code { try store.update("a", default: 0) { _ in try change(store) } } == .busy)
            #expect(
                code {
                    try store.update(
                        "x",
                        default: {
                            try? change(store); return 1
                        }()
                    ) { $0 += 1 }
                } == nil
            )
            #expect(try store.entries().map(\.value) == [51, 2] && store.delete("x"))
        }
        try await onThreads(4) { thread in
            for number in 0..<200 {
                try store.update("n", default: 0) { $0 += 1 }
                if number % 50 == 0 { try store.save() }
            }
        }
        #expect(try store.get("n") == 800)
        try store.close()
        #expect(code { try store.update("n", default: 0) { $0 += 1 } } == .closed)
    }

    @Test func savingInTheBackground() async throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.put("1", for: "a")
        #expect(try await store.saveInBackground())
        #expect(try scene.reader().pairTexts() == ["a=1"])
        try store.put("2", for: "a")
        let task = Task { () async -> CDBError.Code? in
            while !Task.isCancelled { await Task.yield() }
            do throws(CDBError) {
                _ = try await store.saveInBackground()
                return nil
            } catch {
                return error.code
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(try store.hasChanges && scene.reader().pairTexts() == ["a=1"] && scene.names() == ["db.cdb"])
    }
}
