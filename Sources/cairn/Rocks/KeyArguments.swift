import ArgumentParser
import CairnRocks
import CairnToolKit

/// How keys and values are written on the command line and in the output.
struct HexArguments: ParsableArguments {
    @Flag(help: "Keys and values are hexadecimal digits, on the command line and in the output.")
    var hex = false

    /// The bytes that an argument stands for.
    func bytes(_ text: String) throws -> [UInt8] {
        guard hex else { return Array(text.utf8) }
        guard let bytes = Hex.bytes(text.utf8) else {
            throw Failure(.usage, "'\(text)' is not made of pairs of hexadecimal digits, as --hex asks.")
        }
        return bytes
    }

    /// `bytes` as a field of a JSON object: under `name` if they are text, else under `name_hex`.
    func appendField(_ name: StaticString, _ bytes: [UInt8], to json: inout [UInt8]) {
        let isText = !hex && isValidUTF8(bytes)
        json.append(UInt8(ascii: "\""))
        json += name.description.utf8
        json += (isText ? #"":"# : #"_hex":"#).utf8
        JSONText.appendString(isText ? bytes : Hex.digits(bytes), to: &json)
    }
}

/// Which keys a command goes through.
struct RangeArguments: ParsableArguments {
    @Option(help: "Only keys that begin with these bytes.")
    var prefix: String?

    @Option(help: "Begin at this key.")
    var from: String?

    @Option(help: "End before this key.")
    var to: String?

    func validate() throws {
        if prefix != nil && (from != nil || to != nil) {
            throw ValidationError("--prefix cannot be combined with --from and --to.")
        }
    }

    func range(_ hex: HexArguments, isReversed: Bool = false) throws -> ScanRange {
        let prefix = try prefix.map(hex.bytes)
        let from = try from.map(hex.bytes)
        let to = try to.map(hex.bytes)
        let range: ScanRange =
            switch (prefix, from, to) {
            case (let prefix?, _, _): .prefix(prefix)
            case (nil, let from?, let to?): .from(from, to: to)
            case (nil, let from?, nil): .from(from)
            case (nil, nil, let to?): .to(to)
            case (nil, nil, nil): .all
            }
        return isReversed ? range.reversed : range
    }
}
