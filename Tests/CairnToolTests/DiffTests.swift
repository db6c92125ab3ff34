import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// `diff`.
struct DiffTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Two databases with every kind of difference.
    private func pair(_ comparator: KeyComparator = .bytewise) throws -> (String, String) {
        func make(_ name: String, _ entries: KeyValuePairs<String, String>) throws -> String {
            let options = ColumnFamilyOptions(comparator: comparator)
            let db = try RocksDB(path: playground.path(name), options: .init(createIfMissing: true), columnFamilyOptions: options)
            for (key, value) in entries { try db.put(value, for: key) }
            try db.close()
            return playground.path(name)
        }
        return try (
            make("first", ["a": "1", "b": "2", "c": "3", "same": "x"]), make("second", ["b": "2", "c": "4\n", "d": "5", "same": "x"])
        )
    }

    @Test func differencesAreFoundInTheOrderOfTheKeys() throws {
        let (first, second) = try pair()
        #expect(try cairn("rocks", "diff", first, second) == Outcome("- a\t1\n- c\t3\n+ c\t4\\n\n+ d\t5\n", status: 1))
        #expect(try cairn("rocks", "diff", second, first) == Outcome("+ a\t1\n- c\t4\\n\n+ c\t3\n- d\t5\n", status: 1))
        #expect(try cairn("rocks", "diff", first, second, "--keys-only") == Outcome("- a\n+ d\n", status: 1))
        #expect(try cairn("rocks", "diff", first, second, "--quiet") == Outcome(status: 1))
        #expect(try cairn("rocks", "diff", first, first) == Outcome())
        let hex = "- 61\t31\n- 63\t33\n+ 63\t340a\n+ 64\t35\n"
        #expect(try cairn("rocks", "diff", first, second, "--hex") == Outcome(hex, status: 1))
        let json = """
            {"change":"only_first","key":"a","first":"1"}
            {"change":"changed","key":"c","first":"3","second":"4\\n"}
            {"change":"only_second","key":"d","second":"5"}

            """
        #expect(try cairn("rocks", "diff", first, second, "--json") == Outcome(json, status: 1))
    }

    @Test func inReverseOrder() throws {
        let (first, second) = try pair(.reverseBytewise)
        #expect(try cairn("rocks", "diff", first, second) == Outcome("+ d\t5\n- c\t3\n+ c\t4\\n\n- a\t1\n", status: 1))
    }

    @Test func columnFamiliesAreComparedByName() throws {
        let first = try playground.database("first", columnFamilies: ["here", "both"]) { try $0.columnFamily("both").put("1", for: "x") }
        let second = try playground.database("second", columnFamilies: ["both", "there"])
        let text = "column family both\n- x\t1\ncolumn family here is only in '\(first)'\ncolumn family there is only in '\(second)'\n"
        #expect(try cairn("rocks", "diff", first, second) == Outcome(text, status: 1))
        let json = """
            {"change":"only_first","column_family":"both","key":"x","first":"1"}
            {"change":"only_first","column_family":"here"}
            {"change":"only_second","column_family":"there"}

            """
        #expect(try cairn("rocks", "diff", first, second, "--json") == Outcome(json, status: 1))
        #expect(try cairn("rocks", "diff", first, second, "-c", "both") == Outcome("- x\t1\n", status: 1))
        #expect(try cairn("rocks", "diff", first, second, "-c", "default") == Outcome())
        #expect(try cairn("rocks", "diff", first, second, "-c", "here").status == 3)
    }

    @Test func differentOrdersCannotBeCompared() throws {
        let first = try playground.database("other")
        let (second, _) = try pair(.reverseBytewise)
        let error = """
            Error: Column family 'default' has different comparators: 'leveldb.BytewiseComparator' and 'rocksdb.ReverseBytewiseComparator'.
            Hint: Only databases with the same order of keys can be compared.

            """
        #expect(try cairn("rocks", "diff", first, second) == Outcome(error: error, status: 3))
    }
}

/// Orders of keys that are not RocksDB's.
struct OrderTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func database(_ comparator: KeyComparator, _ name: String = "db", keys: [String]) throws -> String {
        let options = ColumnFamilyOptions(comparator: comparator)
        let db = try RocksDB(path: playground.path(name), options: .init(createIfMissing: true), columnFamilyOptions: options)
        for key in keys { try db.put("1", for: key) }
        try db.flush()
        try db.put("2", for: "b")
        try db.close()
        return playground.path(name)
    }

    @Test func textsAreInTheirOrder() throws {
        let up = try database(.unicodeAscending, "up", keys: ["f", "é", "ez"])
        let other = try database(.unicodeAscending, "other", keys: ["f", "e\u{301}"])
        #expect(try cairn("rocks", "scan", up) == Outcome("b\t2\nez\t1\né\t1\nf\t1\n"))
        #expect(try cairn("rocks", "put", up, "e\u{301}", "3") == Outcome())
        #expect(try cairn("rocks", "get", up, "é") == Outcome("3"))
        #expect(try cairn("rocks", "diff", up, other, "--keys-only") == Outcome("- ez\n", status: 1))
        let down = try database(.unicodeDescending, "down", keys: ["f", "é", "ez"])
        #expect(try cairn("rocks", "scan", down, "--keys-only") == Outcome("f\né\nez\nb\n"))
    }

    @Test func theUserMayVouchForAnOrder() throws {
        let backwards = KeyComparator.reverseBytewise
        let own = KeyComparator(name: "test.backwards", equalKeys: .sameBytes) { backwards.compare($0, $1) }
        let db = try database(own, keys: ["a", "c"])
        let error = """
            Error: Column family 'default' of '\(db)' orders keys with the comparator 'test.backwards', which only its program has.
            Hint: If it is equivalent to one of RocksDB's or Cairn's comparators, name that with --order; this works for commands that only read.

            """
        #expect(try cairn("rocks", "scan", db) == Outcome(error: error, status: 3))
        #expect(try cairn("rocks", "scan", db, "--order", "reverse-bytewise") == Outcome("c\t1\nb\t2\na\t1\n"))
        // Only for commands that only read.
        for command in [["put", db, "x", "1"], ["repair", db, "--yes"], ["column-families", db]] {
            let refused = try runTool("cairn", ["rocks"] + command + ["--order", "reverse-bytewise"])
            #expect(refused.status == 2 && refused.standardError.hasPrefix("Error: Unknown option '--order'"))
        }
        #expect(try cairn("rocks", "scan", db, "--order", "nonsense").status == 2)
    }
}
