import Foundation
import Testing

@testable import CairnMapped

struct SharedHeaderTests {
    /// The table of shared words in the description of the format has every word of the code, at its offset, and no other.
    @Test func theDescriptionHasTheSameOffsets() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "docs/formats/mapped.md"), encoding: .utf8)
        let section = try #require(text.components(separatedBy: "## Shared words").last?.components(separatedBy: "\n## ").first)
        var described: [String: Int] = [:]
        for line in section.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 3, let offset = Int(cells[0].replacing(",", with: "")) else { continue }
            described[cells[1].replacing("`", with: "")] = offset
        }
        let words = SharedHeader.Word.allCases.map { ("\($0)", $0.rawValue) }
        #expect(described == Dictionary(uniqueKeysWithValues: words))
    }
}
