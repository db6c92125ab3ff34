import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct MultiGetTests {
    let scene = try! Scene()

    @Test func inTheOrderOfTheKeys() throws {
        let db = try scene.open()
        try db.fill("a", "b", "c")
        try db.put("", for: "empty")
        try db.flush()
        try db.fill("d")
        #expect(try db.multiGet(["d", "z", "a", "empty", "a"], as: String.self) == ["d", nil, "a", "", "a"])
        #expect(try db.multiGet(["d", "z", "a"]) == [[100], nil, [97]])
        #expect(try db.multiGet([]).isEmpty)
        #expect(try db.multiGet(KeyList()).isEmpty)
        #expect(try db.multiGet([Data([97])], as: Data.self) == [Data([97])])
    }

    @Test func manyAcrossFiles() throws {
        let db = try scene.open()
        for part in 0..<4 {
            for number in stride(from: part, to: 1_000, by: 8) { try db.put("\(number)", for: "\(number)") }
            try db.flush()
        }
        let keys = (0..<1_000).map { "\($0)" }
        let expected = (0..<1_000).map { $0 % 8 < 4 ? "\($0)" : nil }
        #expect(try db.multiGet(keys, as: String.self) == expected)
        var list = KeyList(keys.sorted())
        list.isSorted = true
        #expect(list.count == 1_000)
        let sorted = try db.multiGet(list)
        #expect(sorted.compactMap { $0 }.count == 500)
        #expect(sorted == (try keys.sorted().map { try db.get($0) }))
    }

    /// Where RocksDB ends the process.
    @Test func aFalsePromiseOfOrder() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        var list = KeyList(["b", "a"])
        list.isSorted = true
        #expect(code { try db.multiGet(list) } == .invalidArgument)
        list = ["a", "a", "b"]
        list.isSorted = true
        #expect(try db.multiGet(list) == [[97], [97], [98]])
        // Sorted means the column family's order.
        let down = try db.createColumnFamily("down", options: .init(comparator: .reverseBytewise))
        try down.fill("a", "b")
        #expect(code { try down.multiGet(list) } == .invalidArgument)
        list = ["b", "a"]
        list.isSorted = true
        #expect(try down.multiGet(list) == [[98], [97]])
    }

    @Test func keyLists() throws {
        let db = try scene.open()
        try db.fill("a", "", "long key")
        var list: KeyList = ["a", ""]
        list.append([108, 111, 110, 103, 32, 107, 101, 121])
        #expect(list.count == 3)
        #expect(try db.multiGet(list).map { $0?.count } == [1, 0, 8])
        list.removeAll()
        #expect(list.count == 0)
        list.append("a")
        #expect(try db.multiGet(list) == [[97]])
    }

    @Test func lent() throws {
        let db = try scene.open()
        try db.fill("a", "bb")
        var sizes: [Int: Int?] = [:]
        try db.withValues(for: ["bb", "z", "a"]) { index, value in
            sizes[index] = .some(value?.byteCount)
            #expect(failure { try db.close() }?.message.contains("1 lent value") == true)
        }
        #expect(sizes == [0: 2, 1: nil, 2: 1])
        struct Own: Error {}
        var calls = 0
        #expect(throws: Own.self) {
            try db.withValues(for: ["a", "bb"]) { _, _ in
                calls += 1
                throw Own()
            }
        }
        #expect(calls == 1)
        try db.close()
    }

    @Test func textThatIsNone() throws {
        let db = try scene.open()
        try db.put([0xFF], for: "a")
        try db.fill("b")
        #expect(code { try db.multiGet(["b", "a"], as: String.self) } == .codec)
        #expect(try db.multiGet(["b", "a"]) == [[98], [0xFF]])
    }

    @Test func ofOneMoment() async throws {
        let db = try scene.open()
        try db.put("0", for: "a")
        try db.put("0", for: "b")
        let done = Box(false)
        try await onThreads(2) { thread in
            if thread == 0 {
                defer { done.value = true }
                for number in 1...500 {
                    try db.write { batch in
                        batch.put("\(number)", for: "a")
                        batch.put("\(number)", for: "b")
                    }
                }
            } else {
                while !done.value {
                    let values = try db.multiGet(["a", "b"])
                    if values[0] != values[1] { throw Mismatch("\(values)") }
                }
            }
        }
    }

    // MARK: Several column families

    @Test func ofSeveralColumnFamilies() throws {
        let db = try scene.open(), songs = try db.createColumnFamily("songs"), albums = try db.createColumnFamily("albums")
        try db.put("0", for: "a")
        try songs.put("1", for: "a")
        try songs.flush()
        try albums.put("", for: "a")
        let keys = [(songs, "a"), (albums, "a"), (db.defaultColumnFamily, "a"), (songs, "b"), (songs, "a")]
        let expected: [[UInt8]?] = [[0x31], [], [0x30], nil, [0x31]]
        #expect(try db.multiGet(keys) == expected)
        #expect(try db.multiGet([(ColumnFamily, String)]()) == [])
        let snapshot = try db.makeSnapshot()
        try songs.put("2", for: "a")
        try albums.delete("a")
        #expect(try snapshot.multiGet(keys) == expected)
        #expect(try db.multiGet(keys) == [[0x32], nil, [0x30], nil, [0x32]])
        snapshot.close()
        #expect(code { try snapshot.multiGet(keys) } == .closed)
        let other = try Scene().open()
        #expect(code { try other.multiGet(keys) } == .invalidArgument)
        let old = try db.createColumnFamily("old", options: HistoryTests.keeping)
        #expect(code { try db.multiGet([(songs, "a"), (old, "a")]) } == .notSupported)
        try db.dropColumnFamily("albums")
        #expect(code { try db.multiGet(keys) } == .columnFamilyDropped)
        try db.close()
        #expect(code { try db.multiGet(keys) } == .closed)
    }
}
