import CairnRocks
import Foundation
import Testing

/// `diff`.
struct DiffTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    /// Two databases with every kind of difference.
    private func pair(_ comparator: CairnRocks.Comparator = .bytewise) throws -> (String, String) {
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
            Error: The keys of column family 'default' are ordered by 'leveldb.BytewiseComparator' and by 'rocksdb.ReverseBytewiseComparator'.
            Hint: Only databases of the same order can be compared.

            """
        #expect(try cairn("rocks", "diff", first, second) == Outcome(error: error, status: 3))
    }
}
