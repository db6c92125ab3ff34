/// Writes JSON text: the one place that quotes strings, for the exports of all stores and for the tool.
package enum JSONText {
    /// Returns `text` as a quoted string.
    package static func string(_ text: String) -> String {
        var json: [UInt8] = []
        appendString(Array(text.utf8), to: &json)
        return String(decoding: json, as: UTF8.self)
    }

    /// Appends `text`, which must be UTF-8, as a quoted string.
    package static func appendString(_ text: [UInt8], to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        if text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 != 0x7F }) {
            json += text
            json.append(UInt8(ascii: "\""))
            return
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                json.append(UInt8(ascii: "\\"))
                json.append(byte)
            case 0x0A: json += #"\n"#.utf8
            case 0x0D: json += #"\r"#.utf8
            case 0x09: json += #"\t"#.utf8
            // Also DEL, which JSON allows and terminals do not.
            case ..<0x20, 0x7F: json += ((byte < 0x10 ? #"\u000"# : #"\u00"#) + String(byte, radix: 16)).utf8
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    /// Returns an object of strings, in the given order.
    package static func object(_ fields: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "{")]
        for (index, field) in fields.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            appendString(field.name, to: &json)
            json.append(UInt8(ascii: ":"))
            appendString(field.value, to: &json)
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}
