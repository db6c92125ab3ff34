import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// What cannot be written leaves nothing behind, and the engine can be used as before.
@Suite struct SQLiteFullDiskTests {
    private static func commit(_ number: Int, _ count: Int = 20) -> EngineCommit {
        var commit = EngineCommit()
        commit.put("\(number)", for: "last")
        for part in 0..<count { commit.put(Array(repeating: UInt8(truncatingIfNeeded: number), count: 1000), for: "\(number)/\(part)") }
        return commit
    }

    /// Ends the process unless the store has exactly these commits.
    private static func mustHave(_ commits: Int, _ engine: SQLiteEngine, _ count: Int = 20) throws {
        let view = try engine.makeView()
        let entries = try view.entries()
        precondition(entries.count == (commits == 0 ? 0 : commits * count + 1), "\(entries.count) entries of \(commits) commits")
        for entry in entries where entry.key != Array("last".utf8) {
            let number = Int(String(decoding: entry.key.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self))!
            precondition(entry.value == Array(repeating: UInt8(truncatingIfNeeded: number), count: 1000))
        }
        let last = try view.text("last") ?? "0"
        precondition(last == "\(commits)", "the last of \(commits) commits is \(last)")
    }

    /// A journal that is left must be rolled back, which a connection for reading only cannot do.
    @Test func `a store whose creation was killed does not stop readers`() async throws {
        let scene = try Scene()
        await #expect(processExitsWith: .signal(SIGXFSZ)) { [path = scene.path as String] in
            limitFileSize(to: 4096)
            // Threads of Dispatch block it.
            signal(SIGXFSZ, SIG_DFL)
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGXFSZ)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            _ = try SQLiteEngine(path: path)
        }
        #expect(try scene.names() == ["store", "store-journal"])
        // A database of another program is left as it is, journal or not.
        var other = try scene.bytes()
        other[68] = 0
        try scene.write(other, to: "other")
        try scene.write(scene.bytes("store-journal"), to: "other-journal")
        var options = SQLiteEngineOptions()
        options.readOnly = true
        let refusal = failure { () throws(EngineError) in _ = try SQLiteEngine(path: scene.directory.path("other"), options: options) }
        #expect(refusal?.code == .foreignFile)
        #expect(try scene.bytes("other") == other)
        #expect(try scene.bytes("other-journal") == scene.bytes("store-journal"))

        #expect(failure { () throws(EngineError) in _ = try scene.open { $0.readOnly = true } }?.code == .notFound)
        #expect(try scene.names() == ["other", "other-journal", "store"])
        let engine = try scene.open()
        try engine.put("value", "key")
        #expect(try scene.open { $0.readOnly = true }.get("key") == "value")
        try engine.close()
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible, "needs a user who may mount a file system"))
    func `a full disk refuses commits, and takes them again`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            SmallDisk.mount(at: directory.path, size: 4_000_000)
            let filler = directory.path("filler")
            try Data(count: 1_000_000).write(to: URL(filePath: filler))
            var engine = try SQLiteEngine(path: directory.path("store"))
            var commits = 0
            var failures = 0
            while failures < 20 {
                let durability: Durability = failures.isMultiple(of: 2) ? .buffered : .synced
                let error = failure { () throws(EngineError) in try engine.commit(Self.commit(commits + 1), durability: durability) }
                if let error {
                    precondition(error.code == .noSpace && error.cause is SQLiteError, "\(error)")
                    failures += 1
                } else {
                    commits += 1
                }
                try Self.mustHave(commits, engine)
            }
            precondition(commits > 20)
            let copying = failure { () throws(EngineError) in try engine.makeCheckpoint(at: directory.path("copy")) }
            precondition(copying?.code == .noSpace, "\(String(describing: copying))")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
            precondition(names == ["filler", "store", "store-shm", "store-wal"], "\(names)")
            // What is there can be opened without any room.
            try engine.close()
            engine = try SQLiteEngine(path: directory.path("store"))
            try Self.mustHave(commits, engine)
            try FileManager.default.removeItem(atPath: filler)
            for _ in 0..<10 {
                commits += 1
                try engine.commit(Self.commit(commits))
            }
            try Self.mustHave(commits, engine)
            try engine.close()
            engine = try SQLiteEngine(path: directory.path("store"))
            try Self.mustHave(commits, engine)
            try engine.close()
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs a user who may mount a file system"))
    func `a full disk has no room for a store`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            SmallDisk.mount(at: directory.path, size: 300_000)
            let filler = directory.path("filler")
            for size in stride(from: 300_000, to: 0, by: -10_000) {
                try? FileManager.default.removeItem(atPath: filler)
                guard (try? Data(count: size).write(to: URL(filePath: filler))) != nil else { continue }
                do {
                    let engine = try SQLiteEngine(path: directory.path("store"))
                    try engine.commit(Self.commit(1))
                    try Self.mustHave(1, engine)
                    try engine.close()
                    exit(0)
                } catch {
                    precondition((error as? EngineError)?.code == .noSpace, "\(size): \(error)")
                }
            }
            preconditionFailure("there was no room for a store in the end")
        }
    }
    #endif

    /// Beyond a size no file can grow, which is as if the disk failed.
    @Test func `what cannot be written leaves nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let engine = try SQLiteEngine(path: directory.path("store"))
            try engine.commit(Self.commit(1))
            let unlimited = limitFileSize(to: 200_000)
            for count in [300, 1000] {
                let error = failure { () throws(EngineError) in try engine.commit(Self.commit(2, count)) }
                precondition(error?.code == .ioError && error?.cause is SQLiteError, "\(String(describing: error))")
                try Self.mustHave(1, engine)
            }
            limitFileSize(to: unlimited)
            try engine.commit(Self.commit(2), durability: .synced)
            try Self.mustHave(2, engine)
            try engine.close()
        }
    }
}
