import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct TableTests {
    let scene = try! Scene()

    struct Song: Codable, Equatable, Sendable { var title: String, seconds: Int }
    private static let sunshine = Song(title: "Walking on Sunshine", seconds: 298)

    @Test func typedVerbs() throws {
        let db = try scene.open()
        let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
        try songs.put(Self.sunshine, for: "katrina")
        try songs.put(Song(title: "Hello", seconds: 1), for: "adele")
        #expect(try songs.get("katrina") == Self.sunshine)
        #expect(try songs.get("nobody") == nil)
        #expect(try songs.contains("adele") && !songs.contains("nobody"))
        #expect(try songs.multiGet(["nobody", "katrina"]) == [nil, Self.sunshine])
        #expect(try songs.keys() == ["adele", "katrina"])
        #expect(try songs.entries(.all.reversed).map(\.key) == ["katrina", "adele"])
        #expect(try songs.count() == 2)
        try songs.delete("adele")
        try songs.singleDelete("katrina")
        #expect(try songs.count() == 0)
        // It is a column family of its own.
        #expect(db.columnFamilyNames == ["default", "songs"])
        #expect(try db.keys().isEmpty)
    }

    @Test func keysSortAsTheirTypeDoes() throws {
        let numbers = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        for number in [5, -1, .max, 0, -300, .min, 256] { try numbers.put("\(number)", for: number) }
        #expect(try numbers.keys() == [.min, -300, -1, 0, 5, 256, .max])
        #expect(try numbers.keys(.from(-1, to: 256)) == [-1, 0, 5])
        #expect(try numbers.keys(.from(5, to: -300).reversed) == [5, 0, -1])
        #expect(try numbers.keys(.to(0)) == [.min, -300, -1])
        try numbers.deleteRange(from: -300, to: 6)
        #expect(try numbers.entries().map(\.value) == ["\(Int.min)", "256", "\(Int.max)"])
    }

    @Test func compoundKeys() throws {
        let visits = try scene.open().table("visits", key: Key<String, Int>.self, value: String.self, codec: .utf8)
        for name in ["ann", "bob", "anna"] { for number in 0..<3 { try visits.put("\(name) \(number)", for: Key(name, number)) } }
        #expect(try visits.entries(.keys(Key("ann").prefixRange)).map(\.value) == ["ann 0", "ann 1", "ann 2"])
        #expect(try visits.entries(.keys(Key("ann").prefixRange).reversed, limit: 1).map(\.value) == ["ann 2"])
        #expect(try visits.keys(.keys(.strings(startingWith: "an"))).count == 6)
    }

    @Test func batchesAndSnapshots() throws {
        let db = try scene.open()
        let songs = try db.table("songs", key: String.self, value: Song.self, codec: .json)
        let counts = try db.table(
            "counts",
            key: String.self,
            value: Int.self,
            codec: .littleEndian,
            options: .init(
                mergeOperator: MergeOperator(name: "test.add", keys: .ordered, values: .littleEndian) { (_: String, sum: Int?, n: Int) in
                    (sum ?? 0) + n
                }
            )
        )
        try db.write { batch in
            try batch.in(songs).put(Self.sunshine, for: "katrina")
            for number in 1...4 { try batch.in(counts).merge(number, for: "plays") }
        }
        let snapshot = try db.makeSnapshot()
        try counts.merge(10, for: "plays")
        try songs.delete("katrina")
        #expect(try counts.get("plays") == 20)
        #expect(try snapshot.in(counts).get("plays") == 10)
        #expect(try snapshot.in(songs).entries().map(\.value) == [Self.sunshine])
        snapshot.close()
        #expect(code { try snapshot.in(songs).get("katrina") } == .closed)
        try counts.merge(bytes: "bad", for: "plays")
        #expect(code { try counts.get("plays") } == .corruption)
    }

    @Test func cursors() throws {
        let numbers = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        for number in 0..<5 { try numbers.put("\(number)", for: number) }
        var cursor = try numbers.makeCursor(.from(1))
        var values: [String?] = []
        values.append(try cursor.next()?.value)
        values.append(try cursor.next()?.value)
        values.append(try cursor.previous()?.value)
        values.append(try cursor.last()?.value)
        values.append(try cursor.next()?.value)
        values.append(try cursor.first()?.value)
        values.append(try cursor.seek(to: 3)?.value)
        values.append(try cursor.seek(toOrBefore: 99)?.value)
        values.append(try cursor.seek(toOrBefore: 0)?.value)
        #expect(values == ["1", "2", "1", "4", nil, "1", "3", "4", nil])
        cursor.close()
        #expect(code { try cursor.next()?.key } == .closed)
        var seen: [Int] = []
        try numbers.forEach(.to(2)) { key, _ in seen.append(key) }
        #expect(seen == [0, 1])
    }

    // MARK: What does not decode

    @Test func aValueThatDoesNotDecode() throws {
        let songs = try scene.open().table("songs", key: String.self, value: Song.self, codec: .json)
        try songs.put(Self.sunshine, for: "katrina")
        try songs.space.put("no json", for: "bad".keyBytes)
        for error in [failure { try songs.get("bad") }, failure { try songs.multiGet(["bad"]) }, failure { try songs.entries() }] {
            #expect(error?.code == .codec)
            #expect(error?.message.contains("table 'songs'") == true)
            #expect(error?.cause is CodecError)
            #expect(error?.description.contains("no json") == false)
        }
        // A cursor leads past it.
        var cursor = try songs.makeCursor()
        #expect(code { try cursor.next()?.value } == .codec)
        let next = try cursor.next()
        #expect(next?.key == "katrina" && next?.value == Self.sunshine)
        // Keys are read without values.
        #expect(try songs.keys() == ["bad", "katrina"])
    }

    @Test func aKeyThatDoesNotDecode() throws {
        let numbers = try scene.open().table("numbers", key: Int.self, value: String.self, codec: .utf8)
        try numbers.space.put("value", for: [0x02, 0x41, 0x00])
        for error in [failure { try numbers.keys() }, failure { try numbers.entries() }] {
            #expect(error?.code == .codec)
            #expect(error?.message.contains("decoding a key of table 'numbers'") == true)
        }
        #expect(try numbers.count() == 1)
    }

    @Test func codecsThatSeeTheKey() throws {
        let codec = ValueCodec<String, Int>.custom(
            encode: { key, value in Array((key == "hex" ? String(value, radix: 16) : "\(value)").utf8) },
            decode: { key, bytes in Int(try String(copying: bytes), radix: key == "hex" ? 16 : 10) ?? -1 }
        )
        let table = try scene.open().table("mixed", keys: .ordered, values: codec)
        try table.put(255, for: "hex")
        try table.put(255, for: "plain")
        #expect(try table.entries().map(\.value) == [255, 255])
        #expect(try table.space.entries().map(\.value) == [Array("ff".utf8), Array("255".utf8)])
    }

    @Test func onAFrozenView() throws {
        do { try scene.open().table("songs", key: String.self, value: Song.self, codec: .json).put(Self.sunshine, for: "katrina") }
        let view = try RocksDB(path: scene.path, mode: .readOnly)
        #expect(try view.table("songs", key: String.self, value: Song.self, codec: .json).get("katrina") == Self.sunshine)
        #expect(code { try view.table("none", key: String.self, value: Song.self, codec: .json) } == .columnFamilyNotFound)
    }

    @Test func inAnExistingColumnFamily() throws {
        let family = try scene.open().createColumnFamily("down", options: .init(comparator: .reverseBytewise))
        let table = family.table(key: Int.self, value: String.self, codec: .utf8)
        for number in 0..<3 { try table.put("\(number)", for: number) }
        #expect(try table.keys() == [2, 1, 0])
    }
}
