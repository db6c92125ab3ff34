import CairnObjects
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// A store that is there is opened for reading, and for writing by the first commit.
@Suite struct RocksOpeningTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("store") }

    init() throws {
        directory = try TemporaryDirectory()
        let engine = try RocksEngine(path: path)
        try put("1", in: engine)
        try engine.close()
    }

    private func put(_ value: String, in engine: RocksEngine) throws {
        var commit = EngineCommit()
        commit.put(value, for: "a")
        try engine.commit(commit)
    }

    private func value(in view: any EngineView) throws -> String? { try view.get("a").map { String(decoding: $0, as: UTF8.self) } }

    private func code(_ body: () throws -> Void) -> EngineError.Code? {
        do { try body() } catch { return (error as? EngineError)?.code }
        return nil
    }

    private var files: [String: Data] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(filePath: path + "/" + $0))) })
        }
    }

    @Test func `reading changes no file`() throws {
        let before = try files
        let engine = try RocksEngine(path: path)
        #expect(!engine.isReadOnly)
        #expect(try self.value(in: engine.makeView()) == "1")
        try engine.commit(EngineCommit())
        try engine.close()
        #expect(try files == before)
    }

    @Test func `a store that is only read is locked all the same`() throws {
        let engine = try RocksEngine(path: path)
        #expect(code { _ = try RocksEngine(path: path) } == .locked)
        #expect(throws: RocksError.self) { try RocksDB(path: path) }
        #expect(try self.value(in: engine.makeView()) == "1")
        try engine.close()
        try RocksDB(path: path).close()
    }

    @Test func `another process cannot open what is only read`() async throws {
        let engine = try RocksEngine(path: path)
        await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
            do throws(EngineError) { _ = try RocksEngine(path: path) } catch { exit(error.code == .locked ? 42 : 1) }
        }
        try put("2", in: engine)
        await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
            do throws(EngineError) { _ = try RocksEngine(path: path) } catch { exit(error.code == .locked ? 42 : 1) }
        }
        try engine.close()
    }

    @Test func `views made before the first commit stay valid, and keep the engine from closing`() throws {
        let engine = try RocksEngine(path: path)
        var old: (any EngineView)? = try engine.makeView()
        let version = try #require(old?.version)
        try put("2", in: engine)
        try engine.removeFormerData(in: .all)
        try put("3", in: engine)
        if let old { #expect(try value(in: old) == "1") }
        #expect(try value(in: engine.makeView()) == "3")
        #expect(try engine.makeView().version > version)
        #expect(code { try engine.close() } == .busy)
        if let old { #expect(try value(in: old) == "1") }
        old = nil
        try engine.close()
        let again = try RocksEngine(path: path)
        #expect(try value(in: again.makeView()) == "3")
        try again.close()
    }

    /// The lock of a store that is only read is given up before RocksDB takes its own, and another process may write in between. Here one writes that
    /// does not see the lock; the first commit has not seen it either.
    @Test func `a store that another process wrote to since it was read is not written`() async throws {
        let engine = try RocksEngine(path: path)
        #expect(try value(in: engine.makeView()) == "1")
        try FileManager.default.removeItem(atPath: path + "/LOCK")
        await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
            let other = try RocksDB(path: path)
            try other.put("theirs", for: "a")
            try other.close()
            exit(42)
        }
        for _ in 0..<2 { #expect(code { try self.put("mine", in: engine) } == .locked) }
        #expect(try value(in: engine.makeView()) == "1")
        try engine.close()
        let again = try RocksEngine(path: path)
        #expect(try value(in: again.makeView()) == "theirs")
        try put("mine", in: again)
        #expect(try value(in: again.makeView()) == "mine")
        try again.close()
    }

    @Test func `what a view has read before the first commit is compared`() throws {
        let engine = try RocksEngine(path: path)
        var stale = EngineCommit()
        stale.read("a", in: try engine.makeView())
        stale.put("stale", for: "b")
        var fresh = stale
        fresh.put("fresh", for: "a")
        try engine.commit(fresh)
        #expect(code { try engine.commit(stale) } == .conflict)
        #expect(try engine.makeView().get("b") == Array("stale".utf8))
        stale = EngineCommit()
        fresh = EngineCommit()
        try engine.close()
    }

    @Test func `a closed engine that never wrote says so`() throws {
        let engine = try RocksEngine(path: path)
        try engine.close()
        try engine.close()
        #expect(code { _ = try engine.makeView() } == .closed)
        #expect(code { try self.put("2", in: engine) } == .closed)
        let again = try RocksEngine(path: path)
        #expect(try value(in: again.makeView()) == "1")
        try again.close()
    }

    @Test func `a relative path means the same directory after the process has changed its current one`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let files = FileManager.default
            for name in ["here", "there"] { try files.createDirectory(atPath: directory.path(name), withIntermediateDirectories: true) }
            var commit = EngineCommit()
            commit.put("1", for: "a")
            let first = try RocksEngine(path: directory.path("here/store"))
            try first.commit(commit)
            try first.close()
            try #require(files.changeCurrentDirectoryPath(directory.path("here")))
            let engine = try RocksEngine(path: "store")
            try #require(files.changeCurrentDirectoryPath(directory.path("there")))
            commit.put("2", for: "b")
            try engine.commit(commit, durability: .synced)
            try engine.removeFormerData(in: .all)
            try engine.makeCheckpoint(at: "copy")
            try engine.close()
            try #require(engine.path == "store")
            try #require(try files.contentsOfDirectory(atPath: directory.path("there")) == ["copy"])
            for name in ["here/store", "there/copy"] {
                let engine = try RocksEngine(path: directory.path(name))
                try #require(try engine.makeView().entries().count == 2)
                try engine.close()
            }
        }
    }

    @Test func `what cannot be opened for writing stays readable`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            func commit(_ value: String) -> EngineCommit {
                var commit = EngineCommit()
                commit.put(value, for: "a")
                return commit
            }
            func mustBe(_ value: String, in engine: RocksEngine) throws {
                let found = try engine.makeView().get("a")
                precondition(found == Array(value.utf8))
            }
            var engine = try RocksEngine(path: directory.path("store"))
            try engine.commit(commit("1"))
            try engine.close()
            engine = try RocksEngine(path: directory.path("store"))
            let unlimited = limitFileSize(to: 1)
            for _ in 0..<2 {
                do throws(EngineError) {
                    try engine.commit(commit("2"))
                    preconditionFailure("a commit succeeded that cannot have been written")
                } catch { precondition(error.code == .ioError, "\(error)") }
                try mustBe("1", in: engine)
                do throws(EngineError) {
                    _ = try RocksEngine(path: directory.path("store"))
                    preconditionFailure("nobody has the lock")
                } catch { precondition(error.code == .locked, "\(error)") }
            }
            limitFileSize(to: unlimited)
            try engine.commit(commit("2"))
            try engine.close()
            engine = try RocksEngine(path: directory.path("store"))
            try mustBe("2", in: engine)
            try engine.close()
        }
    }
}
