import CairnCore

/// A value to be written as JSON; objects keep the order of their fields.
package indirect enum JSONValue {
    case null
    case bool(Bool)
    case int(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    /// JSON text, unchanged.
    case raw(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])

    /// The JSON text, on one line. Nothing in it can control a terminal.
    package var text: [UInt8] {
        var json: [UInt8] = []
        append(to: &json)
        return Self.escapingControls(json)
    }

    /// Returns JSON text with escapes for the characters that JSON allows unescaped and that ``EscapedText`` does not print: U+0080 to U+009F, the
    /// separators of lines and paragraphs, and marks that change the writing direction. All of them can only occur in strings.
    package static func escapingControls(_ json: [UInt8]) -> [UInt8] {
        // The first byte of those characters is one of these.
        guard json.contains(where: { $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }) else { return json }
        var result: [UInt8] = []
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar.value >= 0x80, !EscapedText.isPrintable(scalar), let unit = UInt16(exactly: scalar.value) {
                result += #"\u"#.utf8
                Hex.append(UInt8(unit >> 8), to: &result)
                Hex.append(UInt8(truncatingIfNeeded: unit), to: &result)
            } else {
                result += UTF8.encode(scalar)!
            }
        }
        return result
    }

    private func append(to json: inout [UInt8]) {
        switch self {
        case .null: json += "null".utf8
        case .bool(let value): json += (value ? "true" : "false").utf8
        case .int(let value): json += String(value).utf8
        case .unsigned(let value): json += String(value).utf8
        case .double(let value): json += (value.isFinite ? String(value) : "null").utf8
        case .string(let value): JSONText.appendString(Array(value.utf8), to: &json)
        case .raw(let text): json += text.utf8
        case .array(let values):
            json.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                value.append(to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .object(let fields):
            json.append(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                JSONText.appendString(Array(field.name.utf8), to: &json)
                json.append(UInt8(ascii: ":"))
                field.value.append(to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }
}
