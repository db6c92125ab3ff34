import CairnCDB
import CairnTestSupport
import Foundation
import Testing

struct WriterTests {
    @Test func putModes() throws {
        let scene = try Scene()
        let pairs = [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4"), ("a", "5"), ("b", "6")]
        func make(_ mode: CDBWriter.PutMode) throws -> (found: [Bool], pairs: [String]) {
            let writer = try CDBWriter(path: scene.path(), durability: .none)
            let found = try pairs.map { try writer.put($1, for: $0, mode) }
            #expect(try writer.contains("a") && !writer.contains("x"))
            try writer.finish()
            try scene.reader().verify()
            return (found, try scene.reader().pairTexts())
        }
        let wasThere = [false, false, true, false, true, true]
        #expect(try make(.add) == ([false, false, false, false, false, false], ["a=1", "b=2", "a=3", "c=4", "a=5", "b=6"]))
        #expect(try make(.warn) == (wasThere, ["a=1", "b=2", "a=3", "c=4", "a=5", "b=6"]))
        #expect(try make(.insert) == (wasThere, ["a=1", "b=2", "c=4"]))
        #expect(try make(.replace) == (wasThere, ["c=4", "a=5", "b=6"]))
        let filled = try make(.zeroFill)
        #expect(filled.found == wasThere)
        #expect(filled.pairs == ["=\0\0", "=\0\0", "=\0\0", "c=4", "a=5", "b=6"])
        #expect(try scene.reader().get("a", as: String.self) == "5" && !scene.reader().contains(""))
    }

    @Test func replacingRemovesAllOfAKey() throws {
        let scene = try Scene()
        let writer = try CDBWriter(path: scene.path())
        for number in 0..<5 { try writer.put("\(number)", for: "a") }
        try writer.put("other", for: "b")
        #expect(writer.count == 6)
        try writer.put("last", for: "a", .replace)
        #expect(writer.count == 2)
        try writer.finish()
        #expect(try scene.reader().pairTexts() == ["b=other", "a=last"])
        #expect(try scene.bytes() == scene.make([("b", "other"), ("a", "last")], "same.cdb"))
    }

    /// Every mode against a model, with records of all sizes, in every dialect.
    @Test(arguments: CDBDialect.allCases) func modesMixedAtRandom(dialect: CDBDialect) async throws {
        try await withSeeds("put modes", count: Thorough.count(4, of: 12)) { random in
            let scene = try Scene()
            let writer = try CDBWriter(path: scene.path(), dialect: dialect, durability: .none)
            var model: [(key: String, value: [UInt8])] = []
            for _ in 0..<400 {
                let key = "key \(random.int(in: 0..<60))"
                let value = random.bytes(random.oneIn(20) ? random.int(in: 0..<300_000) : random.int(in: 0..<40))
                let mode = random.pick([CDBWriter.PutMode.add, .insert, .replace, .warn])
                let wasThere = model.contains { $0.key == key }
                #expect(try writer.put(value, for: key, mode) == (mode == .add ? false : wasThere))
                if mode == .replace { model.removeAll { $0.key == key } }
                if mode != .insert || !wasThere { model.append((key, value)) }
            }
            #expect(writer.count == model.count)
            let size = writer.byteCount
            try writer.finish()
            let reader = try scene.reader("db.cdb", .mapped, dialect)
            #expect(reader.byteCount == size)
            try reader.verify()
            let entries = try reader.entries()
            #expect(entries.map(\.key) == model.map { Array($0.key.utf8) } && entries.map(\.value) == model.map(\.value))
            for key in Set(model.map(\.key)) {
                #expect(try reader.values(for: key) == model.filter { $0.key == key }.map(\.value))
            }
        }
    }

    /// Each replacement costs as much as any other: 1,000 of them write no more than the file a few times.
    @Test func replacingIsNotPaidWithTheFile() throws {
        let scene = try Scene()
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let writer = try scene.writer(through: disk)
        let value = [UInt8](repeating: 1, count: 1_000)
        for number in 0..<2_000 { try writer.put(value, for: "key \(number % 1_000)", .replace) }
        try writer.finish()
        let written = disk.trace.filter { $0.hasPrefix("pwrite") }.map { Int($0.split(separator: "+").last!)! }.reduce(0, +)
        // 2 MB were put; 1 MB is left, and is moved once or twice.
        #expect(written < 6_000_000)
        #expect(try scene.reader().count == 1_000)
    }

    @Test func theLimitIsToldBeforeAnythingIsWrittenPastIt() throws {
        let scene = try Scene()
        let writer = try CDBWriter(
            path: scene.path(),
            dialect: .standard,
            durability: .none,
            mode: nil,
            limit: 2048 + 3 * (24 + 10),
            fileSystem: .system
        )
        try writer.put("12345", for: "key 1")
        try writer.put("12345", for: "key 2")
        #expect(code { try writer.put("123456", for: "key 3") } == .tooLarge)
        try writer.put("12345", for: "key 3")
        let error = try #require(failure { try writer.put("", for: "") })
        #expect(error.code == .tooLarge && error.message.contains(scene.path()) && error.userData == nil)
        // A replacement needs no more room than it frees.
        #expect(try writer.put("54321", for: "key 1", .replace))
        #expect(code { try writer.put("too long", for: "key 2", .replace) } == .tooLarge)
        try writer.finish()
        #expect(try scene.reader().pairTexts() == ["key 2=12345", "key 3=12345", "key 1=54321"])
        #expect(try scene.bytes().count == 2048 + 3 * 34)
    }

    /// A value of 4 GiB that takes no memory: pages that were never touched.
    @Test func fourGibibytesAreRefusedByTheStandardLayout() throws {
        let scene = try Scene()
        let file = try File(scene.path("sparse"), [.read, .write, .create])
        try file.truncate(to: 1 << 32)
        let value = try MappedRegion(reading: file)
        let writer = try CDBWriter(path: scene.path())
        #expect(code { try writer.put(value, for: "a") } == .tooLarge)
        try writer.put("1", for: "a")
        try writer.finish()
        #expect(try scene.reader().pairTexts() == ["a=1"])
    }

    @Test func equalInputGivesEqualBytes() async throws {
        try await withSeeds("equal bytes", count: 3) { random in
            let scene = try Scene()
            let pairs = (0..<3_000).map { _ in ("\(random.int(in: 0..<2_000))", String(repeating: "x", count: random.int(in: 0..<50))) }
            for mode in CDBWriter.PutMode.allCases {
                #expect(try scene.make(pairs, "a.cdb", mode) == scene.make(pairs, "b.cdb", mode))
            }
        }
    }

    @Test func nothingIsThereBeforeFinish() throws {
        let scene = try Scene()
        try scene.make([("a", "old")])
        let writer = try CDBWriter(path: scene.path())
        try writer.put("new", for: "a")
        #expect(try scene.reader().get("a", as: String.self) == "old")
        try writer.finish()
        #expect(try scene.reader().get("a", as: String.self) == "new" && scene.names() == ["db.cdb"])
    }

    @Test func cancelledAndForgottenWritersLeaveNothing() throws {
        let scene = try Scene()
        let writer = try CDBWriter(path: scene.path())
        try writer.put("1", for: "a")
        writer.cancel()
        #expect(code { try writer.put("1", for: "b") } == .closed)
        #expect(code { try writer.finish() } == .closed)
        #expect(code { try writer.contains("a") } == .closed)
        _ = try CDBWriter(path: scene.path()).put([UInt8](repeating: 0, count: 1 << 20), for: "a")
        #expect(try scene.names().isEmpty)
        let finished = try CDBWriter(path: scene.path())
        try finished.finish()
        #expect(code { try finished.finish() } == .closed)
        #expect(code { try CDBWriter(path: scene.path("no/where.cdb")) } == .notFound)
        #expect(failure { try CDBWriter(path: "") }?.message == "could not replace ''; the path is empty")
    }

    @Test func parallelWritersDoNotDisturbEachOther() async throws {
        let scene = try Scene()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    #expect(throws: Never.self) {
                        let pairs = (0..<2_000).map { ("key \($0)", "writer \(writer)") }
                        try scene.make(pairs)
                        let reader = try scene.reader()
                        try reader.verify()
                        #expect(try Set(reader.entries(as: (String.self, String.self)).map(\.value)).count == 1)
                    }
                }
            }
        }
        #expect(try scene.names() == ["db.cdb"])
        #expect(try scene.reader().count == 2_000)
    }

    /// Pending writes stay pending.
    @Test func lookingForKeysWritesNothing() throws {
        let scene = try Scene()
        let disk = try FaultInjectingFileSystem(scene.directory.path)
        let writer = try scene.writer(through: disk)
        let value = [UInt8](repeating: 1, count: 1_000)
        for number in 0..<1_000 { try writer.put(value, for: "key \(number)") }
        disk.reset()
        for number in 0..<1_000 { #expect(try writer.put("new", for: "key \(number)", .insert)) }
        #expect(!disk.trace.contains { $0.hasPrefix("pwrite") })
        try writer.finish()
        #expect(try scene.reader().count == 1_000 && scene.reader().get("key 7") == value)
    }

    @Test func symbolicLinksAreReplaced() throws {
        let scene = try Scene()
        try scene.make([("a", "1")], "target.cdb")
        try FileManager.default.createSymbolicLink(atPath: scene.path(), withDestinationPath: scene.path("target.cdb"))
        try scene.make([("a", "2")])
        #expect(try scene.reader().pairTexts() == ["a=2"] && scene.reader("target.cdb").pairTexts() == ["a=1"])
    }

    @Test func theModeIsKept() throws {
        let scene = try Scene()
        let writer = try CDBWriter(path: scene.path(), mode: 0o640)
        try writer.finish()
        #expect(try FileSystem.system.stat(scene.path()).mode == 0o640)
        try scene.make([("a", "1")])
        #expect(try FileSystem.system.stat(scene.path()).mode == 0o640)
    }

    @Test func whatIsSyncedAndWhen() throws {
        let scene = try Scene()
        func trace(_ durability: Durability) throws -> [String] {
            let disk = try FaultInjectingFileSystem(scene.directory.path)
            let writer = try CDBWriter(
                path: scene.path(),
                dialect: .standard,
                durability: durability,
                mode: 0o600,
                limit: nil,
                fileSystem: disk.fileSystem
            )
            try writer.put("1", for: "a")
            try writer.finish()
            return disk.trace.filter { !$0.hasPrefix("pwrite") && !$0.hasPrefix("stat") }
        }
        // The first of this process here looks for what dead writers left; the second open is for the lock.
        try scene.make([("a", "0")])
        let begin = ["open .cairn-*.tmp", "open .cairn-*.tmp", "lock .cairn-*.tmp", "fstat .cairn-*.tmp", "fchmod .cairn-*.tmp"]
        let rename = ["close .cairn-*.tmp", "rename .cairn-*.tmp db.cdb", "close .cairn-*.tmp"]
        #expect(try trace(.none) == begin + rename)
        #expect(try trace(.buffered) == begin + ["fsync .cairn-*.tmp"] + rename)
        #expect(try trace(.synced) == begin + ["fsync .cairn-*.tmp"] + rename + ["open .", "fsync .", "close ."])
    }

    /// A wide file, and look-ups whose hashes are known: those of the two programs that the dialects come from.
    @Test func dialectsDifferAsTheirProgramsDo() throws {
        let scene = try Scene()
        let key = "a key that is long enough for more than 32 bits of hash"
        let hash = key.utf8.reduce(UInt64(5381)) { ($0 &* 33) ^ UInt64($1) }
        for (dialect, expected) in [(CDBDialect.go64, hash), (.python64, hash & 0xFFFF_FFFF)] {
            let bytes = try scene.make([(key, "1")], dialect: dialect)
            #expect(bytes.count == 4096 + 16 + key.utf8.count + 1 + 32)
            func number(_ offset: Int) -> UInt64 { (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) } }
            let entry = Int(expected & 0xFF) * 16
            let table = Int(number(entry))
            #expect(number(entry + 8) == 2 && table == bytes.count - 32)
            let slot = table + Int((expected >> 8) % 2) * 16
            #expect(number(slot) == expected && number(slot + 8) == 4096)
        }
    }

    /// Every record takes the first empty slot from that of its hash on, also among very many records with one key.
    @Test(arguments: [CDBDialect.standard, .python64]) func slotsOfKeysWithManyValues(dialect: CDBDialect) async throws {
        try await withSeeds("keys with many values", count: Thorough.count(2, of: 10)) { random in
            let keys = (0..<random.int(in: 1..<40)).map { "key \($0)" }
            let records = (0..<random.int(in: 500..<3000)).map { (random.oneIn(3) ? random.pick(keys) : keys[0], "\($0)") }
            let bytes = try Scene().make(records, dialect: dialect)
            let width = dialect == .standard ? 4 : 8
            func number(_ offset: Int) -> Int { (0..<width).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) } }
            var tables = (0..<256).map { [[Int]](repeating: [0, 0], count: number($0 * 2 * width + width)) }
            var position = 512 * width
            for (key, value) in records {
                let hash = key.utf8.reduce(5381 as UInt32) { ($0 &+ $0 << 5) ^ UInt32($1) }
                let table = Int(hash & 0xFF)
                var slot = Int(hash >> 8) % tables[table].count
                while tables[table][slot] != [0, 0] { slot = (slot + 1) % tables[table].count }
                tables[table][slot] = [Int(hash), position]
                position += 2 * width + key.utf8.count + value.utf8.count
            }
            for (table, slots) in tables.enumerated() {
                let start = number(table * 2 * width)
                let found = slots.indices.map { [number(start + 2 * width * $0), number(start + 2 * width * $0 + width)] }
                #expect(found == slots, "table \(table)")
            }
        }
    }
}
