import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// How much of the log is left to read when a store is opened next, and that nothing is lost with the rest.
@Suite struct RocksClosingTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    /// Commits `count` times ten entries of 30 to 40 bytes each.
    private static func commit(_ count: Int, to engine: RocksEngine, from first: Int = 0) throws {
        for number in first..<first + count {
            var commit = EngineCommit()
            for entry in 0..<10 { commit.put("value \(number)", for: "key \(number) \(entry)") }
            try engine.commit(commit)
        }
    }

    private static func mustHold(_ count: Int, in engine: RocksEngine) throws -> Bool {
        let view = try engine.makeView()
        for number in 0..<count {
            for entry in 0..<10 {
                guard try view.get("key \(number) \(entry)") == Array("value \(number)".utf8) else { return false }
            }
        }
        return try view.entries().count == 10 * count
    }

    private func files(_ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { suffix.isEmpty || $0.hasSuffix(suffix) }.sorted()
    }

    private func logSize() throws -> Int {
        try files(".log").reduce(0) { try $0 + Data(contentsOf: URL(filePath: path + "/" + $1)).count }
    }

    enum Loss: CaseIterable { case deleted, emptied, moved, replaced }

    /// What is saved in a directory that is gone is lost. Nothing notices before, since the files stay open.
    @Test(arguments: Loss.allCases) func `closing says that the directory is gone`(loss: Loss) throws {
        let store = try ObjectStore(path: path, classes: musicClasses)
        try store.write { $0.insert(Song(artist: "a", title: "t", seconds: 7, rating: 0.5)) }
        let files = FileManager.default
        switch loss {
        case .deleted: try files.removeItem(atPath: path)
        case .emptied: for name in try self.files("") { try files.removeItem(atPath: path + "/" + name) }
        case .moved: try files.moveItem(atPath: path, toPath: directory.path("elsewhere"))
        case .replaced:
            try files.moveItem(atPath: path, toPath: directory.path("elsewhere"))
            try files.copyItem(atPath: directory.path("elsewhere"), toPath: path)
        }
        let error = #expect(throws: ObjectStoreError.self) { try store.close() }
        #expect(
            error?.code == .notFound && error?.message.contains("was deleted, moved or replaced") == true,
            "\(String(describing: error))"
        )
        try store.close()
        #expect(throws: ObjectStoreError.self) { try store.makeContext() }
        if loss == .moved || loss == .replaced {
            let moved = try ObjectStore(path: directory.path("elsewhere"), classes: musicClasses)
            #expect(try moved.read { context in try context.count(Song.self) } == 1)
        }
    }

    @Test func `closing writes a long log to a file, so that opening reads none of it`() throws {
        var engine = try RocksEngine(path: path)
        try Self.commit(500, to: engine)
        #expect(try logSize() > 100_000 && files(".sst").isEmpty)
        try engine.close()
        #expect(try logSize() == 0 && files(".sst").count == 1)
        // Opened for reading, which writes nothing.
        let names = try files("")
        engine = try RocksEngine(path: path)
        #expect(try Self.mustHold(500, in: engine))
        try engine.close()
        #expect(try files("") == names)
    }

    @Test func `releasing an engine does what closing does`() throws {
        do { try Self.commit(500, to: try RocksEngine(path: path)) }
        #expect(try logSize() == 0 && files(".sst").count == 1)
        let engine = try RocksEngine(path: path)
        #expect(try Self.mustHold(500, in: engine))
        try engine.close()
    }

    @Test func `closing leaves a short log alone`() throws {
        var engine = try RocksEngine(path: path)
        try Self.commit(50, to: engine)
        let size = try logSize()
        try engine.close()
        #expect(try logSize() == size && size > 0 && files(".sst").isEmpty)
        engine = try RocksEngine(path: path)
        #expect(try Self.mustHold(50, in: engine))
        try engine.close()
    }

    @Test func `a log of few large values is written to a file too`() throws {
        let engine = try RocksEngine(path: path)
        var commit = EngineCommit()
        commit.put([UInt8](repeating: 1, count: 200_000), for: "large")
        try engine.commit(commit)
        try engine.close()
        #expect(try logSize() == 0)
    }

    @Test func `closing is refused while views are held, and flushes nothing twice`() throws {
        let engine = try RocksEngine(path: path)
        try Self.commit(500, to: engine)
        var view: (any EngineView)? = try engine.makeView()
        let error = #expect(throws: EngineError.self) { try engine.close() }
        #expect(error?.code == .busy)
        #expect(try view?.get("key 499 9") == Array("value 499".utf8))
        view = nil
        try Self.commit(1, to: engine, from: 500)
        try engine.close()
        #expect(try files(".sst").count == 1 && logSize() < 1000)
    }

    /// Without a limit, 16 MiB of memtable would be in the log only: 200,000 of these entries.
    @Test func `a killed process leaves a limited log, and all that it committed`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try RocksClosingTests.commit(4_000, to: try RocksEngine(path: path))
            kill(getpid(), SIGKILL)
        }
        // Files were written while it committed, of which the last may not have been finished.
        #expect(try logSize() < 2 * 12_288 * 60 && !files(".sst").isEmpty)
        let names = try files("")
        let engine = try RocksEngine(path: path)
        #expect(try Self.mustHold(4_000, in: engine))
        // To read it, nothing is written.
        #expect(try files("") == names)
        try engine.close()
        #expect(try logSize() == 0)
        let again = try RocksEngine(path: path)
        #expect(try Self.mustHold(4_000, in: again))
        try again.close()
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible, "needs a user who may mount a file system"))
    func `closing on a full disk loses nothing`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            SmallDisk.mount(at: directory.path, size: 8_000_000)
            var engine = try RocksEngine(path: directory.path("store"))
            try RocksClosingTests.commit(1_000, to: engine)
            let ballastPath = directory.path("ballast")
            _ = FileManager.default.createFile(atPath: ballastPath, contents: nil)
            let ballast = try FileHandle(forWritingTo: URL(filePath: ballastPath))
            var size = 1 << 20
            while size > 0 {
                do { try ballast.write(contentsOf: Data(count: size)) } catch { size /= 2 }
            }
            try engine.close()
            engine = try RocksEngine(path: directory.path("store"))
            let isRead = try RocksClosingTests.mustHold(1_000, in: engine)
            precondition(isRead, "all is read while the disk is still full")
            try engine.close()
            try ballast.truncate(atOffset: 0)
            engine = try RocksEngine(path: directory.path("store"))
            try RocksClosingTests.commit(1_000, to: engine, from: 1_000)
            let isWhole = try RocksClosingTests.mustHold(2_000, in: engine)
            precondition(isWhole, "nothing is lost, and commits still work")
            try engine.close()
        }
    }
    #endif
}
