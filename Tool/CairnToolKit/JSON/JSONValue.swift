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

    /// The JSON text, on one line.
    package var text: [UInt8] {
        var json: [UInt8] = []
        append(to: &json)
        return json
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
