import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// Reading only, where a log cannot be created or must not be.
@Suite struct SQLiteReadingTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func openReader() throws(EngineError) -> SQLiteEngine { try scene.open { $0.readOnly = true } }

    /// As if the file had been written an hour ago.
    private static func age(_ path: String) throws {
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
    }

    @Test func `reading only leaves nothing behind`() throws {
        let engine = try scene.open()
        try engine.put("1", "a")
        try engine.close()
        for isOld in [false, true] {
            if isOld { try Self.age(scene.path) }
            let bytes = try scene.bytes()
            let (reader, other) = (try openReader(), try openReader())
            #expect(try reader.get("a") == "1" && other.get("a") == "1")
            try reader.close()
            #expect(try other.get("a") == "1")
            try other.close()
            #expect(try scene.names() == ["store"] && scene.bytes() == bytes)
        }
    }

    @Test func `a log in use stays when a reader closes`() throws {
        let engine = try scene.open()
        let reader = try openReader()
        #expect(try scene.bytes("store-wal").isEmpty)
        try reader.close()
        #expect(try scene.names() == ["store", "store-shm", "store-wal"])
        try engine.put("1", "a")
        #expect(try openReader().get("a") == "1")
        try engine.close()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as two users"))
    func `reading the store of another user leaves it to that user`() async {
        await #expect(processExitsWith: .success) {
            func become(_ user: uid_t) { precondition(seteuid(0) == 0 && seteuid(user) == 0) }
            let scene = try Scene()
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: scene.directory.path)
            become(1001)
            var engine = try scene.open { $0.mode = 0o644 }
            try engine.put("1", "a")
            try engine.close()
            try Self.age(scene.path)
            become(1002)
            let reader = try scene.open { $0.readOnly = true }
            let value = try reader.get("a")
            let names = try scene.names()
            precondition(value == "1" && names == ["store"], "\(names)")
            become(1001)
            engine = try scene.open()
            try engine.put("2", "a")
            become(1002)
            let newValue = try reader.get("a")
            precondition(newValue == "2")
            try reader.close()
            become(1001)
            try engine.close()
            become(0)
        }
    }

    @Test(.enabled(if: OrdinaryRights.arePossible, Comment(rawValue: OrdinaryRights.reason)))
    func `a store can be read in a directory that cannot be written to`() throws {
        try scene.open().close()
        try Self.age(scene.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scene.directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.directory.path) }
        #expect(try OrdinaryRights.run("cairn-sqlite-peer", [scene.path, "--read-only"]).standardOutput == "open\n")
        #expect(try scene.names() == ["store"])
    }

    @Test(.enabled(if: OrdinaryRights.arePossible, Comment(rawValue: OrdinaryRights.reason)))
    func `a log that cannot be written to is noticed when the store is opened`() throws {
        try scene.open().close()
        try scene.write([], to: "store-wal")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scene.directory.path("store-wal"))
        #expect(try OrdinaryRights.run("cairn-sqlite-peer", [scene.path]).standardOutput == "permissionDenied\n")
    }

    // MARK: Without a log

    /// A place where no log can be created, although the directory can be written to: its name leads to a directory that is missing.
    private func block() throws {
        try FileManager.default.createSymbolicLink(atPath: scene.path + "-wal", withDestinationPath: "missing/log")
    }

    private func unblock() throws { try FileManager.default.removeItem(atPath: scene.path + "-wal") }

    /// More than its first pages, so that some are still to be read.
    private func fill(_ text: String) throws {
        let engine = try scene.open()
        var commit = EngineCommit()
        for number in 0..<200 { commit.put(String(repeating: text, count: 1000), for: "key \(number + 100)") }
        try engine.commit(commit)
        try engine.close()
        try Self.age(scene.path)
    }

    @Test func `a view without a log is never a mixture`() throws {
        try fill("1")
        try block()
        let reader = try openReader()
        let view = try reader.makeView()
        #expect(try view.text("key 100")?.first == "1")
        try unblock()
        let engine = try scene.open()
        let version = try engine.put("2", "key 150")
        // It is in the log alone.
        #expect(try view.text("key 200")?.first == "1")
        try engine.close()
        #expect(code { () throws(EngineError) in _ = try view.get("key 150") } == .expired)
        #expect(code { () throws(EngineError) in _ = try view.entries() } == .expired)
        #expect(try reader.get("key 150") == "2" && reader.latestVersion == version)
    }

    @Test func `a reader without a log sees what others commit`() async throws {
        try fill("1")
        try block()
        let reader = try openReader()
        let (version, changes) = (reader.latestVersion, try reader.changes())
        #expect(try reader.get("key 150")?.first == "1")
        try unblock()
        let engine = try scene.open()
        #expect(reader.latestVersion == version)
        for number in 2..<5 {
            let version = try engine.put("\(number)", "key 150")
            #expect(try reader.latestVersion == version && reader.get("key 150") == "\(number)")
        }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next()?.touches("key 150") == true)
        try engine.close()
        try reader.close()
    }

    @Test func `a file that was replaced is another one`() throws {
        try fill("1")
        try block()
        let reader = try openReader()
        let view = try reader.makeView()
        try FileManager.default.moveItem(atPath: scene.path, toPath: scene.directory.path("former"))
        #expect(code { () throws(EngineError) in _ = try view.get("key 150") } == .expired)
    }
}
