import CairnCore
import Foundation
import Testing

/// The quoting of JSON strings, which exports and the tool share.
struct JSONTextTests {
    @Test func everyCharacterIsQuotedForJSON() throws {
        let text = String(String.UnicodeScalarView((0...0x250).compactMap { Unicode.Scalar($0) })) + "\u{2028}\u{1F600}"
        let json = JSONText.string(text)
        #expect(json.hasPrefix(#""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\t\n\u000b\u000c\r\u000e\u000f\u0010"#))
        #expect(json.contains(##"\u001f !\"#$"##) && json.contains(#"[\\]"#) && json.contains(#"~\u007f"#) && json.hasSuffix("\u{2028}😀\""))
        #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == text)
        #expect(JSONText.string("") == #""""#)
    }

    @Test func objectsKeepTheOrderOfTheirFields() {
        let fields: [(name: [UInt8], value: [UInt8])] = [(Array("b\"".utf8), Array("1".utf8)), (Array("a".utf8), [])]
        #expect(String(decoding: JSONText.object(fields), as: UTF8.self) == #"{"b\"":"1","a":""}"#)
    }
}
