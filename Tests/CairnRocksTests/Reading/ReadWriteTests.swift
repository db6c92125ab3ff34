import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct ReadWriteTests {
    let scene = try! Scene()

    @Test func putGetDelete() throws {
        let db = try RocksDB(
            path: scene.path,
            options: .init(createIfMissing: true),
            readOptions: ReadOptions(verifyChecksums: true, fillCache: true),
            writeOptions: .synced
        )
        for number in 1...3 { try db.put("value \(number)", for: "key \(number)") }
        #expect(try (1...3).map { try db.text("key \($0)") } == ["value 1", "value 2", "value 3"])
        try db.delete("key 2")
        #expect(try db.get("key 2") == nil)
        try db.delete("key 2")
        #expect(try db.pairTexts() == ["key 1=value 1", "key 3=value 3"])
    }

    @Test func aPutReplaces() throws {
        let db = try scene.open()
        try db.put("a longer value", for: "a")
        try db.put("1", for: "a")
        try db.flush()
        #expect(try db.text("a") == "1")
        try db.put("", for: "a")
        #expect(try db.get("a") == [])
        #expect(try db.count() == 1)
    }

    @Test func anySourceAnyResult() throws {
        let db = try scene.open()
        let bytes: [UInt8] = [0, 255, 128, 10]
        try db.put(bytes, for: "bytes")
        try db.put(Data(bytes), for: Data("data".utf8))
        try db.put(bytes[1...2], for: "slice".utf8.map { $0 })
        try db.put("text".dropFirst(), for: "substring" as StaticString)
        try db.put(bytes.span, for: "span")
        #expect(try db.get("bytes") == bytes)
        #expect(try db.get("data", as: Data.self) == Data(bytes))
        #expect(try db.get(Array("slice".utf8)) == [255, 128])
        #expect(try db.get("substring") == "ext")
        #expect(try db.get("span".utf8.map { $0 }[...]) == bytes)
        // Bytes that are not valid text are refused, never repaired.
        let error = failure { try db.get("bytes", as: String.self) }
        #expect(error?.code == .codec)
        #expect((error?.cause as? CodecError)?.code == .invalidText)
    }

    @Test func emptyKeysAndValues() throws {
        let db = try scene.open()
        #expect(try db.get("") == nil)
        try db.put("", for: "")
        try db.put("", for: "a")
        try db.put("x", for: [0])
        for _ in 0..<2 {
            #expect(try db.get("") == [])
            #expect(try db.contains("") && !db.contains("b"))
            #expect(try db.withValue(for: "") { $0.byteCount } == 0)
            #expect(try db.withValue(for: "b") { $0.byteCount } == nil)
            #expect(try db.keyMayExist(""))
            #expect(try db.keys() == [[], [0], [97]])
            #expect(try db.multiGet(["", "a", "b"]) == [[], [], nil])
            try db.flush()
        }
        try db.delete("")
        #expect(try db.get("") == nil)
        try db.deleteRange(from: "", to: "b")
        #expect(try db.keys().isEmpty)
    }

    @Test func largeKeysAndValues() throws {
        let db = try scene.open()
        let key = [UInt8](repeating: 7, count: 1 << 20), value = [UInt8](repeating: 9, count: 16 << 20)
        try db.put(value, for: key)
        for _ in 0..<2 {
            #expect(try db.get(key) == value)
            #expect(try db.withValue(for: key) { $0.byteCount } == value.count)
            #expect(try db.multiGet([key]) == [value])
            #expect(try db.keys(.prefix(key)) == [key])
            #expect(try db.keys(.all.reversed) == [key])
            try db.flush()
        }
        #expect(try db.get(key + [0]) == nil)
        try db.write { $0.put("", for: key) }
        #expect(try db.get(key) == [])
    }

    @Test func lentValues() throws {
        let db = try scene.open()
        try db.put("value", for: "a")
        #expect(try db.withValue(for: "a") { try String(copying: $0) } == "value")
        struct Own: Error {}
        #expect(throws: Own.self) { try db.withValue(for: "a") { _ in throw Own() } }
        // Other calls, and other loans, are possible meanwhile.
        let nested = try db.withValue(for: "a") { first in
            try db.put("changed", for: "a")
            return try db.withValue(for: "a") { second in [first.byteCount, second.byteCount] }
        }
        #expect(nested == [5, 7])
        try db.close()
    }

    @Test func deletingRanges() throws {
        let db = try scene.open()
        try db.fill("a", "b", "c", "d")
        try db.flush()
        try db.deleteRange(from: "b", to: "d")
        #expect(try db.keyTexts() == ["a", "d"])
        try db.deleteRange(from: "a", to: "a")
        #expect(try db.keyTexts() == ["a", "d"])
        try db.put("again", for: "c")
        #expect(try db.pairTexts(.from("b")) == ["c=again", "d=d"])
    }

    /// Where RocksDB stops all writes for good and cannot open the database again.
    @Test func anInvertedRangeIsRefusedAndDoesNoHarm() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        #expect(code { try db.deleteRange(from: "b", to: "a") } == .invalidArgument)
        #expect(code { try db.deleteRange(from: "a", to: "") } == .invalidArgument)
        #expect(code { try db.write { $0.deleteRange(from: "b", to: "a") } } == .invalidArgument)
        #expect(
            code {
                try db.write {
                    $0.put("1", for: "c"); $0.deleteRange(from: "b", to: "a")
                }
            } == .invalidArgument
        )
        try db.fill("d")
        try db.close()
        #expect(try scene.open().keyTexts() == ["a", "b", "d"])
    }

    @Test func aMergeWithoutOperatorIsRefusedAndDoesNoHarm() throws {
        let db = try scene.open()
        #expect(code { try db.merge("1", for: "a") } == .notSupported)
        #expect(
            code {
                try db.write {
                    $0.put("1", for: "c"); $0.merge("1", for: "a")
                }
            } == .notSupported
        )
        // A batch that is made for whichever database finds out when it is written.
        let batch = WriteBatch()
        batch.put("1", for: "c")
        batch.merge("1", for: "a")
        #expect(batch.failure == nil)
        #expect(code { try db.write(batch) } == .notSupported)
        try db.fill("d")
        try db.close()
        #expect(try scene.open().keyTexts() == ["d"])
    }

    @Test func singleDeletes() throws {
        let db = try scene.open()
        try db.fill("a", "b")
        try db.flush()
        try db.singleDelete("a")
        try db.singleDelete("missing")
        #expect(try db.keyTexts() == ["b"])
        try db.flush()
        #expect(try db.keyTexts() == ["b"])
    }

    /// Where RocksDB, by default, cannot write files any more, nor open the database again.
    @Test func misusedSingleDeletesDoNoHarm() throws {
        var families = ColumnFamilyOptions()
        families.mergeOperator = try MergeOperator(named: "stringappend")
        for flushes in [true, false] {
            let db = try scene.open(families)
            for key in ["a", "b", "c"] { try db.fill(key) }
            try db.delete("a")
            try db.singleDelete("a")
            try db.singleDelete("b")
            try db.delete("b")
            try db.merge("1", for: "c")
            try db.singleDelete("c")
            try db.fill("d")
            if flushes { try db.flush() }
            try db.close()
            #expect(try scene.open(families).text("d") == "d")
        }
    }

    @Test func keyMayExist() throws {
        let db = try scene.open()
        try db.fill("a")
        #expect(try db.keyMayExist("a"))
        #expect(try !db.keyMayExist("b"))
        try db.delete("a")
        #expect(try !db.keyMayExist("a"))
    }

    @Test func sequenceNumbersCountWrites() throws {
        let db = try scene.open()
        #expect(try db.latestSequenceNumber() == 0)
        try db.fill("a", "b")
        try db.delete("a")
        try db.write { batch in for number in 0..<5 { batch.put("1", for: "\(number)") } }
        #expect(try db.latestSequenceNumber() == 8)
    }
}
