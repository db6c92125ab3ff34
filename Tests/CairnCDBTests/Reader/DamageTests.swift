import CairnCDB
import CairnTestSupport
import Testing

/// Any bytes at all: an error or an answer, never a trap, a read outside of the file, or an endless walk. And damage that can be seen is seen.
struct DamageTests {
    private static let pairs = [("a", "1"), ("b", "22"), ("", "empty"), ("a", "333"), ("long key", String(repeating: "v", count: 30))]

    /// Everything that reads. Returns what is there as far as no error came.
    @discardableResult
    private func readAll(_ bytes: [UInt8], _ dialect: CDBDialect = .standard) -> [String]? {
        guard let reader = try? CDBReader(bytes: bytes, dialect: dialect) else { return nil }
        for key in ["a", "b", "", "long key", "missing", "\u{1}"] {
            _ = try? reader.get(key)
            _ = try? reader.values(for: key)
            _ = try? reader.valueCount(for: key)
        }
        _ = try? reader.multiGet(["a", "b", "", "long key", "missing"])
        _ = try? reader.count
        _ = try? reader.statistics()
        _ = try? reader.forEach { _, _ in }
        let isWell = (try? reader.verify()) != nil
        let entries = (try? reader.entries()).map { $0.map { "\($0)=\($1)" } }
        return isWell ? entries : nil
    }

    @Test(arguments: CDBDialect.allCases) func everyByteFlippedInEveryBit(dialect: CDBDialect) async throws {
        try await withSeeds("flipped bits, \(dialect)", count: 1) { random in try flipBits(dialect, &random) }
    }

    private func flipBits(_ dialect: CDBDialect, _ random: inout SeededGenerator) throws {
        let scene = try Scene()
        let bytes = try scene.make(Self.pairs, dialect: dialect)
        let intact = try #require(readAll(bytes, dialect))
        let header = dialect == .standard ? 2048 : 4096
        var unseen: Set<Int> = []
        let inHeader = Thorough.sample(1_000, of: 0..<8 * header, using: &random)
        for place in inHeader + Thorough.sample(1_000, of: 8 * header..<8 * bytes.count, using: &random) {
            var damaged = bytes
            damaged[place / 8] ^= 1 << UInt8(place % 8)
            // What is read without an error has as many records, but for bytes of values, which nothing protects.
            if let entries = readAll(damaged, dialect), entries != intact || place / 8 < header {
                #expect(entries.count == intact.count)
                unseen.insert(place / 8)
            }
        }
        // Unseen may be: positions of tables without slots, and values.
        let tables = (0..<256).filter { number in
            let width = header / 512
            return bytes[number * 2 * width + width..<number * 2 * width + 2 * width].contains { $0 != 0 }
        }
        #expect(!tables.isEmpty)
        for place in unseen where place < header {
            #expect(!tables.contains(place / (header / 256)), "byte \(place) of the header")
        }
        let valueBytes = Self.pairs.reduce(0) { $0 + $1.1.utf8.count }
        #expect(unseen.count { $0 >= header } <= valueBytes)
    }

