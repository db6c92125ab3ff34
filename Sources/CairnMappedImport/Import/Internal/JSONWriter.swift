import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Pieces of JSON text.
enum JSONWriter {
    static func object(_ members: [(name: String, text: String)]) -> String {
        "{" + members.map { "\(JSONText.string($0.name)):\($0.text)" }.joined(separator: ",") + "}"
    }

    static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }

    static func base64(_ bytes: [UInt8]) -> String { JSONText.string(Data(bytes).base64EncodedString()) }
}
