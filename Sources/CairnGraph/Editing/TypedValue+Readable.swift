#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TypedValue {
    /// Whether a program can read the value, as far as the catalog says what it is.
    var isReadable: Bool {
        var writer = RecordWriter()
        writer.write(self, field: 1)
        guard (try? writer.check()) != nil else { return false }
        return isText
    }

    /// Whether the texts in the value are those of their types.
    private var isText: Bool {
        switch (type, value) {
        case (.optional(let type), _), (.raw(let type, _), _): value == .null || TypedValue(value, type).isText
        case (.url, .text(let text)): URL(string: text, encodingInvalidCharacters: false) != nil
        case (.decimal, .decimal(let text)): DecimalText.number(text) != nil
        case (.codable, .json(let text)): (try? JSONDecoder().decode(AnyJSON.self, from: Data(text.utf8))) != nil
        case (.array(let element), .list(let values)), (.set(let element), .list(let values)):
            values.allSatisfy { TypedValue($0, element).isText }
        case (.dictionary(let key, let element), .dictionary(let entries)):
            entries.allSatisfy { TypedValue($0.key, key).isText && TypedValue($0.value, element).isText }
        default: true
        }
    }
}

/// Any JSON, which the decoder checks.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
}
