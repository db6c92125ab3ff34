import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct MergeOperatorTests {
    let scene = try! Scene()

    private func open(_ mergeOperator: MergeOperator) throws -> RocksDB {
        try scene.open(ColumnFamilyOptions(mergeOperator: mergeOperator))
    }

    private static let addIntegers = MergeOperator(name: "test.add") { _, existing, operand in
        guard let operand = Int(text: operand) else { return nil }
        guard let existing else { return Array("\(operand)".utf8) }
        guard let existing = Int(text: existing) else { return nil }
        return Array("\(existing + operand)".utf8)
    }

    @Test func integers() throws {
        let db = try open(Self.addIntegers)
        try db.put("1", for: "key 1")
        try db.merge("5", for: "key 1")
        #expect(try db.text("key 1") == "6")
        // Without a value, the first operand is the value.
        for _ in 0..<100 { try db.merge("1", for: "new") }
        #expect(try db.text("new") == "100")
        try db.flush()
        try db.merge("-10", for: "new")
        #expect(try db.multiGet(["new", "key 1"], as: String.self) == ["90", "6"])
        #expect(try db.pairTexts() == ["key 1=6", "new=90"])
        try db.delete("new")
        try db.merge("3", for: "new")
        #expect(try db.text("new") == "3")
    }

    /// Operands one by one, in groups, and as copies.
    @Test func operandsAreIteratedAndCopied() throws {
        let list = MergeOperator(
            name: "test.list",
            full: { _, existing, operands in
                var result: [UInt8] = if let existing { [UInt8](copying: existing) } else { [] }
                operands.forEach { result += [UInt8](copying: $0) + [UInt8(ascii: ",")] }
                return operands.indices == 0..<operands.count ? result : nil
            },
            partial: { _, operands in [[UInt8]](copying: operands).joined(separator: [UInt8(ascii: ",")]).map { $0 } }
        )
        let db = try open(list)
        try db.put("0,", for: "a")
        for number in 1...4 { try db.merge("\(number)", for: "a") }
        #expect(try db.text("a") == "0,1,2,3,4,")
        try db.flush()
        try db.compact()
        #expect(try db.text("a") == "0,1,2,3,4,")
    }

    @Test func numbersThroughCodecs() throws {
        let add = MergeOperator(name: "test.double", keys: .ordered, values: .littleEndian) { (_: String, sum: Double?, n: Double) in
            (sum ?? 0) + n
        }
        let options = ColumnFamilyOptions(mergeOperator: add)
        let numbers = TableDefinition("numbers", key: String.self, value: Double.self, codec: .littleEndian, options: options)
        let table = try RocksDB(path: scene.path, tables: [numbers]).table(numbers)
        try table.put(100.541, for: "key 1")
        try table.merge(200.125, for: "key 1")
        #expect(abs(try #require(try table.get("key 1")) - 300.666) < 0.0001)
    }

    @Test func dictionaries() throws {
        typealias Song = [String: String]
        let put = MergeOperator(name: "test.dictionary") { _, existing, operand in
            guard let new = try? JSONDecoder().decode(Song.self, from: Data(copying: operand)) else { return nil }
            guard let existing else { return [UInt8](copying: operand) }
            guard let old = try? JSONDecoder().decode(Song.self, from: Data(copying: existing)) else { return nil }
            return (try? JSONEncoder().encode(old.merging(new) { $1 })).map { [UInt8]($0) }
        }
        let db = try open(put)
        try db.put(JSONEncoder().encode(["title": "one", "year": "1999"]), for: "song")
        for number in 1...5 { try db.merge(JSONEncoder().encode(["title": "\(number)", "key \(number)": "\(number)"]), for: "song") }
        let merged = try JSONDecoder().decode(Song.self, from: #require(try db.get("song", as: Data.self)))
        #expect(merged == ["title": "5", "year": "1999", "key 1": "1", "key 2": "2", "key 3": "3", "key 4": "4", "key 5": "5"])
    }

    /// Operands "key:UPDATE:value" change a dictionary; two for the same key combine to the later one.
    @Test func operandsOfAnotherKind() throws {
        let combined = Box(0)
        let change = MergeOperator(
            name: "test.changes",
            full: { _, existing, operands in
                var pairs: [String: String] = [:]
                if let existing, let text = try? String(copying: existing) {
                    for pair in text.split(separator: ",") { pairs[String(pair.prefix(1))] = String(pair.dropFirst(2)) }
                }
                for index in 0..<operands.count {
                    guard let text = try? String(copying: operands[index]) else { return nil }
                    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
                    pairs[parts[0]] = parts[1] == "DELETE" ? nil : parts[2]
                }
                return Array(pairs.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ",").utf8)
            },
            partial: { _, operands in
                let keys = (0..<operands.count).map { (try? String(copying: operands[$0]))?.split(separator: ":").first }
                guard Set(keys).count == 1 else { return nil }
                combined.update { $0 += 1 }
                return [UInt8](copying: operands[operands.count - 1])
            }
        )
        let db = try open(change)
        try db.put("a=1,b=2", for: "key")
        for operand in ["a:UPDATE:5", "b:DELETE:", "c:INSERT:3", "c:UPDATE:4", "c:UPDATE:7"] { try db.merge(operand, for: "key") }
        #expect(try db.text("key") == "a=5,c=7")
        try db.flush()
        #expect(try db.text("key") == "a=5,c=7")
        // Operands without a base are combined where they can be.
        for value in 0..<5 { try db.merge("x:UPDATE:\(value)", for: "no base") }
        try db.flush()
        for value in 5..<9 { try db.merge("x:UPDATE:\(value)", for: "no base") }
        #expect(try db.text("no base") == "x=8")
        #expect(combined.value > 0)
    }

    @Test func theKeyIsGiven() throws {
        let db = try open(MergeOperator(name: "test.key") { key, _, operand in [UInt8](copying: key) + [UInt8](copying: operand) })
        try db.merge("1", for: "a")
        try db.merge("1", for: "")
        #expect(try db.pairTexts() == ["=1", "a=a1"])
    }

    @Test func emptyOperandsAndResults() throws {
        let db = try open(MergeOperator(name: "test.last") { _, _, operand in [UInt8](copying: operand) })
        try db.merge("x", for: "a")
        try db.merge("", for: "a")
        #expect(try db.get("a") == [])
        try db.flush()
        #expect(try db.get("a") == [] && db.contains("a"))
    }

    /// A failing merge fails the reads of its key, and of no other.
    @Test func failures() throws {
        let db = try open(Self.addIntegers)
        try db.put("1", for: "a")
        try db.merge("no number", for: "bad")
        try db.put("2", for: "c")
        for _ in 0..<2 {
            #expect(code { try db.get("bad") } == .corruption)
            #expect(code { try db.multiGet(["a", "bad"]) } == .corruption)
            #expect(try db.text("a") == "1" && db.text("c") == "2")
            #expect(try db.multiGet(["a", "c"], as: String.self) == ["1", "2"])
            // A scan stops there instead of leaving it out.
            var cursor = try db.makeCursor()
            #expect(try cursor.perform(.next) == "a")
            #expect(code { _ = try cursor.perform(.next) } == .corruption)
            #expect(code { _ = try cursor.perform(.next) } == .corruption)
            #expect(code { _ = try cursor.perform(.previous) } == .corruption)
            #expect(try cursor.perform(.seek("c")) == "c")
            #expect(code { try db.keys() } == .corruption)
            #expect(code { try db.keys(.all.reversed) } == .corruption)
            #expect(try db.keyTexts(.from("c")) == ["c"])
            cursor.close()
            _ = code { try db.flush() }
        }
        // Overwriting heals.
        try db.put("3", for: "bad")
        #expect(try db.pairTexts() == ["a=1", "bad=3", "c=2"])
    }

    @Test func ofRocksDBItself() throws {
        let db = try open(MergeOperator(named: "uint64add"))
        let one: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        for _ in 0..<300 { try db.merge(one, for: "n") }
        #expect(try db.get("n") == [44, 1, 0, 0, 0, 0, 0, 0])
        let appended = try db.createColumnFamily("append", options: .init(mergeOperator: MergeOperator(named: "stringappend")))
        for text in ["a", "b", "c"] { try appended.merge(text, for: "list") }
        #expect(try appended.text("list") == "a,b,c")
        let largest = try db.createColumnFamily("max", options: .init(mergeOperator: MergeOperator(named: "max")))
        for text in ["b", "c", "a"] { try largest.merge(text, for: "max") }
        #expect(try largest.text("max") == "c")
        for name in ["", "nobody"] { #expect(code { try MergeOperator(named: name) } == .notSupported) }
        // It ends the process on operands that are no lists of numbers.
        for name in ["sortlist", "MergeSortOperator", "{id=sortlist}"] {
            #expect(code { try MergeOperator(named: name) } == .invalidArgument)
        }
    }

    @Test(arguments: ["a\0b", "a;b", "a{b", "a}b", "a=b", "a\nb"]) func namesThatCannotBe(name: String) throws {
        let options = ColumnFamilyOptions(mergeOperator: MergeOperator(name: name) { _, _, operand in [UInt8](copying: operand) })
        #expect(code { try scene.open(options) } == .invalidArgument)
    }

    @Test func reopenedWithout() throws {
        do { try open(Self.addIntegers).merge("1", for: "a") }
        // The log cannot be replayed into the memtable's files without it; whatever happens, nothing is lost.
        _ = code { try scene.open().get("a") }
        #expect(try open(Self.addIntegers).text("a") == "1")
    }
}

extension Int {
    init?(text: RawSpan) {
        guard let text = try? String(copying: text) else { return nil }
        self.init(text)
    }
}
