import CairnCDB
import CairnTestSupport
import Foundation
import Testing

struct ReaderTests {
    private static let ways: [(CDBReader.Access, CDBDialect)] = CDBDialect.allCases.flatMap { [(.mapped, $0), (.positioned, $0)] }

    @Test(arguments: 0..<6) func filesOfOtherFormatsAreRefused(way: Int) throws {
        let (access, dialect) = Self.ways[way]
        let scene = try Scene()
        for (mark, phrase) in [("CairnMap", "a mapped store"), ("SQLite format 3\0", "an SQLite database")] {
            let bytes = Array(mark.utf8) + [UInt8](repeating: 0, count: 8_192)
            try scene.write(bytes)
            let error = #expect(throws: CDBError.self) { try scene.reader("db.cdb", access, dialect) }
            #expect(
                error?.code == .foreignFile && error?.message == "could not open \(scene.path()): it is \(phrase), not a constant database"
            )
            #expect(#expect(throws: CDBError.self) { try CDBReader(bytes: bytes, dialect: dialect) }?.code == .foreignFile)
        }
    }

    @Test(arguments: 0..<6) func everyVerbInEveryWay(way: Int) throws {
        let (access, dialect) = Self.ways[way]
        let scene = try Scene()
        try scene.make([("a", "1"), ("", "empty key"), ("b", ""), ("a", "2"), ("a", "3"), ("c", "Å")], dialect: dialect)
        let reader = try scene.reader("db.cdb", access, dialect)

        #expect(try reader.get("a") == Array("1".utf8))
        #expect(try reader.get("a", as: String.self) == "1")
        #expect(try reader.get("", as: String.self) == "empty key")
        #expect(try reader.get("b") == [])
        #expect(try reader.get("x") == nil && reader.get("aa") == nil)
        #expect(try reader.contains("b") && !reader.contains("x"))
        #expect(try reader.withValue(for: "c") { $0.byteCount } == 2)
        #expect(try reader.withValue(for: "x") { $0.byteCount } == nil)

        #expect(try reader.values(for: "a", as: String.self) == ["1", "2", "3"])
        #expect(try reader.values(for: "x").isEmpty)
        #expect(try reader.valueCount(for: "a") == 3 && reader.valueCount(for: "x") == 0)
        #expect(try reader.get("a", at: 2) == Array("3".utf8))
        #expect(try reader.get("a", at: 3) == nil && reader.get("a", at: -1) == nil)
        var sizes: [Int] = []
        try reader.forEachValue(of: "a") { sizes.append($0.byteCount) }
        #expect(sizes == [1, 1, 1])

        let pairs = ["a=1", "=empty key", "b=", "a=2", "a=3", "c=Å"]
        #expect(try reader.pairTexts() == pairs)
        #expect(try reader.keys(as: String.self) == ["a", "", "b", "a", "a", "c"])
        #expect(try reader.keys().count == 6 && reader.count == 6)
        var lent: [String] = []
        try reader.forEach { lent.append("\(try String(copying: $0))=\(try String(copying: $1))") }
        #expect(lent == pairs)
        var keys: [Int] = []
        try reader.forEachKey { keys.append($0.byteCount) }
        #expect(keys == [1, 0, 1, 1, 1, 1])

        #expect(try reader.multiGet(["c", "x", "a", ""], as: String.self) == ["Å", nil, "1", "empty key"])
        #expect(try reader.multiGet(["b", "nope"]) == [[], nil])
        var seen: [String] = []
        try reader.withValues(for: ["a", "x", "b"]) { index, value in seen.append("\(index):\(value?.byteCount ?? -1)") }
        #expect(seen == ["0:1", "1:-1", "2:0"])
        try reader.verify()
        #expect(try reader.statistics().recordCount == 6)
    }

    /// Keys of one length and one hash, in 32 and in 64 bits, of which only some are there.
    @Test(arguments: 0..<6) func keysOfOneHash(way: Int) throws {
        let (access, dialect) = Self.ways[way]
        func hash(_ key: [UInt8]) -> UInt64 { key.reduce(5381) { ($0 &* 33) ^ UInt64($1) } }
        let all = (0..<UInt8(128)).flatMap { first in (0..<UInt8(128)).map { [first, $0] } }
        let groups = Dictionary(grouping: all, by: hash).values.filter { $0.count > 1 }
            .map { $0.sorted { $0[0] < $1[0] } }.sorted { $0[0].lexicographicallyPrecedes($1[0]) }
        #expect(groups.count > 1_000)
        let scene = try Scene()
        let writer = try CDBWriter(path: scene.path(), dialect: dialect, durability: .none)
        // A long beginning, so that more than one word is compared.
        let start = Array("the same in all of them ".utf8)
        for keys in groups.prefix(20) { try writer.put("first", for: keys[0] + start) }
        for keys in groups.suffix(20) { try writer.put("last", for: keys[keys.count - 1]) }
        try writer.finish()
        let reader = try scene.reader("db.cdb", access, dialect)
        for keys in groups.prefix(20) {
            #expect(try reader.get(keys[0] + start, as: String.self) == "first")
            for other in keys.dropFirst() {
                let key = other + start
                #expect(hash(key) == hash(keys[0] + start))
                #expect(try reader.get(key) == nil && !reader.contains(key) && reader.valueCount(for: key) == 0, "\(keys)")
                #expect(try reader.values(for: key).isEmpty && reader.multiGet([key, keys[0] + start]) == [nil, Array("first".utf8)])
            }
        }
        for keys in groups.suffix(20) {
            #expect(try reader.get(keys[keys.count - 1], as: String.self) == "last")
            #expect(try keys.dropLast().allSatisfy { try reader.get($0) == nil }, "\(keys)")
        }
    }

    @Test func cursorsEndAndStayAtTheEnd() throws {
        let scene = try Scene()
        try scene.make([("a", "1"), ("b", "2")])
        var cursor = try scene.reader().makeCursor()
        #expect(try cursor.next()?.key(as: String.self) == "a")
        #expect(try cursor.next()?.value(as: String.self) == "2")
        let isAtEnd = try cursor.next() == nil
        let staysThere = try cursor.next() == nil
        #expect(isAtEnd && staysThere)
    }

    @Test func errorsOfBodiesPass() throws {
        struct Stop: Error, Equatable {}
        let scene = try Scene()
        try scene.make([("a", "1"), ("a", "2")])
        for access in [CDBReader.Access.mapped, .positioned] {
            let reader = try scene.reader("db.cdb", access)
            var calls = 0
            #expect(throws: Stop()) { try reader.withValue(for: "a") { _ in throw Stop() } }
            #expect(throws: Stop()) {
                try reader.forEach { _, _ in
                    calls += 1; throw Stop()
                }
            }
            #expect(throws: Stop()) {
                try reader.forEachValue(of: "a") { _ in
                    calls += 1; throw Stop()
                }
            }
            #expect(throws: Stop()) {
                try reader.withValues(for: ["a", "a"]) { _, _ in
                    calls += 1; throw Stop()
                }
            }
            #expect(calls == 3)
        }
    }

    @Test func textThatIsNotUTF8IsRefused() throws {
        let scene = try Scene()
        let writer = try CDBWriter(path: scene.path())
        try writer.put([0xFF], for: "a")
        try writer.finish()
        let reader = try scene.reader()
        #expect(code { try reader.get("a", as: String.self) } == .codec)
        #expect(code { try reader.values(for: "a", as: String.self) } == .codec)
        #expect(code { try reader.multiGet(["a"], as: String.self) } == .codec)
        #expect(code { try reader.entries(as: (String.self, String.self)) } == .codec)
    }

    @Test func bytesInMemoryReadAsAFileDoes() throws {
        let scene = try Scene()
        let bytes = try scene.make([("a", "1"), ("b", "2")])
        let reader = try CDBReader(bytes: bytes)
        #expect(try reader.pairTexts() == ["a=1", "b=2"])
        #expect(try CDBReader(bytes: Data(bytes)).get("b", as: String.self) == "2")
        #expect(reader.byteCount.bytes == Int64(bytes.count))
    }

    @Test func lentValuesAreTheFilesOwnMemory() throws {
        let scene = try Scene()
        try scene.make([("a", "12345")])
        let reader = try scene.reader()
        let value = try reader.lentValue(for: "a")
        #expect(value?.byteCount == 5)
        let isMissing = try reader.lentValue(for: "b") == nil
        #expect(isMissing)
        let positioned = try scene.reader("db.cdb", .positioned)
        #expect(failure { try positioned.lentValue(for: "a")?.byteCount }?.code == .notSupported)
    }

    @Test func aReaderKeepsItsFileWhenAnotherTakesItsPlace() throws {
        let scene = try Scene()
        try scene.make([("a", "old")])
        let mapped = try scene.reader()
        let positioned = try scene.reader("db.cdb", .positioned)
        try scene.make([("a", "new")])
        #expect(try mapped.get("a", as: String.self) == "old" && positioned.get("a", as: String.self) == "old")
        #expect(try scene.reader().get("a", as: String.self) == "new")
    }

    @Test func openingTellsWhatIsWrong() throws {
        let scene = try Scene()
        #expect(code { try scene.reader("missing.cdb") } == .notFound)
        try scene.write([UInt8](repeating: 0, count: 2047), "short.cdb")
        for access in [CDBReader.Access.mapped, .positioned] {
            let error = try #require(failure { try scene.reader("short.cdb", access) })
            #expect(error.code == .corruption && error.message.contains("2047") && error.message.contains("short.cdb"))
        }
        #expect(code { try CDBReader(bytes: [UInt8]()) } == .corruption)
        try scene.write([], "empty.cdb")
        #expect(code { try scene.reader("empty.cdb") } == .corruption)
        for access in [CDBReader.Access.mapped, .positioned] {
            #expect(code { try CDBReader(path: scene.directory.path, access: access) } == .isDirectory)
        }
        #expect(code { try CDBWriter(path: scene.directory.path) } == .isDirectory)
        #expect(code { try scene.reader("short.cdb/db.cdb") } == .notADirectory)
        try scene.make([("a", "1")])
        #expect(code { try scene.reader("db.cdb", .mapped, .go64) } == .corruption)
    }

    @Test func openingReadsTheHeaderOnly() throws {
        let scene = try Scene()
        try scene.make((0..<5_000).map { ("key \($0)", String(repeating: "v", count: 100)) })
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        _ = try CDBReader(path: scene.path(), access: .positioned, dialect: .standard, fileSystem: disk.fileSystem)
        #expect(disk.trace.filter { $0.hasPrefix("pread") } == ["pread db.cdb 0+2048"])
        disk.reset()
        _ = try CDBReader(path: scene.path(), access: .mapped, dialect: .standard, fileSystem: disk.fileSystem)
        #expect(!disk.trace.contains { $0.hasPrefix("pread") })
    }

    @Test func positionedReadsNeedTwoCallsAndTheValue() throws {
        let scene = try Scene()
        try scene.make((0..<100).map { ("key \($0)", "value") })
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let reader = try CDBReader(path: scene.path(), access: .positioned, dialect: .standard, fileSystem: disk.fileSystem)
        disk.reset()
        #expect(try reader.get("key 50", as: String.self) == "value")
        #expect(disk.trace.count { $0.hasPrefix("pread") } <= 4)
        disk.inject(.always(.fail(5), of: [.pread]))
        #expect(code { try reader.get("key 50") } == .ioError)
        #expect(code { try reader.count } == .ioError)
    }

    /// A cursor that could not read stays where it was.
    @Test func cursorsSkipNothingAfterAFailure() throws {
        let scene = try Scene()
        let large = String(repeating: "v", count: 200_000)
        try scene.make([("a", large), ("b", "2"), ("c", large)])
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let reader = try CDBReader(path: scene.path(), access: .positioned, dialect: .standard, fileSystem: disk.fileSystem)
        for number in 1...20 {
            disk.reset()
            disk.inject(Fault(.fail(5), at: number, of: [.pread]))
            var cursor = reader.makeCursor()
            // Each record, and the end, and once a failure.
            let steps = try (0..<5).map { _ in try Self.step(&cursor) }
            #expect(steps.filter { $0 != "failure" }.prefix(4) == ["a", "b", "c", "end"], "read \(number)")
        }
    }

    private static func step(_ cursor: inout CDBCursor) throws -> String {
        do {
            guard let entry = try cursor.next() else { return "end" }
            return try entry.key(as: String.self)
        } catch  where error.code == .ioError {
            return "failure"
        }
    }

    /// Large enough for several groups of a batch, with duplicates and keys that are not there.
    @Test(arguments: CDBDialect.allCases) func batchesFindWhatSingleLookUpsFind(dialect: CDBDialect) async throws {
        try await withSeeds("batches", count: 5) { random in
            let scene = try Scene()
            let pairs = (0..<2_000).map { _ in ("k\(random.int(in: 0..<700))", "v\(random.int(in: 0..<1_000_000))") }
            try scene.make(pairs, dialect: dialect)
            let reader = try scene.reader("db.cdb", .mapped, dialect)
            let keys = (0..<random.int(in: 0..<500)).map { _ in "k\(random.int(in: 0..<1_000))" }
            #expect(try reader.multiGet(keys) == keys.map { try reader.get($0) })
        }
    }
}
