import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// A damaged database gives an error or the right data: never wrong data, never less, and never the end of the process.
struct DamageTests {
    static let rows = 400

    private static func key(_ row: Int) -> String { "key \(row + 10_000)" }
    private static func value(_ row: Int) -> [UInt8] { [UInt8](repeating: UInt8(row % 251), count: 60) }

    private static let options: ColumnFamilyOptions = {
        var options = ColumnFamilyOptions()
        options.table["filter_policy"] = "bloomfilter:10:false"
        options.table["block_size"] = "1024"
        return options
    }()

    /// A database with three files, a second column family, and a log.
    private static let files = Result { () throws -> DatabaseFiles in
        let scene = try Scene(), db = try scene.open(options)
        let other = try db.createColumnFamily("other", options: options)
        for row in 0..<rows {
            try (row % 10 == 0 ? other : db.defaultColumnFamily).put(value(row), for: key(row))
            if row == 100 || row == 200 { try db.flush() }
            if row == 250 { try other.flush() }
        }
        try db.close()
        return try DatabaseFiles(scene.path)
    }

    /// Opens and reads everything in every way.
    private static func read(_ files: DatabaseFiles) throws -> Outcome {
        let directory = try TemporaryDirectory()
        try files.write(to: directory.path)
        var outcome = Outcome.intact
        let error = failure { outcome = try check(RocksDB(path: directory.path, columnFamilyOptions: options)) }
        return error.map { .refused($0.code) } ?? outcome
    }

    private static func check(_ db: RocksDB) throws -> Outcome {
        for name in ["default", "other"] {
            let family = try db.columnFamily(name)
            let expected = (0..<rows).filter { ($0 % 10 == 0) == (name == "other") }
            let entries = try family.entries()
            guard entries.map(\.key) == expected.map({ Array(key($0).utf8) }) else {
                return .wrong("\(entries.count) of \(expected.count) rows in \(name)")
            }
            if entries.map(\.value) != expected.map({ value($0) }) { return .wrong("values in \(name)") }
            if try family.keys(.all.reversed) != entries.map(\.key).reversed() { return .wrong("backwards in \(name)") }
            if try family.multiGet(expected.map(key)) != expected.map({ value($0) }) { return .wrong("multiGet in \(name)") }
            for row in stride(from: 0, to: expected.count, by: 20) where try family.get(key(expected[row])) != value(expected[row]) {
                return .wrong("get in \(name)")
            }
            if try family.get("key 99999") != nil { return .wrong("a row that never was, in \(name)") }
        }
        return .intact
    }

    @Test func undamaged() throws {
        let files = try Self.files.get()
        #expect(try Self.read(files) == .intact)
        #expect(files.names(".sst").count > 2 && !files.names(".log").isEmpty && files.names("OPTIONS").count == 2)
    }

    /// Whether RocksDB may take the damage for what a crash leaves: a log or manifest that was cut short, or is followed by zeros. A length
    /// that reaches past the end of the file, or the type of a record from an older file, is the same to it. `WALDamageTests` has what that
    /// costs.
    private static func looksLikeACrash(_ files: DatabaseFiles, _ name: String, _ damage: Damage) -> Bool {
        guard name.hasSuffix(".log") || name.hasPrefix("MANIFEST") else { return false }
        switch damage {
        case .flip(let byte, _): return files.headerBytes(of: name).contains(byte)
        case .extend, .delete: return false
        case .cut, .zero, .overwrite: return true
        }
    }

    /// Whether the damage ends the process: RocksDB takes the properties of a table apart before it compares their checksum, and asserts that what
    /// their last bit announces, an index by hashes, is there. That bit is not set in an undamaged file.
    private static func endsTheProcess(_ files: DatabaseFiles, _ name: String, _ damage: Damage) -> Bool {
        guard name.hasSuffix(".sst"), let bytes = files.contents[name], let damaged = damage.apply(to: bytes) else { return false }
        let place = files.endOfProperties(of: name) - 1
        return damaged.count >= bytes.count && bytes[place] < 0x80 && damaged[place] >= 0x80
    }

    /// Random damage that is neither taken for what a crash leaves, nor ends the process.
    private static func damage(to name: String, of files: DatabaseFiles, _ generator: inout SeededGenerator) -> Damage {
        while true {
            let damage = Damage.random(files.contents[name]!.count, &generator)
            if !looksLikeACrash(files, name, damage), !endsTheProcess(files, name, damage) { return damage }
        }
    }

