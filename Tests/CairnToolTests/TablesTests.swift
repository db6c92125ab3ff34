import CairnCDB
import CairnCore
import CairnTables
import CairnTestSupport
import Foundation
import Testing

/// Tables from CSV, TSV and JSON Lines: what is read, and what is refused at which line.
struct TablesTests {
    /// The table in a file of that name, as its header and its rows, or what is wrong with the file.
    static func read(_ name: String, _ bytes: some Sequence<UInt8>) throws -> [String] {
        let directory = try TemporaryDirectory()
        let path = directory.path(name)
        try Data(Array(bytes)).write(to: URL(fileURLWithPath: path))
        do throws(TableFaults) {
            let table = try TableCompiler(source: path).table()
            return [table.header] + table.rows.map { row in "\(row.line): " + row.values.map { "\($0)" }.joined(separator: " ") }
        } catch {
            return error.lines(path: name)
        }
    }

    @Test func csvHasItsTypesInTheHeader() throws {
        let text =
            "code,name:String,population:Int?,area:Double,isIsland:Bool,note:String?\nnr,Nauru,12511,21,true,\naq,\"a, b\",,1.4e7,false,\"two\nlines\"\nx,,,-0.5,true,n\n"
        #expect(
            try Self.read("A.table.csv", text.utf8) == [
                "code:String,name:String,population:Int?,area:Double,isIsland:Bool,note:String?",
                #"2: string("nr") string("Nauru") int(12511) double(21.0) bool(true) null"#,
                #"3: string("aq") string("a, b") null double(14000000.0) bool(false) string("two\nlines")"#,
                #"5: string("x") string("") null double(-0.5) bool(true) string("n")"#,
            ]
        )
        #expect(try Self.read("A.table.tsv", "n:Int\ta\n-1\tb,c\n".utf8) == ["n:Int,a:String", #"2: int(-1) string("b,c")"#])
        #expect(try Self.read("A.table.csv", "k\n".utf8) == ["k:String"])
    }

    @Test func jsonSaysItsTypes() throws {
        let text = #"""
            {"k": 1, "name": "a", "share": 1, "on": null}

            {"name": "é", "k": 2, "share": 0.5, "on": true, "more": "x"}
            """#
        #expect(
            try Self.read("A.table.jsonl", text.utf8) == [
                "k:Int,name:String,share:Double,on:Bool?,more:String?",
                #"1: int(1) string("a") double(1.0) null null"#,
                #"3: int(2) string("é") double(0.5) bool(true) string("x")"#,
            ]
        )
    }

    @Test(arguments: [
        ("", "1: error: the file is empty; it must begin with a header that names the columns"),
        ("\n\n", "1: error: the file is empty; it must begin with a header that names the columns"),
        ("a,b\nx,1\ny\n", "3: error: the row has 1 field, but the header has 2"),
        ("a,b\nx,1,2\n", "2: error: the row has 3 fields, but the header has 2"),
        ("a,b\n\"x,1\n", "2: error: a quoted field is not closed"),
        (
            "a,b:Int\nx,1\ny,two\nz,\n",
            "3: error: 'two', in the column 'b', is not an Int|4: error: the column 'b' is empty; to allow that, make its type Int?"
        ),
        ("a,b:Int\nx,1.0\n", "2: error: '1.0', in the column 'b', is not an Int"),
        ("a,b:Int\nx,9223372036854775808\n", "2: error: '9223372036854775808', in the column 'b', is not an Int; it is too large"),
        (
            "a,b:Double\nx,1e999\ny,nan\nz,0x1p3\n",
            "2: error: '1e999', in the column 'b', is not a Double|3: error: 'nan', in the column 'b', is not a Double|4: error: '0x1p3', in the column 'b', is not a Double"
        ),
        ("a,b:Bool\nx,yes\n", "2: error: 'yes', in the column 'b', is not a Bool; write true or false"),
        ("a,b\nx,1\ny,2\nx,3\n", "4: error: the key 'x' already occurs on line 2"),
        ("a:Int,b\n7,1\n+7,2\n", "3: error: the key '7' already occurs on line 2"),
        ("a,b\n,1\n", "2: error: the key column 'a' is empty"),
        ("a:Double,b\n", "1: error: the first column, 'a', is the key, which must be a String or an Int, not Double"),
        ("a:String?,b\n", "1: error: the first column, 'a', is the key, which must be a String or an Int, not String?"),
        (
            "a,b:Float\n",
            "1: error: 'Float' is not a column type; use String, Int, Double or Bool, followed by '?' if fields may be empty"
        ),
        ("a,b,b\n", "1: error: the header names the column 'b' twice"),
        ("a,b,b:Int\n", "1: error: two columns are named 'b'"),
        ("a,class\n", "1: error: a column cannot be named 'class', which is reserved in Swift"),
        ("a,hashValue\n", "1: error: a column cannot be named 'hashValue', which is reserved in Swift"),
        ("a,\n", "1: error: a column has no name"),
        (
            "a,_\n",
            "1: error: a column cannot be named '_': use ASCII letters, digits and '_', starting with a lowercase letter"
        ),
        (
            "\na,two words\n",
            "2: error: a column cannot be named 'two words': use ASCII letters, digits and '_', starting with a lowercase letter"
        ),
        (
            "a,1st,Größe\n",
            "1: error: a column cannot be named '1st': use ASCII letters, digits and '_', starting with a lowercase letter|"
                + "1: error: a column cannot be named 'Größe': use ASCII letters, digits and '_', starting with a lowercase letter"
        ),
        ("a,b:Int\nx,\u{1B}[31m\n", "2: error: '\\x1b[31m', in the column 'b', is not an Int"),
    ])
    func faultsOfCSVAreAtTheirLines(text: String, expected: String) throws {
        #expect(try Self.read("A.table.csv", text.utf8) == expected.split(separator: "|").map { "A.table.csv:\($0)" })
    }

    @Test(arguments: [
        ("", "1: error: the file is empty; the first object names the columns"),
        ("{}\n", "1: error: the first object has no fields; its first field must be the key"),
        ("[1]\n", "1: error: the row is not valid JSON at column 1: each line must be one object"),
        (#"{"a": "x"}"# + "\n" + #"{"a": "y", }"#, "2: error: the row is not valid JSON at column 12: expected a field name in quotes"),
        (#"{"a": "x", "b": [1]}"#, "1: error: the field 'b' is a list or an object; a column has strings, numbers or Booleans"),
        (#"{"a": "x", "b": null}"#, "1: error: the field 'b' is null in every row, so its type is unknown"),
        (#"{"a": "x", "b": 1}"# + "\n" + #"{"a": "y", "b": "1"}"#, "2: error: the field 'b' is a String, but an Int on line 1"),
        (#"{"a": "x", "b": 1, "b": 2}"#, "1: error: the row has two fields named 'b'"),
        (#"{"a": "x", "b": 12345678901234567890}"#, "1: error: '12345678901234567890', in the field 'b', fits neither an Int nor a Double"),
        (#"{"a": "x", "b": 1e999}"#, "1: error: '1e999', in the field 'b', fits neither an Int nor a Double"),
        (
            #"{"a": "x", "b": 9007199254740993}"# + "\n" + #"{"a": "y", "b": 0.5}"#,
            "1: error: 9007199254740993, in the column 'b', does not fit in a Double"
        ),
        (
            #"{"a": "x"}"# + "\n" + #"{"b": 1}"#,
            "1: error: the first column, 'a', is the key, which must be a String or an Int, not String?"
        ),
        (#"{"a": true}"#, "1: error: the first column, 'a', is the key, which must be a String or an Int, not Bool"),
        (#"{"a": "x"}"# + "\n\n" + #"{"a": "x"}"#, "3: error: the key 'x' already occurs on line 1"),
        (#"{"a": "x", "in": 1}"#, "1: error: a column cannot be named 'in', which is reserved in Swift"),
    ])
    func faultsOfJSONAreAtTheirLines(text: String, expected: String) throws {
        #expect(try Self.read("A.table.jsonl", text.utf8) == ["A.table.jsonl:\(expected)"])
    }

    @Test func textThatIsNotUTF8IsRefused() throws {
        #expect(try Self.read("A.table.csv", Array("a,b\nx,".utf8) + [0xFF, 0x0A]) == ["A.table.csv:2: error: field 2 is not valid UTF-8"])
        #expect(
            try Self.read("A.table.jsonl", Array(#"{"a":""#.utf8) + [0xC3] + Array(#""}"#.utf8)) == [
                "A.table.jsonl:1: error: the row is not valid UTF-8"
            ]
        )
        #expect(
            try Self.read("A.table.csv", [0xFF, 0xFE, 0x61, 0]) == [
                "A.table.csv:1: error: the file is UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"
            ]
        )
        #expect(try Self.read("A.table.csv", [0xEF, 0xBB, 0xBF] + Array("a\nx\n".utf8)) == ["a:String", #"2: string("x")"#])
    }

    @Test func twentyFaultsAreEnough() throws {
        let text = "a,b:Int\n" + (0..<100).map { "\($0),x\n" }.joined()
        let lines = try Self.read("A.table.csv", text.utf8)
        #expect(lines.count == 20 && lines.last?.hasPrefix("A.table.csv:21:") == true)
    }

    @Test(arguments: [
        "a.table.csv", "1.table.csv", "A-b.table.csv", "A.b.table.csv", ".table.csv", "Größe.table.csv", "String.table.csv", "A.csv",
        "A.table.txt",
    ])
    func namesOfFilesThatCannotBeTypesAreRefused(name: String) throws {
        let lines = try Self.read(name, "a\nx\n".utf8)
        #expect(lines.count == 1 && lines[0].hasPrefix("\(name):1: error: the file's name"), "\(lines)")
    }
}
