import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// The order of text: canonical decomposition under Unicode 14.0, scalar by scalar.
struct UnicodeOrderTests {
    let scene = try! Scene()

    private func open(_ order: KeyComparator = .unicodeAscending) throws -> RocksDB {
        try scene.open(ColumnFamilyOptions(comparator: order))
    }

    @Test func ascendingAndDescending() throws {
        let texts = ["", "A", "Z", "a", "a\u{0}", "ab", "e", "ez", "é", "éa", "f", "ß", "Ω", "가", "각", "힣", "😀", "\u{10FFFF}"]
        let db = try open()
        let down = try db.createColumnFamily("down", options: .init(comparator: .unicodeDescending))
        for text in texts.shuffled() {
            try db.put(text, for: text)
            try down.put(text, for: text)
        }
        for _ in 0..<2 {
            #expect(try db.keyTexts() == texts)
            #expect(try db.keyTexts(.all.reversed) == texts.reversed())
            #expect(try down.keyTexts() == texts.reversed())
            #expect(try db.keyTexts(.from("e", to: "f")) == ["e", "ez", "é", "éa"])
            try db.flush()
            try down.flush()
        }
    }

    /// Databases that a comparator like ObjectiveRocks' has ordered: `NSString`'s `compare:` on keys that are UTF-8.
    @Test(arguments: [true, false]) func opensWhatObjectiveRocksOrdered(ascends: Bool) throws {
        let order: KeyComparator = ascends ? .objectiveRocksStringAscending : .objectiveRocksStringDescending
        #expect(order.name == "objectiverocks.string.compare." + (ascends ? "asc" : "desc"))
        let theirs = KeyComparator(name: order.name, keys: .raw) { (a: String, b: String) in
            NSString(string: ascends ? a : b).compare(ascends ? b : a).rawValue
        }
        let texts = (0..<1_000).map { "a\($0)" } + ["", "A", "Z", "z", "naïve", "日本", "한글", "😀"]
        do {
            let db = try open(theirs)
            for text in texts.shuffled() { try db.put(text, for: text) }
            try db.flush()
        }
        let db = try open(order)
        let keys = try db.keyTexts()
        #expect(Set(keys) == Set(texts) && keys.count == texts.count)
        #expect(zip(keys, keys.dropFirst()).allSatisfy { order.compare($0, $1) < 0 })
        for text in texts { #expect(try db.text(text) == text) }
        try db.put("new", for: "a5")
        try db.compact()
        #expect(try db.text("a5") == "new")
        try db.close()
        // Its options name the order, too.
        #expect(try StoredOptions(path: scene.path).columnFamilies["default"]?.comparator === order)
        #expect(failure { try RocksDB(path: scene.path) }?.message.contains("set comparator to .objectiveRocksString") == true)
    }

    @Test func keysAreComparedWithoutADatabase() {
        let byLength = KeyComparator(name: "test.length") { $0.byteCount - $1.byteCount }
        let orders: [(KeyComparator, String, String, Int)] = [
            (.bytewise, "a", "b", -1), (.bytewise, "", "", 0), (.bytewise, "z", "é", -1), (.reverseBytewise, "a", "b", 1),
            (.unicodeAscending, "é", "e\u{301}", 0), (.unicodeAscending, "é", "f", -1), (.unicodeDescending, "é", "f", 1),
            (byLength, "ab", "z", 1), (byLength, "ab", "yz", 0),
        ]
        for (order, first, second, expected) in orders {
            #expect(order.compare(first, second).signum() == expected, "\(order.name): \(first) and \(second)")
            #expect(order.compare(second, first).signum() == -expected, "\(order.name): \(second) and \(first)")
        }
    }

    /// However it is written, it is one key.
    @Test(arguments: [
        ["é", "e\u{301}"], ["각", "\u{1100}\u{1161}\u{11A8}", "가\u{11A8}"], ["Å", "A\u{30A}", "\u{212B}"],
        ["q\u{307}\u{323}", "q\u{323}\u{307}"], ["\u{1E69}", "s\u{307}\u{323}", "\u{1E63}\u{307}", "\u{1E61}\u{323}"],
        ["a\u{301}\u{301}b", "á\u{301}b"], ["\u{323}\u{307}", "\u{307}\u{323}"], ["\u{1D15E}", "\u{1D157}\u{1D165}"],
    ])
    func equivalentTextsAreOneKey(forms: [String]) throws {
        let db = try open()
        for first in forms {
            for second in forms {
                try db.put("1", for: "x" + first + "y")
                try db.flush()
                try db.put("2", for: "x" + second + "y")
                #expect(try db.text("x" + first + "y") == "2" && db.keyTexts().count == 1)
                try db.flush()
                #expect(try db.text("x" + first + "y") == "2" && db.multiGet(forms.map { "x" + $0 + "y" }).allSatisfy { $0 != nil })
                try db.delete("x" + first + "y")
                #expect(try db.keys().isEmpty)
            }
        }
    }

    /// Foundation's decomposition, for scalars that Unicode 14.0 has.
    @Test func agreesWithFoundation() async throws {
        let known = (0x20...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }.filter { scalar in
            guard let age = scalar.properties.age else { return false }
            return age.major <= 14 && scalar.properties.generalCategory != .privateUse
        }
        let marks = known.filter { $0.properties.canonicalCombiningClass != .notReordered }
        // Most scalars do not change; look for those that do.
        let changing = known.filter { Array(String($0).decomposedStringWithCanonicalMapping.unicodeScalars) != [$0] }
        #expect(marks.count > 800 && changing.count > 13_000)
        // Foundation leaves marks that it has decomposed itself where they are; their order is part of the form.
        @Sendable func decomposed(_ text: String) -> [UInt32] {
            func rank(_ scalar: Unicode.Scalar) -> UInt8 { scalar.properties.canonicalCombiningClass.rawValue }
            var scalars = Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
            for end in scalars.indices {
                var index = end
                while index > 0, rank(scalars[index]) > 0, rank(scalars[index - 1]) > rank(scalars[index]) {
                    scalars.swapAt(index, index - 1)
                    index -= 1
                }
            }
            return scalars.map(\.value)
        }
        let scene = scene
        try await withSeeds("unicode order", count: Thorough.count(1, of: 4)) { generator in
            let name = "seed \(generator.seed)"
            let db = try scene.open(ColumnFamilyOptions(comparator: .unicodeAscending))
            let family = try db.createColumnFamily(name, options: .init(comparator: .unicodeAscending))
            var expected: [[UInt32]: String] = [:]
            for _ in 0..<1_500 {
                var text = ""
                for _ in 0..<generator.int(in: 0..<5) {
                    switch generator.int(in: 0..<6) {
                    case 0: text.unicodeScalars.append(generator.pick(known))
                    case 1...2: text.unicodeScalars.append(generator.pick(marks))
                    case 3...4: text.unicodeScalars.append(generator.pick(changing))
                    default: text += generator.pick(["a", "e", "z", "\u{300}", "\u{1161}", "\u{11A8}", "\u{1100}"])
                    }
                }
                try family.put(text, for: text)
                expected[decomposed(text)] = text
            }
            let order = expected.keys.sorted { $0.lexicographicallyPrecedes($1) }
            let found = try family.entries(as: (String.self, String.self)).map { decomposed($0.0) }
            #expect(found.count == order.count)
            for (key, wanted) in zip(found, order) where key != wanted {
                Issue.record("\(key) stands in the place of \(wanted)")
                break
            }
            for (scalars, text) in expected {
                // Sought in another form than it was written in.
                let composed = text.precomposedStringWithCanonicalMapping
                if composed == text { #expect(try family.text(composed) == text, "\(scalars)") }
            }
            try db.dropColumnFamily(name)
            try db.close()
        }
    }

    /// Bytes that are not UTF-8 come behind all characters, by their values; nothing is equal to them but themselves.
    @Test func bytesThatAreNotText() throws {
        let db = try open()
        let keys: [[UInt8]] = [
            [], [0x61], [0x61, 0xCC, 0x81], [0xF4, 0x8F, 0xBF, 0xBF], [0x80], [0x80, 0x61], [0x80, 0x80], [0xC0, 0x80], [0xC3],
            [0xC3, 0x61], [0xC3, 0xC3, 0xA9], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
            [0xFF, 0xFF],
        ]
        for key in keys.shuffled() { try db.put(key, for: key) }
        #expect(try db.keys() == keys)
        for key in keys { #expect(try db.get(key) == key) }
    }

    /// A strict order whatever the bytes: a database of random keys is not damaged, and finds them all.
    @Test func anyBytes() async throws {
        let scene = scene
        try await withSeeds("unicode order of any bytes", count: Thorough.count(1, of: 5)) { generator in
            let db = try scene.open(ColumnFamilyOptions(comparator: .unicodeDescending))
            let name = "seed \(generator.seed)"
            let family = try db.createColumnFamily(name, options: .init(comparator: .unicodeDescending))
            let pieces: [[UInt8]] = [
                [0x61], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xCC, 0x81], [0xCC, 0xA3], [0xC3], [0x80], [0xFF], [0xED, 0xA0, 0x80],
            ]
            var keys: [[UInt8]] = []
            for number in 0..<800 {
                let key = (0..<generator.int(in: 0..<6)).flatMap { _ in generator.pick(pieces) }
                try family.put("\(number)", for: key)
                keys.append(key)
                if generator.oneIn(100) { try family.flush() }
            }
            try family.compact()
            for key in keys { #expect(try family.contains(key)) }
            let all = try family.keys()
            #expect(try family.keys(.all.reversed) == all.reversed())
            for key in all { #expect(try family.keys(.from(key)).first == key) }
            try db.verifyChecksums()
            try db.dropColumnFamily(name)
            try db.close()
        }
    }

    @Test func reopened() throws {
        do { try open().fill("é", "e", "f") }
        #expect(code { try scene.open(ColumnFamilyOptions(comparator: .unicodeDescending)) } == .invalidArgument)
        #expect(code { try scene.open() } == .invalidArgument)
        #expect(try open().keyTexts() == ["e", "é", "f"])
        // By its name, too.
        var options = ColumnFamilyOptions()
        options["comparator"] = "cairn.unicode14.ascending"
        let db = try scene.open(options)
        #expect(try db.text("e\u{301}") == "é" && db.currentColumnFamilyOptions()["comparator"] == "cairn.unicode14.ascending")
    }

    /// A filter would go by the bytes and miss equal keys.
    @Test func filtersOfWholeKeysAreRefused() throws {
        var options = ColumnFamilyOptions(comparator: .unicodeAscending)
        options.table.filterPolicy = .bloom()
        let error = failure { try scene.open(options) }
        #expect(error?.code == .invalidOption && error?.message.contains("filter_policy") == true)
        options.table.wholeKeyFiltering = false
        _ = try scene.open(options)
        options.memtableBloomSizeRatio = 0.1
        options.memtableWholeKeyFiltering = true
        #expect(code { try scene.open(options) } == .invalidOption)
        var byName = ColumnFamilyOptions()
        byName["comparator"] = "cairn.unicode14.ascending"
        byName["block_based_table_factory"] = "{filter_policy=bloomfilter:10:false}"
        #expect(code { try scene.open(byName) } == .invalidOption)
    }
}
