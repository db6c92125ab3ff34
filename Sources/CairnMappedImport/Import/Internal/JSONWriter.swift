#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Pieces of JSON text.
enum JSONWriter {
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func object(_ members: [(name: String, text: String)]) -> String {
        "{" + members.map { "\(string($0.name)):\($0.text)" }.joined(separator: ",") + "}"
    }

    static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    static func base64(_ bytes: [UInt8]) -> String { string(Data(bytes).base64EncodedString()) }
}
