import ArgumentParser
import CairnToolKit

/// How keys and values are written on the command line and in the output: as bytes or, keys of typed tables, by their elements.
struct KeyForm: ParsableArguments {
    @OptionGroup var hex: HexArguments

    @Option(
        help: ArgumentHelp(
            "The types of the elements of a typed table's keys: string, int, float, double, bool, date, uuid, bytes. Keys are then written as their elements, separated by commas.",
            valueName: "types"
        )
    )
    var keyType: KeyTypes?

    func validate() throws {
        if hex.hex && keyType != nil { throw ValidationError("--hex cannot be combined with --key-type.") }
    }

    /// The key that an argument represents.
    func key(_ argument: ByteArgument) throws -> [UInt8] { try bytes(argument, isPart: false) }

    /// The bytes that a bound of a range represents: of a compound key, it may have the first elements only.
    func bound(_ argument: ByteArgument) throws -> [UInt8] { try bytes(argument, isPart: true) }

    private func bytes(_ argument: ByteArgument, isPart: Bool) throws -> [UInt8] {
        guard let keyType else { return try hex.bytes(argument) }
        guard !RawArguments.isForeign(argument.text) else {
            throw Failure(.usage, "'\(argument)' is not UTF-8, which --key-type requires.")
        }
        return try keyType.bytes(argument.text, isPart: isPart)
    }

    /// Appends a key as text on one line.
    func append(key: [UInt8], to line: inout [UInt8]) throws {
        guard let keyType else { return append(key, to: &line) }
        let parts = try keyType.values(key).map { value in
            if case .string(let text) = value { text } else { String(decoding: value.text, as: UTF8.self) }
        }
        EscapedText.append(Array(parts.joined(separator: ",").utf8), to: &line)
    }

    /// Appends a value, or a key that is bytes, as text on one line.
    func append(_ bytes: [UInt8], to line: inout [UInt8]) {
        if hex.hex { line += Hex.digits(bytes) } else { EscapedText.append(bytes, to: &line) }
    }

    /// Appends the entry as a JSON object on a line; a `nil` value is omitted. The elements of a compound key are an array.
    func appendEntry(key: [UInt8], value: [UInt8]?, to json: inout [UInt8]) throws {
        json.append(UInt8(ascii: "{"))
        try appendFields(key: key, value: value, to: &json)
        json += "}\n".utf8
    }

    /// Same as ``appendEntry(key:value:to:)``, without braces.
    func appendFields(key: [UInt8], value: [UInt8]?, to json: inout [UInt8]) throws {
        if let values = try keyType?.values(key) {
            json += #""key":"#.utf8
            json += (values.count == 1 ? values[0] : .array(values)).text
        } else {
            hex.appendField("key", key, to: &json)
        }
        guard let value else { return }
        json.append(UInt8(ascii: ","))
        hex.appendField("value", value, to: &json)
    }
}
