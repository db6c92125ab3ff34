import CairnCore
import CairnRocks
import Foundation
import Testing

@Test func tableSmoke() throws {
    struct Song: Codable, Equatable { var title: String, seconds: Int }
    let path = NSTemporaryDirectory() + "cairn-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let db = try RocksDB(path: path, options: .init(createIfMissing: true))
    let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
    let song = Song(title: "Walking on Sunshine", seconds: 298)
    try songs.put(song, for: "katrina")
    #expect(try songs.get("katrina") == song)
    let counts = try db.table("counts", key: Key<String, Int>.self, value: Int.self, codec: .littleEndian,
        options: .init(mergeOperator: MergeOperator(name: "add", keys: .ordered, values: .littleEndian) { (_: Key<String, Int>, a: Int?, b: Int) in (a ?? 0) + b }))
    try db.write { batch in
        for n in 0..<10 { for name in ["ann", "bob"] { try batch.in(counts).merge(n, for: Key(name, n / 2)) } }
    }
    let snapshot = try db.makeSnapshot()
    try counts.deleteRange(from: Key("a", 0), to: Key("b", 0))
    #expect(try counts.entries().map(\.value) == [1, 5, 9, 13, 17])
    #expect(try snapshot.in(counts).count() == 10)
    #expect(try snapshot.in(counts).entries(.keys(Key("ann").prefixRange)).map(\.value) == [1, 5, 9, 13, 17])
    #expect(try snapshot.in(counts).entries(.keys(Key("ann").prefixRange).reversed).map(\.value) == [17, 13, 9, 5, 1])
    #expect(try snapshot.in(counts).entries(.from(Key("bob", 1), to: Key("ann", 3)).reversed).map(\.value) == [5, 1, 17])
    var cursor = try counts.makeCursor()
    while let (key, value) = try cursor.next() { print(key, value) }
    snapshot.close()
    do { _ = try snapshot.get("x") } catch { print(error) }
    try songs.space.put("no json", for: "bad".keyBytes)
    do { _ = try songs.get("bad") } catch { print(error) }
}
