import CairnTestSupport
import CairnToolKit
import Testing

struct JSONScannerTests {
    @Test(arguments: [
        (#"{"a":1"#, "column 7: ',' or '}' is expected"),
        (#"{"a" 1}"#, "column 6: ':' is expected"),
        (#"{a:1}"#, "column 2: a field name in quotes is expected"),
        (#"{"a":1,}"#, "column 8: a field name in quotes is expected"),
        (#"{"a":[1,]}"#, "column 9: a value is expected"),
        (#"{"a":[1 2]}"#, "column 9: ',' or ']' is expected"),
        (#"{"a":01}"#, "column 8: a number begins with a needless zero"),
        (#"{"a":1.}"#, "column 8: a digit is expected"),
        (#"{"a":1e}"#, "column 8: a digit is expected"),
        (#"{"a":-}"#, "column 6: a value is expected"),
        (#"{"a":nul}"#, "column 6: a value is expected"),
        (#"{"a":"#, "column 6: a value is expected"),
        (#"{"a":"x"#, "column 6: a string is opened and never closed"),
        (#"{"a":"\x"}"#, "column 8: an unknown escape in a string"),
        (#"{"a":"\u12g4"}"#, "column 11: four hexadecimal digits are expected"),
        (#"{"a":1} x"#, "column 9: something follows the object"),
        ("{\"a\":\"\u{1}\"}", "column 7: a control character in a string must be escaped"),
    ])
    func faultsNameTheirPlace(text: String, fault: String) throws {
        let error = #expect(throws: JSONFault.self) { try JSONScanner.fields(ofObject: Array(text.utf8)) }
        #expect(error?.description == "is not valid JSON at \(fault)")
    }

    @Test(arguments: [#"{"\ud800":1}"#, #"{"\udc00":1}"#, #"{"\ud800\u0041":1}"#, #"{"\ud83d\ud83d":1}"#])
    func halfSurrogatePairsAreFaults(text: String) {
        let error = #expect(throws: JSONFault.self) { try JSONScanner.fields(ofObject: Array(text.utf8)) }
        #expect(error?.message == "half of a surrogate pair")
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
            guard isValidUTF8(text) else { return }
            do throws(JSONFault) {
                let fields = try JSONScanner.fields(ofObject: text)
                #expect(fields.allSatisfy { $0.range.upperBound <= text.count && !$0.range.isEmpty })
            } catch {
                #expect(error.column >= 1 && error.column <= text.count + 1)
            }
        }
    }
}
