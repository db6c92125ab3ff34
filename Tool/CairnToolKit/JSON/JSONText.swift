/// Writes JSON text.
package enum JSONText {
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
            case ..<0x20, 0x7F:
                json += #"\u00"#.utf8
                Hex.append(byte, to: &json)
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
