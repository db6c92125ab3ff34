import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// Whatever was done to a file, it is refused, or what is read is right.
@Suite struct SQLiteDamageTests {
    /// What a store has, with small and large values, some of them deleted again.
    private static func fill(_ engine: SQLiteEngine, _ committed: (EngineVersion) throws -> Void) throws {
        for round in 0..<6 {
            var commit = EngineCommit()
            for number in 0..<60 {
                commit.put(
                    String(repeating: "\(round) \(number) ", count: number % 7 == 0 ? 700 : number % 20),
                    for: "key \(number * 7 % 100)"
                )
            }
            commit.deleteRange(KeyRange(lowerBound: Array("key 2".utf8), upperBound: Array("key \(round + 20)".utf8)))
            try committed(engine.commit(commit))
        }
    }

    private struct Entry: Equatable {
        var key: [UInt8]
        var value: [UInt8]
    }

    private static func entries(_ view: any EngineView) throws(EngineError) -> [Entry] {
        try view.entries().map { Entry(key: $0.key, value: $0.value) }
    }

    /// Reads everything in every way, and returns whether that was possible. What is read must be what the store had at the version that it has.
    private static func isReadable(_ path: String, _ states: [EngineVersion: [Entry]], _ comment: String) -> Bool {
        do throws(EngineError) {
            var options = SQLiteEngineOptions()
            options.createIfMissing = false
            let engine = try SQLiteEngine(path: path, options: options)
            defer { try? engine.close() }
            let view = try engine.makeView()
            let expected = states[view.version]
            // Compared here, since values are long.
            var isRight = try entries(view) == expected
            isRight = try view.entries(reverse: true).map(\.key) == expected?.reversed().map(\.key) && isRight
            for entry in expected ?? [] { isRight = try view.get(entry.key) == entry.value && isRight }
            #expect(isRight, "\(comment): other data than that of version \(view.version)")
            return true
        } catch {
            let codes: [EngineError.Code] = [.corruption, .foreignFile, .notSupported, .notFound]
            #expect(codes.contains(error.code), "\(comment): \(error)")
            return false
        }
    }

    /// A store that was closed, or, as of a killed process, one with a log.
    private static func sample(_ scene: Scene, hasLog: Bool) throws -> [EngineVersion: [Entry]] {
        let engine = try scene.open()
        var states: [EngineVersion: [Entry]] = [EngineVersion(rawValue: 0): []]
        try fill(engine) { states[$0] = try entries(engine.makeView()) }
        if hasLog {
            try scene.write(scene.bytes(), to: "file")
            try scene.write(scene.bytes("store-wal"), to: "log")
        }
        try engine.close()
        if !hasLog { try scene.write(scene.bytes(), to: "file") }
        return states
    }

    /// Some places, ten times as many in a thorough run: each takes milliseconds.
    private static func places(_ count: Int, _ range: Range<Int>, _ random: inout SeededGenerator) -> [Int] {
        Array(range.shuffled(using: &random).prefix(Thorough.count(count, of: count * 10)))
    }

    /// Its first page was written, and the journal that undoes this was left.
    @Test func `a file whose creation was killed is created again`() throws {
        let scene = try Scene()
        for createsIfMissing in [false, true] {
            try scene.open().close()
            // The head of a journal: of no page, of a file that was empty before.
            var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
            for number in [0, 1, 0, 512, 8192] { journal += [0, 0, UInt8(number >> 8), UInt8(number & 255)] }
            try scene.write(journal + Array(repeating: 0, count: 512 - journal.count), to: "store-journal")
            guard createsIfMissing else {
                #expect(code { () throws(EngineError) in _ = try scene.open { $0.createIfMissing = false } } == .notFound)
                continue
            }
            let engine = try scene.open()
            #expect(engine.latestVersion == EngineVersion(rawValue: 0))
            for number in 0..<100 { try engine.put(String(repeating: "value", count: 100), "key \(number)") }
            try engine.close()
            let again = try scene.open()
            #expect(try again.makeView().entries().count == 100)
            try again.close()
            #expect(try scene.names() == ["store"])
        }
    }

