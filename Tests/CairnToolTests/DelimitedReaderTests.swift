import CairnCore
import CairnTestSupport
import CairnToolKit
import Testing

/// CSV and TSV.
struct DelimitedReaderTests {
    @Test func rowsBecomeObjectsUnderTheFirstColumn() throws {
        #expect(try read("id,name\n1,Ann\n2,Bob\n", .csv) == [#"2 1 = {"id":"1","name":"Ann"}"#, #"3 2 = {"id":"2","name":"Bob"}"#])
    }

    @Test func keyNamesTheColumn() throws {
        #expect(try read("id,name\n1,Ann\n", .csv, key: "name") == [#"2 Ann = {"id":"1","name":"Ann"}"#])
        #expect(try read("id,name\n1,Ann\n", .csv, key: "x") == ["error 1: the header has no column 'x'; it has id, name"])
    }

    @Test func numbersThatNoIntCanHoldAreErrors() throws {
        let playground = try Playground()
        func read(_ number: String) throws -> InputItem? {
            let input = try ByteInput(path: playground.file("numbers.csv", "k,n\na,\(number)\n"))
            var reader = try DelimitedReader(input: input, delimiter: UInt8(ascii: ","), keyField: nil, types: ["n": .int])
            return try reader.next()
        }
        #expect(try read("\(Int.max)") != nil)
        let failure = #expect(throws: InputError.self) { try read("9223372036854775808") }
        #expect(failure?.line == 2 && failure?.message == "'9223372036854775808', in the column 'n', is not a valid int")
    }

    @Test func quotedFieldsHoldDelimitersQuotesAndNewlines() throws {
        let text = "k,v\n\"a,b\",\"say \"\"hi\"\"\"\n\"c\",\"two\nlines\"\nd,\"\"\n"
        #expect(
            try read(text, .csv) == [
                #"2 a,b = {"k":"a,b","v":"say \\"hi\\""}"#,
                #"3 c = {"k":"c","v":"two\\nlines"}"#,
                #"5 d = {"k":"d","v":""}"#,
            ]
        )
    }

    @Test func lineEndsAndMarksMakeNoDifference() throws {
        let expected = [#"2 a = {"k":"a","v":"1"}"#, #"3 b = {"k":"b","v":""}"#]
        #expect(try read("k,v\na,1\nb,\n", .csv) == expected)
        #expect(try read("k,v\r\na,1\r\nb,\r\n", .csv) == expected)
        #expect(try read("k,v\na,1\nb,", .csv) == expected)
        #expect(try read("k,v\r\n\"a\",\"1\"\r\n\"b\",\"\"\r\n", .csv) == expected)
        #expect(try read("\u{FEFF}k,v\na,1\nb,\n", .csv) == expected)
    }

    @Test func emptyLinesAreNoRows() throws {
        #expect(try read("\nk\n\na\n\n\n", .csv) == [#"4 a = {"k":"a"}"#])
    }

    @Test func tabsSeparateInTSV() throws {
        #expect(try read("k\tv\na,b\t\"x\ty\"\n", .tsv) == [#"2 a,b = {"k":"a,b","v":"x\\ty"}"#])
    }

    @Test(arguments: [
        ("", "error: is empty; it must begin with a header that names the columns"),
        ("\n\n", "error: is empty; it must begin with a header that names the columns"),
        ("a,b,a\n1,2,3\n", "error 1: the header names the column 'a' twice"),
        ("a,b\r1,2\r3,4\r", "error: has lines that end with CR alone; end them with LF first (tr '\\r' '\\n')"),
        ("a\r1\r2", "error: has lines that end with CR alone; end them with LF first (tr '\\r' '\\n')"),
        ("\"a\",\"b\"\r\"1\",\"2\"\r", "error: has lines that end with CR alone; end them with LF first (tr '\\r' '\\n')"),
        ("a,b\n1\n", "error 2: has 1 field, but the header has 2"),
        ("a,b\n1,2,3\n", "error 2: has 3 fields, but the header has 2"),
        ("a,b\n,2\n", "error 2: the key column 'a' is empty"),
        ("a,b\n\n1,\"2\n3\n", "error 3: a quoted field is not closed"),
        ("a,b\n1,2\"3\n", "error 2: has a quote in an unquoted field; quote the whole field and double the quotes in it"),
        ("a,b\n1,\"2\"3\n", "error 2: has text after a closing quote; double the quotes within a quoted field"),
        ("a,b\n1,\"2\"\r3\n", "error 2: has text after a closing quote; double the quotes within a quoted field"),
    ])
    func malformedInputIsAnError(text: String, error: String) throws {
        #expect(try read(text, .csv) == [error])
    }

    @Test func fieldsMustBeUTF8() throws {
        #expect(try read(Array("a,b\n1,".utf8) + [0xFF, 0x0A], .csv) == ["error 2: field 2 is not valid UTF-8"])
        let utf16 = "error: is UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"
        #expect(try read([0xFF, 0xFE, 0x61, 0x00], .csv) == [utf16])
    }

    @Test func rowsLongerThanTheBufferAreRead() throws {
        let long = String(repeating: "x", count: 700_000)
        let lines = try read("k,v\na,\(long)\nb,1\n", .csv)
        #expect(lines == [#"2 a = {"k":"a","v":"\#(long)"}"#, #"3 b = {"k":"b","v":"1"}"#])
    }

    @Test func rowsHaveSoManyFieldsAndNoMore() throws {
        let error = "error 2: has more than 100,000 fields, or is longer than 256 MiB"
        #expect(try read("a,b\n" + String(repeating: ",", count: 100_001), .csv) == [error])
        #expect(try read("a,b\n" + String(repeating: ",", count: 99_999), .csv) == ["error 2: has 100,000 fields, but the header has 2"])
    }

    @Test func fieldsHaveEightMebibytesAndNoMore() throws {
        let playground = try Playground()
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        func lastField(_ start: String, _ end: String) throws -> [UInt8]? {
            let text = Array("a,b\n1,2\n3,\(start)".utf8) + long + Array(end.utf8)
            let rows = try DelimitedRows(input: try ByteInput(path: playground.file("long.csv", text)), delimiter: UInt8(ascii: ","))
            #expect(try rows.next()?.line == 2)
            return try rows.next()?.fields.last
        }
        #expect(try lastField("", "\n") == long)
        #expect(try lastField("\"", "\"\n") == long)
        for (start, end) in [("", "x\n"), ("\"", "x\"\n"), ("\"", "\"\"\"\n")] {
            let failure = #expect(throws: InputError.self) { _ = try lastField(start, end) }
            #expect(failure?.line == 3 && failure?.message == "has a field that is longer than 8 MiB")
        }
    }

    @Test(.thorough) func rowsHaveAnEnd() throws {
        let field = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20) + [UInt8(ascii: ",")]
        let error = "error 2: has more than 100,000 fields, or is longer than 256 MiB"
        #expect(try read(Array("a,b\n".utf8) + (0..<33).flatMap { _ in field }, .csv) == [error])
    }
}
