import CairnTestSupport
import CairnToolKit
import Testing

struct JSONScannerTests {
    @Test(arguments: [
        (#"{"a":1"#, "column 7: expected ',' or '}'"),
        (#"{"a" 1}"#, "column 6: expected ':'"),
        (#"{a:1}"#, "column 2: expected a field name in quotes"),
        (#"{"a":1,}"#, "column 8: expected a field name in quotes"),
        (#"{"a":[1,]}"#, "column 9: expected a value"),
        (#"{"a":[1 2]}"#, "column 9: expected ',' or ']'"),
        (#"{"a":01}"#, "column 8: a number has a leading zero"),
        (#"{"a":1.}"#, "column 8: expected a digit"),
        (#"{"a":1e}"#, "column 8: expected a digit"),
        (#"{"a":-}"#, "column 6: expected a value"),
        (#"{"a":nul}"#, "column 6: expected a value"),
        (#"{"a":"#, "column 6: expected a value"),
        (#"{"a":"x"#, "column 6: a string is not closed"),
        (#"{"a":"\x"}"#, "column 8: unknown escape in a string"),
        (#"{"a":"\u12g4"}"#, "column 11: expected four hexadecimal digits"),
        (#"{"a":1} x"#, "column 9: there is more text after the object"),
        ("{\"a\":\"\u{1}\"}", "column 7: a control character in a string must be escaped"),
    ])
    func faultsNameTheirPlace(text: String, fault: String) throws {
        let error = #expect(throws: JSONFault.self) { try JSONScanner.fields(ofObject: Array(text.utf8)) }
        #expect(error?.description == "is not valid JSON at \(fault)")
    }

    @Test(arguments: [#"{"\ud800":1}"#, #"{"\udc00":1}"#, #"{"\ud800\u0041":1}"#, #"{"\ud83d\ud83d":1}"#])
    func halfSurrogatePairsAreFaults(text: String) {
        let error = #expect(throws: JSONFault.self) { try JSONScanner.fields(ofObject: Array(text.utf8)) }
        #expect(error?.message == "unpaired surrogate")
    }

    @Test func depthIsLimited() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((#"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}").utf8)
        }
        #expect(try JSONScanner.fields(ofObject: nested(500)).count == 1)
        #expect(throws: JSONFault.self) { try JSONScanner.fields(ofObject: nested(100_000)) }
    }

    @Test func numbersOfAllFormsAreTaken() throws {
        let numbers = ["-0", "0.5e-7", "10E+2", "123456789012345678901234567890"]
        let text = Array(("{" + numbers.map { "\"n\":\($0)" }.joined(separator: ",") + "}").utf8)
        let fields = try JSONScanner.fields(ofObject: text)
        #expect(fields.map { String(decoding: text[$0.range], as: UTF8.self) } == numbers)
    }

    /// Whatever comes in: an error or fields, never a trap.
    @Test func anyBytesAreSurvived() async throws {
        let whole = Array(#"{"key":"a\u0041\n","value":[1,-2.5e3,true,null,{"x":{}}],"é":"😀"}"#.utf8)
        try await withSeeds("JSON with damage", count: Thorough.count(50, of: 200)) { generator in
            var text = whole
            for _ in 0..<generator.int(in: 1..<4) {
                let place = generator.int(in: 0..<text.count)
                if generator.oneIn(3) { text.remove(at: place) } else { text[place] = UInt8(truncatingIfNeeded: generator.next()) }
            }
            // The scanner gets valid text alone.
            if !isValidUTF8(text) { text = Array(String(decoding: text, as: UTF8.self).utf8) }
            do throws(JSONFault) {
                let fields = try JSONScanner.fields(ofObject: text)
                #expect(fields.allSatisfy { $0.range.upperBound <= text.count && !$0.range.isEmpty })
            } catch {
                #expect(error.column >= 1 && error.column <= text.count + 1)
            }
        }
    }
}