    @Test func `changed bytes of a store are noticed`() async throws {
        let scene = try Scene()
        let states = try Self.sample(scene, hasLog: false)
        let path = scene.directory.path("damaged")
        let bytes = try scene.bytes("file")
        try scene.write(bytes, to: "damaged")
        let isReadable = Self.isReadable(path, states, "no change")
        #expect(isReadable)
        try await withSeeds("changed bytes", count: 1) { random in
            let head = Thorough.sample(60, of: 0..<100, using: &random)
            for offset in head + Self.places(600, 100..<bytes.count, &random) {
                var damaged = bytes
                damaged[offset] ^= UInt8(1 << random.int(in: 0..<8))
                try scene.write(damaged, to: "damaged")
                let isReadable = Self.isReadable(path, states, "byte \(offset)")
                #expect(!isReadable, "byte \(offset) was changed")
            }
        }
    }

    @Test func `a store that is cut is noticed`() async throws {
        let scene = try Scene()
        let states = try Self.sample(scene, hasLog: false)
        let bytes = try scene.bytes("file")
        try await withSeeds("cut stores", count: 1) { random in
            let pages = (0..<bytes.count / 8192).map { $0 * 8192 }
            // Without the end of its last page, all that SQLite uses of it is there.
            for size in Self.places(200, 0..<bytes.count, &random) + pages + (1...8).map({ bytes.count - $0 }) {
                try scene.write(bytes.prefix(size), to: "damaged")
                let isReadable = Self.isReadable(scene.directory.path("damaged"), states, "\(size) bytes")
                #expect(!isReadable, "\(size) bytes are left")
            }
        }
    }

    /// SQLite reads a log up to what is damaged: there may be fewer commits, but none in part, and none without those before.
    @Test func `a damaged log leaves whole commits`() async throws {
        let scene = try Scene()
        let states = try Self.sample(scene, hasLog: true)
        let path = scene.directory.path("damaged")
        let (file, log) = (try scene.bytes("file"), try scene.bytes("log"))
        #expect(log.count > 60_000)
        try await withSeeds("damaged logs", count: 1) { random in
            var counts = [false: 0, true: 0]
            for offset in Self.places(200, 0..<log.count, &random) {
                var damaged = log
                damaged[offset] ^= UInt8(1 << random.int(in: 0..<8))
                for log in [damaged, Array(log.prefix(offset))] {
                    try scene.write(file, to: "damaged")
                    try scene.write(log, to: "damaged-wal")
                    try? FileManager.default.removeItem(atPath: path + "-shm")
                    counts[Self.isReadable(path, states, "log at \(offset)"), default: 0] += 1
                }
            }
            #expect(counts[true, default: 0] > 100)
        }
    }

    @Test func `a log without its file is not thrown away`() throws {
        let scene = try Scene()
        _ = try Self.sample(scene, hasLog: true)
        let log = try scene.bytes("log")
        try scene.write([], to: "damaged")
        try scene.write(log, to: "damaged-wal")
        let path = scene.directory.path("damaged")
        for isEmpty in [true, false] {
            if !isEmpty { try FileManager.default.removeItem(atPath: path) }
            let names = try scene.names()
            for createsIfMissing in [true, false] {
                var options = SQLiteEngineOptions()
                options.createIfMissing = createsIfMissing
                let error = failure { () throws(EngineError) in _ = try SQLiteEngine(path: path, options: options) }
                #expect(error?.code == .corruption && error?.message.contains("without its file") == true, "\(String(describing: error))")
            }
            #expect(try scene.bytes("damaged-wal") == log && scene.names() == names)
        }
    }