    @Test(arguments: [".sst", ".log", "MANIFEST", "CURRENT", "OPTIONS", "IDENTITY"]) func anywhere(part: String) async throws {
        let files = try Self.files.get()
        try await withSeeds("damage to \(part)", count: Thorough.count(10, of: 40)) { generator in
            let name = generator.pick(files.names(part))
            let damage = Self.damage(to: name, of: files, &generator)
            let outcome = try Self.read(files.damaged(name, damage))
            let allowed: [Outcome] = [
                .intact, .refused(.corruption), .refused(.ioError), .refused(.notSupported), .refused(.invalidArgument),
            ]
            #expect(allowed.contains(outcome), "\(name), \(damage)")
        }
    }

    /// The end of a table is what is read first, and partly without a checksum.
    @Test func theEndsOfTables() async throws {
        let files = try Self.files.get()
        try await withSeeds("damage to the ends of tables", count: 1) { generator in
            var tried = 0, refused = 0, leftOut = 0
            for name in files.names(".sst") {
                let size = files.contents[name]!.count
                for place in (size - 1_000..<size).shuffled(using: &generator).prefix(Thorough.count(6, of: 200)) {
                    let range = place..<min(place + generator.int(in: 1..<20), size)
                    let kinds: [Damage] = [
                        .flip(byte: place, bit: 7), .flip(byte: place, bit: generator.int(in: 0..<7)), .zero(range),
                        .overwrite(range, seed: generator.next()),
                    ]
                    for damage in kinds {
                        guard !Self.endsTheProcess(files, name, damage) else {
                            leftOut += 1
                            continue
                        }
                        let outcome = try Self.read(files.damaged(name, damage))
                        let allowed: [Outcome] = [.intact, .refused(.corruption), .refused(.notSupported), .refused(.invalidArgument)]
                        #expect(allowed.contains(outcome), "\(name), \(damage)")
                        tried += 1
                        if outcome != .intact { refused += 1 }
                    }
                }
            }
            // What is written over the byte in question, or flips its bit, is rare.
            #expect(tried >= 60 && leftOut < tried / 10 && refused > tried / 4, "\(tried) tried, \(refused) refused, \(leftOut) left out")
        }
    }

    /// RocksDB opens tables in threads of its own, where memory that cannot be had ends the process.
    @Test(arguments: [RocksDB.OpenMode.readWrite, .readOnly]) func tablesThatPointPastTheirEndsAreRefused(mode: RocksDB.OpenMode) throws {
        let files = try Self.files.get()
        // The footer says where the block that lists other blocks is, and then where the index is: an offset and a size each.
        for isIndex in [false, true] {
            var damaged = files
            for name in files.names(".sst") {
                let bytes = files.contents[name]!, footer = bytes.count - 53
                let listEnds = bytes.indices[(footer + 1)...].filter { bytes[$0] < 0x80 }[1]
                let place = isIndex ? listEnds + 1 : footer + 1
                // 2^43 bytes at 0.
                damaged.contents[name]!.replaceSubrange(place..<place + 8, with: [0] + [UInt8](repeating: 0x80, count: 6) + [0x02])
            }
            let directory = try TemporaryDirectory()
            try damaged.write(to: directory.path)
            let error = failure { try RocksDB(path: directory.path, columnFamilyOptions: Self.options, mode: mode) }
            #expect(error?.code == .corruption && error?.message.contains("points past the file") == true, "\(error as Any)")
        }
    }

    /// What a killed process leaves of a table is not one yet.
    @Test func unfinishedTablesAreIgnored() throws {
        let directory = try TemporaryDirectory()
        try Self.files.get().write(to: directory.path)
        for (number, size) in [0, 10, 2_000].enumerated() {
            try Data(repeating: 0xFF, count: size).write(to: URL(fileURLWithPath: directory.path("00090\(number).sst")))
        }
        #expect(try Self.check(RocksDB(path: directory.path, columnFamilyOptions: Self.options)) == .intact)
    }

