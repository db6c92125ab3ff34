import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// What a comparator may say beside the order.
struct ComparatorHooksTests {
    let scene = try! Scene()

    private func options(_ comparator: KeyComparator) -> ColumnFamilyOptions {
        var options = ColumnFamilyOptions(comparator: comparator)
        options.table.blockSize = .bytes(200)
        options.compression = .none
        return options
    }

    /// How large the file is, after writing keys that are long and differ early.
    private func fileSize(_ comparator: KeyComparator) throws -> Int {
        let scene = try Scene(), db = try scene.open(options(comparator))
        let keys = (0..<400).map { String(1_000 + $0) + String(repeating: "x", count: 100) }
        for key in keys { try db.put(key, for: key) }
        try db.flush()
        #expect(try db.keyTexts() == keys && keys.allSatisfy { try db.text($0) == $0 })
        #expect(try db.keyTexts(.from("1200", to: "1300")) == Array(keys[200..<300]))
        return Int(try #require(try db.property(.liveSSTFilesSize)).bytes)
    }

    private static func bytewise(_ name: String, _ shortening: KeyComparator.Shortening?) -> KeyComparator {
        KeyComparator(name: name, shortening: shortening) { compareBytes($0, $1) }
    }

    /// The shortest prefix of `limit` that comes behind `start`.
    private static let honest = KeyComparator.Shortening { start, limit in
        let start = [UInt8](copying: start), limit = [UInt8](copying: limit)
        for count in 1..<max(1, limit.count) where start.lexicographicallyPrecedes(limit[..<count]) { return Array(limit[..<count]) }
        return nil
    } successor: { key in
        let key = [UInt8](copying: key)
        guard let first = key.first, first < 255 else { return nil }
        return [first + 1]
    }

    @Test func shorterIndexes() throws {
        let plain = try fileSize(Self.bytewise("test.plain", nil))
        let short = try fileSize(Self.bytewise("test.short", Self.honest))
        // 400 keys of 104 bytes in the index.
        #expect(short < plain - 30_000)
    }

    /// RocksDB asserts that a separator lies where it should, and loses keys if it does not.
    @Test func wrongSeparatorsAreNotUsed() throws {
        let wrong: [KeyComparator.Shortening] = [
            .init(separator: { _, _ in [] }, successor: { _ in [] }),
            .init(separator: { _, _ in [0xFF] }, successor: { _ in [0xFF, 0xFF] }),
            .init(separator: { start, _ in [UInt8](copying: start) + [0] }, successor: { key in [UInt8](copying: key) + [0] }),
            .init(separator: { _, limit in [UInt8](copying: limit) }),
            .init(separator: { start, _ in [UInt8](copying: start).dropLast() }),
        ]
        let plain = try fileSize(Self.bytewise("test.plain", nil))
        for (index, shortening) in wrong.enumerated() {
            // Only the first successor ever helps.
            #expect(try fileSize(Self.bytewise("test.wrong \(index)", shortening)) >= plain - 200, "\(index)")
        }
    }

    @Test func equalKeys() throws {
        let caseless: @Sendable (RawSpan, RawSpan) -> Int = { first, second in
            let left = try! String(copying: first).lowercased(), right = try! String(copying: second).lowercased()
            return left == right ? 0 : left < right ? -1 : 1
        }
        #expect(KeyComparator.bytewise.equalKeys == .sameBytes && KeyComparator.unicodeAscending.equalKeys == .anyBytes)
        var options = ColumnFamilyOptions(comparator: KeyComparator(name: "test.caseless", compare: caseless))
        #expect(options.comparator?.equalKeys == .anyBytes)
        options.table.filterPolicy = .ribbon()
        #expect(code { try scene.open(options) } == .invalidOption)
        options.table.filterPolicy = .none
        // The hash index in blocks is RocksDB's own to leave off.
        options.table.dataBlockIndexType = .binaryAndHash
        let db = try scene.open(options)
        try db.put("1", for: "Key")
        try db.flush()
        #expect(try db.text("kEY") == "1")
        try db.put("2", for: "kEY")
        try db.compact()
        #expect(try db.pairTexts() == ["kEY=2"])
        // With the promise, filters are there and help.
        let length = KeyComparator(name: "test.bytes", equalKeys: .sameBytes) { compareBytes($0, $1) }
        var filtered = ColumnFamilyOptions(comparator: length)
        filtered.table.filterPolicy = .bloom()
        filtered.memtableBloomSizeRatio = 0.1
        filtered.memtableWholeKeyFiltering = true
        let family = try db.createColumnFamily("filtered", options: filtered)
        try family.fill("a", "b")
        try family.flush()
        #expect(try family.text("a") == "a" && family.get("c") == nil)
    }

    private struct Version: Equatable {
        var major: Int, minor: Int
    }

    @Test func decodedKeys() throws {
        let codec = KeyCodec<Version>.custom {
            "\($0.major).\($0.minor)"
        } decode: { bytes in
            let parts = try String(copying: bytes).split(separator: ".").map { Int($0) }
            guard parts.count == 2, let major = parts[0], let minor = parts[1] else { throw CodecError(.failed, "no version") }
            return Version(major: major, minor: minor)
        }
        let order = KeyComparator(name: "test.versions", keys: codec, equalKeys: .anyBytes) {
            $0.major != $1.major ? $0.major - $1.major : $0.minor - $1.minor
        }
        let versions = TableDefinition("versions", keys: codec, values: .utf8, options: .init(comparator: order))
        let table = try RocksDB(path: scene.path, tables: [versions]).table(versions)
        let sorted = [Version(major: 1, minor: 9), Version(major: 1, minor: 10), Version(major: 2, minor: 0), Version(major: 10, minor: 1)]
        for version in sorted.reversed() { try table.put("\(version.major)", for: version) }
        for junk in ["x", "", "1"] { try table.space.put("junk", for: junk) }
        for _ in 0..<2 {
            #expect(try table.space.keyTexts() == ["1.9", "1.10", "2.0", "10.1", "", "1", "x"])
            #expect(try table.get(Version(major: 1, minor: 10)) == "1" && table.space.text("01.9") == "1")
            try table.space.flush()
        }
    }

    @Test(arguments: ["cairn.mine", "cairn.unicode14.ascending"]) func ourNamesAreReserved(name: String) throws {
        #expect(code { try scene.open(.init(comparator: KeyComparator(name: name) { compareBytes($0, $1) })) } == .invalidArgument)
    }
}
