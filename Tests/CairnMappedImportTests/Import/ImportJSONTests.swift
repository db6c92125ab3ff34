import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

struct ImportJSONTests {
    private func read(_ text: String) throws -> MappedImport { try MappedImport.json(bytes: Array(text.utf8)) }

    @Test func whatJSONHas() throws {
        let result = try read(
            #"""
            { "true": true, "false":false, "int": 3, "negative": -12, "minus zero": -0, "big": 170141183460469231731687303715884105727,
              "float": 1.0, "exponent": 2e3, "text": "a\"\\\/\b\f\n\r\t\u00e9\ud83d\uddddü", "empty": "", "": 1,
              "array": [1, 2.5, "x", [], [true]], "with null": [1, null], "object": { "b" : 1,"a":[null] }, "null": null,
              "too big": 1e999, "objects": [{"a":1}] }
            """#
        )
        let expected: [String: MappedVariant] = [
            "true": .bool(true), "false": .bool(false), "int": .int(3), "negative": .int(-12), "minus zero": .int(0), "big": .int(.max),
            "float": .double(1), "exponent": .double(2000), "text": .string("a\"\\/\u{8}\u{C}\n\r\té🗝ü"), "empty": .string(""), "": .int(1),
            "array": .array([.int(1), .double(2.5), .string("x"), .array([]), .array([.bool(true)])]), "with null": .json("[1, null]"),
            "object": .json(#"{ "b" : 1,"a":[null] }"#), "too big": .json("1e999"), "objects": .array([.json(#"{"a":1}"#)]),
        ]
        #expect(result.values == expected)
        #expect(result.report.leftOut == [.init(key: "null", reason: "the value is null")])
        #expect(result.report.recordCount == 17 && result.report.importedCount == 16 && result.report.types.isEmpty)
    }

    @Test func widerThanInt128() throws {
        let result = try read(#"{"unsigned":340282366920938463463374607431768211455,"beyond":340282366920938463463374607431768211456}"#)
        let wide = try #require(result.values["unsigned"])
        #expect(try wide.withStoredBytes { bytes, type throws(MappedStoreError) in try UInt128(stored: bytes, as: type) } == .max)
        #expect(result.values["beyond"] == .double(340282366920938463463374607431768211456))
    }

    @Test func objectsThatSayATypeAreOfIt() throws {
        let result = try read(
            """
            {"date":{"type":"date","value":"2026-03-01T12:30:00.25Z"},"seconds":{"type":"date","value":1.5},"offset":{"type":"date","value":"2026-03-01T12:30:00+02:00"},
            "float":{"type":"float","value":1.5},"nan":{"value":"nan","type":"double"},"bytes":{"type":"bytes","value":"AP8="},
            "url":{"type":"url","value":"https://example.com"},"json":{"type":"json","value":[1, 2]},"unknown":{"type":200,"bytes":"AQI="},
            "expires":{"type":"int","value":7,"expires":"2001-01-01T00:01:00Z"},"array":[{"type":"bytes","value":""}],"same":{"type":5,"bytes":"YQ=="}}
            """
        )
        var values = result.values
        if case .double(let number)? = values.removeValue(forKey: "nan") { #expect(number.isNaN) } else { Issue.record("no double") }
        let expected: [String: MappedVariant] = [
            "date": .date(Date(timeIntervalSinceReferenceDate: 794_061_000.25)),
            "seconds": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
            "offset": .date(Date(timeIntervalSinceReferenceDate: 794_053_800)), "float": .float(1.5), "bytes": .bytes([0, 255]),
            "url": .url(try #require(URL(string: "https://example.com"))), "json": .json("[1, 2]"),
            "unknown": .other(MappedValueType(rawValue: 200), [1, 2]), "expires": .int(7), "array": .array([.bytes([])]),
            "same": .string("a"),
        ]
        #expect(values == expected)
        #expect(result.deadlines == ["expires": Date(timeIntervalSinceReferenceDate: 60)])
    }

    /// Objects that only look as if they said a type are objects like any others.
    @Test(arguments: [
        #"{"type":"date","value":"yesterday"}"#, #"{"type":"int","value":1.5}"#, #"{"type":"thing","value":1}"#, #"{"type":"int"}"#,
        #"{"type":"int","value":1,"more":2}"#, #"{"type":"int","value":1,"bytes":"AQ=="}"#, #"{"type":"int","value":1,"type":"int"}"#,
        #"{"type":300,"bytes":"AQ=="}"#, #"{"type":"bytes","value":"***"}"#, #"{"type":"uuid","value":"x"}"#,
        #"{"type":"bool","bytes":"AQE="}"#,
        #"{"type":"float","value":1e99}"#, #"{"type":"int","value":1,"expires":"never"}"#, #"{"type":"array","value":[null]}"#,
        #"{"type":"date","value":"2026-02-30T00:00:00Z"}"#, #"{"type":"date","value":"2026-01-01"}"#,
        #"{"type":"date","value":"2026-01-01T00:00:00"}"#,
    ])
    func lookalikes(text: String) throws {
        let result = try read("{\"a\":\(text)}")
        #expect(result.values == ["a": .json(text)] && result.deadlines.isEmpty)
    }

    @Test func theLastOfSeveralMembersCounts() throws {
        let result = try read("{\"a\":1,\"b\":2,\"a\":3,\"\u{E9}\":4,\"e\u{301}\":5,\"b\":null}")
        #expect(result.entries.map { Array($0.key.utf8) } == [[0x61], [0xC3, 0xA9], [0x65, 0xCC, 0x81]])
        #expect(result.entries.map(\.value) == [.int(3), .int(4), .int(5)])
        #expect(result.report.supersededCount == 2 && result.report.leftOut.map(\.key) == ["b"])
    }

    @Test(arguments: [
        "", " ", "3", "[]", "null", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{\"a\":01}", "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":1e}", "{\"a\":+1}", "{\"a\":tru}", "{\"a\":[1,]}", "{\"a\":[1 2]}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\u+123\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\\ud800\"}", "{\"a\":1}}", "{\"a\":1} x", "{'a':1}", "{\"a\":\"",
        "{\"a\":NaN}",
    ])
    func whatIsNotJSON(text: String) {
        #expect(importCode { try read(text) } == .malformedInput)
    }

    @Test func faultsAreFound() throws {
        do {
            _ = try read("{\"a\": 1,\n \"b\": x}")
            Issue.record("it is read")
        } catch {
            #expect((error as? MappedStoreError)?.message == "invalid JSON on line 2, byte 7: expected a value")
        }
        #expect(importCode { try MappedImport.json(bytes: Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) } == .malformedInput)
        #expect(try MappedImport.json(bytes: [0xEF, 0xBB, 0xBF] + Array("{\"a\":1}".utf8)).values == ["a": .int(1)])
    }

    @Test func depthHasALimit() throws {
        func nested(_ depth: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        #expect(try read(nested(511)).entries.count == 1)
        #expect(importCode { try read(nested(512)) } == .malformedInput)
        #expect(importCode { try read(nested(1_000_000)) } == .malformedInput)
        // In bytes, too.
        var bytes: [UInt8] = []
        for _ in 0..<100_000 {
            if bytes.count > 200_000 { break }
            bytes = [MappedValueType.array.rawValue] + MMKVFixture.varint(UInt64(bytes.count)) + bytes
            if bytes.count > 3000 { bytes = Array(bytes.prefix(3)) + bytes }
        }
        let text = "{\"a\":{\"type\":\"array\",\"bytes\":\"\(Data(bytes).base64EncodedString())\"}}"
        guard case .json? = try read(text).values["a"] else {
            Issue.record("an array nested beyond the limit is read")
            return
        }
    }

    @Test func files() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.json")
        #expect(importCode { try MappedImport.json(path: path) } == .notFound)
        try Data("{\"a\":[1]}".utf8).write(to: URL(filePath: path))
        #expect(try MappedImport.json(path: path).values == ["a": .array([.int(1)])])
    }

    @Test func damageNeverTraps() throws {
        let text = Array(#"{"a":[1,-2.5e3,{"type":"date","value":"2026-03-01T12:30:00.5Z"}],"ü":"\ud83d\uddddx","b":{"c":null}}"#.utf8)
        for count in 0..<text.count { #expect(importCode { try MappedImport.json(bytes: Array(text.prefix(count))) } == .malformedInput) }
        for offset in text.indices {
            // Every 16th byte, others from place to place, or all.
            for byte in stride(from: Thorough.isOn ? 0 : offset % 16, through: 255, by: Thorough.isOn ? 1 : 16) {
                var changed = text
                changed[offset] = UInt8(byte)
                _ = importCode { try MappedImport.json(bytes: changed) }
            }
        }
    }

    /// What Foundation takes for JSON is, and the other way round.
    @Test func foundationAgrees() async throws {
        let seed = Array(#"{"a":[1,-2.5e3,true,{"b":null,"c":"\ud83d\udddd\\ü"}],"d":0.0}"#.utf8)
        try await withSeeds("JSON", count: Thorough.count(100, of: 400)) { generator in
            var text = seed
            for _ in 0..<generator.int(in: 0..<3) {
                let offset = generator.int(in: 0..<text.count)
                switch generator.int(in: 0..<3) {
                case 0: text.remove(at: offset)
                case 1: text.insert(generator.pick(Array("{}[],:\"\\0-.e tn".utf8)), at: offset)
                default: text[offset] = generator.pick(seed)
                }
            }
            let theirs = (try? JSONSerialization.jsonObject(with: Data(text))) is [String: Any]
            let ours = importCode { try MappedImport.json(bytes: text) } == nil
            // Foundation accepts a comma at the end, which is not JSON.
            let blanks = Array(" \t".utf8)
            let dense = String(decoding: text.filter { !blanks.contains($0) }, as: UTF8.self)
            #expect(ours == theirs || theirs && (dense.contains(",}") || dense.contains(",]")), "\(String(decoding: text, as: UTF8.self))")
        }
    }
}
