/// Writes JSON text.
package enum JSONText {
    /// Appends `text`, which must be UTF-8, as a string in quotes.
    package static func appendString(_ text: some Sequence<UInt8>, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case 0x0A: json += #"\n"#.utf8
            case 0x0D: json += #"\r"#.utf8
            case 0x09: json += #"\t"#.utf8
            // Also DEL, which JSON lets through and terminals do not.
            case ..<0x20, 0x7F:
                json += #"\u00"#.utf8
                Hex.append(byte, to: &json)
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    /// An object of strings, in the order given.
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
