import CairnToolKit
import Testing

/// JSON Lines.
struct JSONLinesReaderTests {
    @Test func exportedLinesAreRead() throws {
        let text = #"""
            {"key":"a","value":"1"}

            {"key_hex":"00ff","value_hex":""}
            {"column_family":"songs"}
            {"column_family":"songs","value":"\u00fc\ud83d\ude00\n","key":""}
            {"key":"n","value":{"x":[1, 2]}}
            """#
        #expect(
            try read(text, .jsonl) == [
                "1 a = 1", #"3 \x00\xff = "#, "column family songs", #"5 [songs]  = ü😀\n"#, #"6 n = {"x":[1, 2]}"#,
            ]
        )
    }

    @Test func objectsAreStoredAsTheyStandUnderTheirKey() throws {
        let text = "  {\"id\": 7, \"name\" :\"x\"} \r\n{\"name\":\"y\",\"id\":\"8\\u0041\"}\n{\"id\":true}"
        #expect(
            try read(text, .jsonl, key: "id") == [
                #"1 7 = {"id": 7, "name" :"x"}"#, #"2 8A = {"name":"y","id":"8\\u0041"}"#, #"3 true = {"id":true}"#,
            ]
        )
    }

    @Test(arguments: [
        (#"{"value":"1"}"#, "has neither a field 'key' nor 'key_hex'; name the key field with --key"),
        (#"{"key":"1"}"#, "has neither a field 'value' nor 'value_hex'; name the key field with --key"),
        (#"{"key":"1","key":"2","value":""}"#, "has two fields named 'key'"),
        (#"{"key":"1","key_hex":"22","value":""}"#, "has both 'key' and 'key_hex'"),
        (#"{"key":1,"value":""}"#, "the field 'key' is not a string"),
        (#"{"key_hex":"abc","value":""}"#, "the field 'key_hex' does not contain pairs of hexadecimal digits"),
        (#"{"key":"","value_hex":"zz"}"#, "the field 'value_hex' does not contain pairs of hexadecimal digits"),
        (#"{"key":"","value":"","column_family":3}"#, "the field 'column_family' is not a string"),
        ("[1]", "is not valid JSON at column 1: each line must be one object"),
    ])
    func malformedExportIsAnError(line: String, error: String) throws {
        #expect(try read("{\"key\":\"a\",\"value\":\"\"}\n\(line)\n", .jsonl) == ["1 a = ", "error 2: \(error)"])
    }

    @Test(arguments: [
        (#"{"name":"x"}"#, "has no field 'id'"),
        (#"{"id":1,"id":2}"#, "has two fields named 'id'"),
        (#"{"id":null}"#, "the field 'id' is neither a string nor a number, so it cannot be the key"),
        (#"{"id":{}}"#, "the field 'id' is neither a string nor a number, so it cannot be the key"),
        (#"{"id":""}"#, "the key field 'id' is empty"),
    ])
    func missingKeyIsAnError(line: String, error: String) throws {
        #expect(try read(line, .jsonl, key: "id") == ["error 1: \(error)"])
    }

    @Test func linesMustBeUTF8() throws {
        let line = Array(#"{"key":""#.utf8) + [0xFF] + Array(#"","value":""}"#.utf8)
        #expect(try read(line, .jsonl) == ["error 1: is not valid UTF-8"])
    }
}
