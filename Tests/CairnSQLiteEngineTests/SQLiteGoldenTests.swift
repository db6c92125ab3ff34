import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// `docs/formats/sqlite-store.md`, byte by byte. `Golden/store-1` was made by the first version, with these commits.
@Suite struct SQLiteGoldenTests {
    private static func commits() -> [EngineCommit] {
        var commits = Array(repeating: EngineCommit(), count: 4)
        for number in 0..<20 { commits[0].put("value \(number)", for: "key \(number)") }
        commits[1].put("", for: "")
        commits[1].deleteRange(KeyRange(prefix: "key 1"))
        commits[1].deleteRange(KeyRange(lowerBound: [0xFF], upperBound: nil))
        commits[2].put(Array(repeating: 7, count: 10_000), for: "long")
        commits[3].delete("key 2")
        return commits
    }

    @Test func `stores of the first version are read and written`() throws {
        let scene = try Scene()
        let golden = try #require(Bundle.module.url(forResource: "store-1", withExtension: nil, subdirectory: "Golden"))
        let bytes = [UInt8](try Data(contentsOf: golden))
        try scene.write(bytes)
        let engine = try scene.open { $0.createIfMissing = false }
        let model = MemoryEngine()
        for commit in Self.commits() { try model.commit(commit) }
        func entries(_ engine: any StorageEngine) throws -> [[[UInt8]]] { try engine.makeView().entries().map { [$0.key, $0.value] } }
        #expect(try entries(engine) == entries(model))
        #expect(engine.latestVersion == EngineVersion(rawValue: 4))
        try engine.put("new", "key")
        #expect(try engine.get("key") == "new")
        try engine.close()
    }

    @Test func `the head and the pages are as described`() throws {
        let golden = try #require(Bundle.module.url(forResource: "store-1", withExtension: nil, subdirectory: "Golden"))
        let bytes = [UInt8](try Data(contentsOf: golden))
        #expect(bytes.starts(with: Array("SQLite format 3\0".utf8)) && bytes[16..<18] == [0x20, 0] && bytes[20] == 8)
        #expect(bytes[60..<64] == [0, 0, 0, 1] && bytes[68..<72] == Array("CrnS".utf8)[...])
        #expect(bytes.count.isMultiple(of: 8192))
        for page in 0..<bytes.count / 8192 {
            var sum = CRC32C()
            sum.update([UInt8(page), 0, 0, 0])
            sum.update(Array(bytes[page * 8192..<page * 8192 + 8184]))
            let expected = (0..<8).map { UInt8(truncatingIfNeeded: ($0 < 4 ? sum.value : ~sum.value) >> UInt32($0 % 4 * 8)) }
            #expect(Array(bytes[page * 8192 + 8184..<(page + 1) * 8192]) == expected, "page \(page)")
        }
    }
}