    @Test func theEndOfPropertiesIsWhereItIsThoughtToBe() throws {
        let files = try Self.files.get()
        for name in files.names(".sst") {
            let bytes = files.contents[name]!, end = files.endOfProperties(of: name)
            // How many restart points the block has: one for each property or so.
            let count = (0..<4).reduce(0) { $0 | Int(bytes[end - 4 + $1]) << (8 * $1) }
            #expect(1...100 ~= count && Self.endsTheProcess(files, name, .flip(byte: end - 1, bit: 7)), "\(name)")
            #expect(
                !Self.endsTheProcess(files, name, .flip(byte: end - 1, bit: 6))
                    && !Self.endsTheProcess(files, name, .flip(byte: end, bit: 7))
            )
            let start = try #require(bytes.firstRange(of: Array("rocksdb.block.based.table.index.type".utf8))).lowerBound
            #expect(end - 1_000..<end ~= start, "\(name)")
        }
    }

    @Test func missingFiles() throws {
        let files = try Self.files.get()
        for name in files.contents.keys.sorted() where !name.hasSuffix(".log") {
            let outcome = try Self.read(files.damaged(name, .delete))
            if name.hasPrefix("OPTIONS") || name == "IDENTITY" {
                #expect(outcome == .intact, "\(name)")
            } else {
                #expect(outcome == .refused(.corruption) || outcome == .refused(.ioError), "\(name)")
            }
        }
    }

    @Test func missingCurrentIsNoInvitation() throws {
        let files = try Self.files.get()
        for lost in [["CURRENT"], ["CURRENT"] + files.names(".log"), ["CURRENT"] + files.names("MANIFEST")] {
            let directory = try TemporaryDirectory()
            try lost.reduce(files) { $0.damaged($1, .delete) }.write(to: directory.path)
            let before = try FileSystem.system.list(directory.path)
            for _ in 0..<2 {
                let error = failure { try RocksDB(path: directory.path, options: .init(createIfMissing: true)) }
                #expect(error?.code == .corruption)
                #expect(error?.message.contains("CURRENT") == true)
            }
            #expect(try FileSystem.system.list(directory.path) == before)
        }
        // A creation that was killed before it wrote CURRENT does not leave a database.
        let directory = try TemporaryDirectory()
        for name in ["MANIFEST-000001", "IDENTITY", "LOCK", "LOG"] {
            try Data().write(to: URL(fileURLWithPath: directory.path(name)))
        }
        #expect(try RocksDB(path: directory.path, options: .init(createIfMissing: true)).keys().isEmpty)
    }

    /// A refusal leaves everything as it was: with the damage undone, all is there.
    @Test(arguments: [".sst", ".log", "MANIFEST", "CURRENT"]) func refusalsDoNoHarm(part: String) async throws {
        let files = try Self.files.get()
        try await withSeeds("refused damage to \(part)", count: Thorough.count(2, of: 15)) { generator in
            var refusal: (name: String, damage: Damage, after: DatabaseFiles)?
            // Opening reads some parts of a file only.
            for _ in 0..<200 where refusal == nil {
                let name = generator.pick(files.names(part))
                let damage = Damage.flip(byte: generator.int(in: 0..<files.contents[name]!.count), bit: generator.int(in: 0..<8))
                guard !Self.looksLikeACrash(files, name, damage), !Self.endsTheProcess(files, name, damage) else { continue }
                let directory = try TemporaryDirectory()
                try files.damaged(name, damage).write(to: directory.path)
                guard code({ try RocksDB(path: directory.path, columnFamilyOptions: Self.options).close() }) != nil else { continue }
                refusal = (name, damage, try DatabaseFiles(directory.path))
            }
            let (name, damage, after) = try #require(refusal, "no damage was refused")
            for (other, bytes) in files.contents where other != name {
                #expect(after.contents[other] == bytes, "\(name), \(damage): \(other)")
            }
            var repaired = after
            repaired.contents[name] = files.contents[name]
            #expect(try Self.read(repaired) == .intact, "\(name), \(damage)")
        }
    }

    @Test func verifyingFindsWhatReadsWouldMeet() throws {
        let files = try Self.files.get(), name = files.names(".sst")[0]
        let directory = try TemporaryDirectory()
        try files.damaged(name, .flip(byte: 100, bit: 0)).write(to: directory.path)
        let db = try RocksDB(path: directory.path, columnFamilyOptions: Self.options)
        let error = failure { try db.verifyChecksums() }
        #expect(error?.code == .corruption)
        #expect(error?.message.contains(name) == true)
        // Other files can still be read and written.
        try db.put("1", for: "new")
        #expect(try db.text("new") == "1")
    }
}