    @Test func `nothing is left beside a file that is refused`() throws {
        let scene = try Scene()
        _ = try Self.sample(scene, hasLog: false)
        let whole = try scene.bytes("file")
        func damaged(_ place: Int) -> [UInt8] {
            var bytes = whole
            bytes.replaceSubrange(place..<place + 64, with: Array(repeating: 0xFF, count: 64))
            return bytes
        }
        // The pages after the first are those of the tables, in the order in which they were created.
        let (firstPage, commits) = (Array(whole.prefix(8192)), 8192)
        let files: [(name: String, bytes: [UInt8], code: EngineError.Code?)] = [
            ("nothing", [], .notFound), ("a byte", [0x53], .notFound), ("99 bytes", Array(whole.prefix(99)), .foreignFile),
            ("another head", Array(repeating: 0x41, count: 200) + whole.dropFirst(200), .foreignFile),
            // What is wrong with these depends on the first page that SQLite cannot use.
            ("a head", Array(whole.prefix(100)), nil), ("half a page", Array(whole.prefix(4096)), nil), ("one page", firstPage, nil),
            ("no schema", damaged(1000), nil), ("no version", damaged(commits + 8), nil),
        ]
        for item in FileManager.default.enumerator(atPath: scene.directory.path)?.compactMap({ $0 as? String }) ?? [] {
            try FileManager.default.removeItem(atPath: scene.directory.path(item))
        }
        for (name, bytes, code) in files {
            for isReadOnly in [true, false] {
                try scene.write(bytes)
                let error = failure { () throws(EngineError) in
                    _ = try scene.open {
                        $0.readOnly = isReadOnly
                        $0.createIfMissing = false
                    }
                }
                #expect(error != nil && code ?? error?.code == error?.code, "\(name), \(isReadOnly): \(String(describing: error))")
                let names = try scene.names()
                #expect(try names == ["store"] && scene.bytes() == bytes, "\(name), \(isReadOnly): \(names)")
            }
        }
    }

    /// As other programs of SQLite write them.
    @Test func `pages without a checksum are noticed`() throws {
        let scene = try Scene()
        try scene.open().close()
        try scene.sqlite("INSERT INTO entries VALUES (x'61', 7, x'62')")
        let error = failure { () throws(EngineError) in _ = try scene.open().get("a") }
        #expect(error?.code == .corruption)
        // No system call failed.
        let cause = try #require(error?.cause as? SQLiteError)
        #expect(cause.cause == nil)
    }

    /// Pages are checked when they are read from the file, entries also while their page is in the log.
    @Test func `entries without their checksum are noticed`() throws {
        let scene = try Scene()
        let engine = try scene.open()
        try engine.put("1", "a")
        try scene.sqlite("UPDATE entries SET value = x'32'", layer: "cairn")
        for reverse in [false, true] {
            #expect(code { () throws(EngineError) in _ = try engine.makeView().entries(reverse: reverse) } == .corruption)
        }
        let error = failure { () throws(EngineError) in _ = try engine.get("a") }
        #expect(
            error?.code == .corruption && error?.description.contains("[97]") == false && error?.fullDescription.contains("[97]") == true
        )
        try engine.put("2", "a")
        #expect(try engine.get("a") == "2")
        try engine.close()
    }

    /// An error of the file ends SQLite's transaction. What is read later is the same data, or an error.
    @Test func `a view is the same after a damaged page`() throws {
        let scene = try Scene()
        do {
            let engine = try scene.open()
            var commit = EngineCommit()
            for number in 0..<100 { commit.put(String(repeating: "value \(number) ", count: 300), for: "key \(number + 100)") }
            try engine.commit(commit)
            try engine.close()
        }
        var bytes = try scene.bytes()
        bytes[try #require(bytes.firstRange(of: Array("value 50 value 50".utf8))).lowerBound] ^= 1
        try scene.write(bytes)
        let engine = try scene.open()
        let view = try engine.makeView()
        let first = try view.text("key 100")
        #expect(code { () throws(EngineError) in _ = try view.get("key 150") } == .corruption)
        #expect(try first != nil && view.text("key 100") == first)
        #expect(code { () throws(EngineError) in _ = try view.get("key 150") } == .corruption)
        try engine.put("changed", "key 100")
        #expect(code { () throws(EngineError) in _ = try view.get("key 100") } == .expired)
        #expect(try engine.get("key 100") == "changed")
    }
}