    @Test(arguments: CDBDialect.allCases) func everyLength(dialect: CDBDialect) throws {
        let scene = try Scene()
        let bytes = try scene.make(Self.pairs, dialect: dialect)
        for count in bytes.indices { #expect(readAll(Array(bytes.prefix(count)), dialect) == nil, "\(count) bytes") }
    }

    @Test(arguments: CDBDialect.allCases) func randomBytes(dialect: CDBDialect) async throws {
        try await withSeeds("random bytes", count: Thorough.count(50, of: 200)) { random in
            let header = dialect == .standard ? 2048 : 4096
            var bytes = random.oneIn(2) ? random.bytes(random.int(in: 0..<6_000)) : [UInt8](repeating: 0, count: header) + random.bytes(500)
            // Tables that lie within the file, with slots of anything.
            for _ in 0..<random.int(in: 0..<300) where bytes.count >= header {
                let entry = random.int(in: 0..<256) * (header / 256)
                for offset in 0..<header / 256 { bytes[entry + offset] = 0 }
                let number = random.int(in: 0..<bytes.count + 10)
                bytes[entry] = UInt8(truncatingIfNeeded: number)
                bytes[entry + 1] = UInt8(truncatingIfNeeded: number >> 8)
                bytes[entry + header / 512] = UInt8(truncatingIfNeeded: random.int(in: 0..<60))
            }
            readAll(bytes, dialect)
        }
    }

    @Test func randomDamageOfALargerFile() async throws {
        let scene = try Scene()
        let pairs = (0..<3_000).map { ("key \($0)", "value \($0)") }
        let bytes = try scene.make(pairs)
        let opened = Tally()
        try await withSeeds("damage", count: Thorough.count(15, of: 100)) { random in
            var damaged = bytes
            for _ in 0..<random.int(in: 1..<6) { damaged[random.int(in: 0..<damaged.count)] = UInt8(truncatingIfNeeded: random.next()) }
            guard let reader = try? CDBReader(bytes: damaged) else { return }
            opened.add()
            let isWell = (try? reader.verify()) != nil
            for (key, value) in pairs {
                guard let found = try? reader.get(key) else {
                    // Missing, or an error: then the check must have found something.
                    #expect(!isWell, "\(key) is gone")
                    continue
                }
                #expect(found.count == value.utf8.count || !isWell)
            }
            guard isWell else { return }
            let count = try reader.count
            #expect(count == pairs.count)
        }
        #expect(opened.count > 0)
    }

    /// A table that is full, of slots with one hash: every look-up ends.
    @Test func aTableWithoutFreeSlotsEnds() throws {
        let scene = try Scene()
        var bytes = try scene.make([("a", "1")])
        let hash =
            bytes[(bytes.count - 16)...].prefix(4) == [0, 0, 0, 0] ? Array(bytes.suffix(8)) : Array(bytes[(bytes.count - 16)...].prefix(8))
        bytes.replaceSubrange(bytes.count - 16..<bytes.count, with: hash + hash)
        let reader = try CDBReader(bytes: bytes)
        #expect(try reader.valueCount(for: "a") == 2)
        // Another key of the same table.
        let twin = (0..<100_000).lazy.map { "\($0)" }.first { key in
            key.utf8.reduce(UInt32(5381)) { ($0 &* 33) ^ UInt32($1) } & 0xFF == UInt32(hash[0])
        }
        #expect(try reader.get(try #require(twin)) == nil)
        #expect(code { try reader.verify() } == .corruption)
    }

    @Test func slotsThatLeadNowhereThrow() throws {
        let scene = try Scene()
        let bytes = try scene.make([("a", "1")])
        for target: UInt32 in [1, 2047, 2058, 4_000, .max] {
            var damaged = bytes
            for slot in [bytes.count - 16, bytes.count - 8] where bytes[slot + 5] != 0 {
                for byte in 0..<4 { damaged[slot + 4 + byte] = UInt8(truncatingIfNeeded: target >> UInt32(byte * 8)) }
            }
            try scene.write(damaged, "damaged.cdb")
            for access in [CDBReader.Access.mapped, .positioned] {
                let reader = try scene.reader("damaged.cdb", access)
                #expect(code { try reader.get("a") } == .corruption)
                #expect(code { try reader.multiGet(["a"]) } == .corruption)
                #expect(code { try reader.verify() } == .corruption)
                #expect(try reader.count == 1)
            }
        }
    }

    @Test func aDamagedHeaderIsToldBehindTheRecords() throws {
        let scene = try Scene()
        var bytes = try scene.make(Self.pairs)
        let table = try #require((0..<256).last { bytes[$0 * 8 + 4] != 0 })
        bytes[table * 8 + 7] = 0xFF
        let reader = try CDBReader(bytes: bytes)
        var seen = 0
        #expect(code { try reader.forEach { _, _ in seen += 1 } } == .corruption)
        #expect(seen == Self.pairs.count)
        #expect(code { try reader.count } == .corruption)
        #expect(code { try reader.statistics() } == .corruption)
        #expect(code { try reader.verify() } == .corruption)
    }

    @Test func messagesTellNoUserData() throws {
        let scene = try Scene()
        var bytes = try scene.make([("secret key", "secret value")])
        bytes[2052] = 0xFF
        let reader = try CDBReader(bytes: bytes)
        let error = try #require(failure { try reader.get("secret key") })
        #expect(!"\(error)".contains("secret") && "\(error)".contains("2048"))
    }

    @Test func verifyTellsHowFarItIsAndCanBeCancelled() async throws {
        let scene = try Scene()
        try scene.make((0..<1_000).map { ("key \($0)", "value") })
        let reader = try scene.reader()
        var parts: [Double] = []
        try reader.verify { parts.append($0) }
        #expect(parts == parts.sorted() && parts.last == 1 && parts.allSatisfy { (0...1).contains($0) })
        try await reader.verifyInBackground()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Result { () async throws(CDBError) in try await reader.verifyInBackground() }
        }
        task.cancel()
        guard case .failure(let error) = await task.value else { return #expect(Bool(false), "was not cancelled") }
        #expect(error.code == .cancelled)
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
