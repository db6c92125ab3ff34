import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct ComparatorTests {
    let scene = try! Scene()

    private func filled(_ comparator: KeyComparator) throws -> RocksDB {
        let db = try scene.open(ColumnFamilyOptions(comparator: comparator))
        try db.fill("abc2", "abc1", "abc3")
        return db
    }

    @Test func bytewiseAscending() throws {
        let db = try filled(.bytewise)
        for _ in 0..<2 {
            #expect(try db.keyTexts() == ["abc1", "abc2", "abc3"])
            #expect(try db.walk(.first, .last, .seek("abc"), .seek("abc999")) == ["abc1", "abc3", "abc1", nil])
            try db.flush()
        }
    }

    @Test func bytewiseDescending() throws {
        let db = try filled(.reverseBytewise)
        for _ in 0..<2 {
            #expect(try db.keyTexts() == ["abc3", "abc2", "abc1"])
            #expect(try db.walk(.first, .last, .seek("abc"), .seek("abc999")) == ["abc3", "abc1", nil, "abc3"])
            try db.flush()
        }
    }

    @Test(arguments: [false, true]) func stringsInSwiftsOrder(descending: Bool) throws {
        let order = KeyComparator(name: "test.string.\(descending ? "desc" : "asc")") { first, second in
            guard let left = try? String(copying: first), let right = try? String(copying: second) else {
                return compareBytes(first, second)
            }
            return left == right ? 0 : (left < right) != descending ? -1 : 1
        }
        let db = try scene.open(ColumnFamilyOptions(comparator: order))
        let keys = (0..<2_000).map { "a\($0)" }
        for key in keys { try db.put(key, for: key) }
        #expect(try db.keyTexts() == (descending ? keys.sorted(by: >) : keys.sorted()))
        try db.flush()
        #expect(try db.keyTexts() == (descending ? keys.sorted(by: >) : keys.sorted()))
        #expect(try db.keyTexts(.all.reversed) == (descending ? keys.sorted() : keys.sorted(by: >)))
    }

    /// Different bytes can be one key.
    @Test func equalKeysAreOneKey() throws {
        let caseless = KeyComparator(name: "test.caseless") { first, second in
            let left = try! String(copying: first).lowercased(), right = try! String(copying: second).lowercased()
            return left == right ? 0 : left < right ? -1 : 1
        }
        let db = try scene.open(ColumnFamilyOptions(comparator: caseless))
        try db.put("1", for: "Key")
        try db.put("2", for: "kEY")
        #expect(try db.pairTexts() == ["kEY=2"])
        #expect(try db.text("KEY") == "2")
        try db.delete("key")
        #expect(try db.keys().isEmpty)
    }

    @Test func theNameIsChecked() throws {
        let order = KeyComparator(name: "test.one") { compareBytes($0, $1) }
        try filled(order).close()
        let error = failure { try scene.open(ColumnFamilyOptions(comparator: KeyComparator(name: "test.two") { compareBytes($0, $1) })) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("test.one") == true && error?.message.contains("test.two") == true)
        #expect(code { try scene.open() } == .invalidArgument)
        // Another object of that name will do.
        let again = try scene.open(ColumnFamilyOptions(comparator: KeyComparator(name: "test.one") { compareBytes($0, $1) }))
        #expect(try again.keyTexts() == ["abc1", "abc2", "abc3"])
    }

    @Test(arguments: [
        "", "rocksdb.mine", "rocksdb.ReverseBytewiseComparator", "leveldb.BytewiseComparator", "a\0b", "a;b", "a{b", "a}b", "a=b", "a\nb",
        "a\r\nb",
    ])
    func namesThatCannotBe(name: String) throws {
        let order = KeyComparator(name: name) { compareBytes($0, $1) }
        #expect(order.name == name)
        #expect(code { try scene.open(ColumnFamilyOptions(comparator: order)) } == .invalidArgument)
        let db = try scene.open()
        #expect(code { try db.createColumnFamily("a", options: .init(comparator: order)) } == .invalidArgument)
    }

    @Test func byRocksDBsName() throws {
        var options = ColumnFamilyOptions()
        options["comparator"] = "rocksdb.ReverseBytewiseComparator"
        let db = try scene.open(options)
        try db.fill("a", "b")
        #expect(try db.keyTexts(.from("b", to: "a")) == ["b"])
        #expect(try db.keyTexts(.prefix("a")) == ["a"])
        #expect(try db.keyTexts(.prefix("b").reversed) == ["b"])
        // Both ways of naming it: the object wins.
        options.comparator = .reverseBytewise
        try db.close()
        #expect(try scene.open(options).keyTexts() == ["b", "a"])
    }

    /// Keys with timestamps have no place in this interface; some reads without one would end the process.
    @Test(arguments: ["leveldb.BytewiseComparator.u64ts", "rocksdb.ReverseBytewiseComparator.u64ts"]) func timestamps(name: String) throws {
        var options = ColumnFamilyOptions()
        options["comparator"] = name
        let error = failure { try scene.open(options) }
        #expect(error?.code == .invalidOption && error?.message.contains("timestamps") == true)
        #expect(code { try scene.open().createColumnFamily("a", options: options) } == .invalidOption)
    }

    @Test func onlyTheSignCounts() throws {
        let order = KeyComparator(name: "test.extremes") { first, second in
            let difference = compareBytes(first, second)
            return difference == 0 ? 0 : difference < 0 ? .min : .max
        }
        #expect(try filled(order).keyTexts() == ["abc1", "abc2", "abc3"])
    }

    /// Work of RocksDB's own threads calls it too.
    @Test func manyFilesInAnOrderOfYourOwn() throws {
        let byLastByte = KeyComparator(name: "test.backwards") { first, second in
            let left = [UInt8](copying: first).reversed(), right = [UInt8](copying: second).reversed()
            return left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
        }
        var options = ColumnFamilyOptions(comparator: byLastByte)
        options["write_buffer_size"] = "65536"
        options["level0_file_num_compaction_trigger"] = "2"
        let db = try scene.open(options)
        let value = [UInt8](repeating: 1, count: 200)
        for number in 0..<3_000 { try db.put(value, for: "\(number * 7919 % 3_000)") }
        let expected = (0..<3_000).map { "\($0)" }.sorted { $0.reversed().lexicographicallyPrecedes($1.reversed()) }
        #expect(try db.keyTexts() == expected)
        try db.verifyChecksums()
        try db.close()
        #expect(try scene.open(options).keyTexts() == expected)
    }
}
