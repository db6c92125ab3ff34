import ArgumentParser
import CairnCore
import CairnToolKit

/// How keys and values are written on the command line and in the output.
struct HexArguments: ParsableArguments {
    @Flag(help: "Write keys and values as hexadecimal digits, on the command line and in the output.")
    var hex = false

    /// The bytes that an argument represents.
    func bytes(_ argument: ByteArgument) throws -> [UInt8] {
        guard hex else { return argument.bytes }
        guard let bytes = Hex.bytes(argument.text.utf8) else {
            throw Failure(.usage, "'\(argument)' does not consist of pairs of hexadecimal digits, which --hex requires.")
        }
        return bytes
    }

    /// `bytes` as a field of a JSON object: `name` if they are text, otherwise `name_hex`.
    func appendField(_ name: StaticString, _ bytes: [UInt8], to json: inout [UInt8]) {
        let isText = !hex && isValidUTF8(bytes)
        json.append(UInt8(ascii: "\""))
        json += name.description.utf8
        json += (isText ? #"":"# : #"_hex":"#).utf8
        var text: [UInt8] = []
        JSONText.appendString(isText ? bytes : Hex.digits(bytes), to: &text)
        json += JSONValue.escapingControls(text)
    }

    /// Same as ``appendField(_:_:to:)``, as a value.
    func field(_ name: String, _ bytes: [UInt8]) -> (name: String, value: JSONValue) {
        Self.field(name, bytes, isText: !hex && isValidUTF8(bytes))
    }

    static func field(_ name: String, _ bytes: [UInt8], isText: Bool) -> (name: String, value: JSONValue) {
        isText ? (name, .string(String(decoding: bytes, as: UTF8.self))) : (name + "_hex", .string(digits(bytes)))
    }

    /// The bytes as text on one line.
    func text(_ bytes: [UInt8]) -> String { hex ? Self.digits(bytes) : EscapedText.string(bytes) }

    private static func digits(_ bytes: [UInt8]) -> String { String(decoding: Hex.digits(bytes), as: UTF8.self) }

    /// The entry as a JSON object on a line; a `nil` value is omitted.
    func appendEntry(key: [UInt8], value: [UInt8]?, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "{"))
        appendField("key", key, to: &json)
        if let value {
            json.append(UInt8(ascii: ","))
            appendField("value", value, to: &json)
        }
        json += "}\n".utf8
    }
}
