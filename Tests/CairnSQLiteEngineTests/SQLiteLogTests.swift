import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// What commits write to the log is moved to the file, and the log starts from its beginning again.
@Suite(.endsWhenItHangs) struct SQLiteLogTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    /// As in a save, there is a view at each commit: it keeps that commit in the log.
    @Test func `the log stays short although each commit has a view`() throws {
        let engine = try scene.open()
        var longest = 0
        for number in 0..<600 {
            let view = try engine.makeView()
            var commit = EngineCommit()
            commit.read("key", in: view)
            commit.put([UInt8](repeating: UInt8(number & 0xFF), count: 256 << 10), for: "key")
            try engine.commit(commit)
            longest = max(longest, try size("store-wal"))
        }
        // 150 MiB were written.
        #expect(longest < 64 << 20, "\(longest) bytes")
        #expect(try engine.makeView().get("key") == [UInt8](repeating: UInt8(599 % 256), count: 256 << 10))
        try engine.close()
        #expect(try scene.names() == ["store"])
    }

    /// Closing waits for what is being moved, and what closes last removes the log.
    @Test func `stores can be closed while the log is moved`() throws {
        for round in 0..<10 {
            let engine = try scene.open()
            for number in 0..<40 { try engine.put(String(repeating: "\(round)", count: 256 << 10), "key \(number)") }
            try engine.close()
            #expect(try scene.names() == ["store"])
        }
        let engine = try scene.open()
        #expect(try engine.get("key 39")?.prefix(2) == "99")
        try engine.close()
    }

    private func size(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: scene.directory.path(name))[.size] as? Int)
    }
}
