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

    /// A file of zeros has no end of a field. It takes no room on the disk.
    @Test(.thorough, arguments: ["", "\""]) func fieldsHaveAnEnd(start: String) throws {
        let playground = try Playground()
        let path = try playground.file("zeros.csv", "a,b\n" + start)
        try File(path, [.write]).truncate(to: 300 << 20)
        var reader = try RecordFormat.csv.reader(of: try ByteInput(path: path), key: nil)
        let failure = #expect(throws: InputError.self) { try reader.next() }
        #expect(failure?.message == "has more than 100,000 fields, or is longer than 256 MiB")
    }
}
