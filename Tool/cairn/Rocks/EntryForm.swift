import CairnCore
import CairnForms
import CairnToolKit

/// How the keys and values of a column family are written: by their types, or as bytes.
struct EntryForm {
    let hex: HexArguments
    /// `nil` if keys are bytes.
    let keyTypes: KeyTypes?
    /// `nil` if values are bytes.
    let valueType: ValueType?
    /// Whether the command line gives the type. Keys without the types are then an error; otherwise they are printed as bytes.
    let isKeyTypeGiven: Bool
    /// The same for values.
    let isValueTypeGiven: Bool
}

// On the command line.
extension EntryForm {
    /// The key that an argument represents.
    func key(_ argument: ByteArgument) throws -> [UInt8] { try bytes(argument) { try $0.bytes($1, isPart: false) } }

    /// The bytes that a bound of a range represents: of a compound key, it may have the first elements only.
    func bound(_ argument: ByteArgument) throws -> [UInt8] { try bytes(argument) { try $0.bytes($1, isPart: true) } }

    /// The beginning of keys. If their only element is a string or bytes, that of the element.
    func prefix(_ argument: ByteArgument) throws -> [UInt8] { try bytes(argument) { try $0.prefix($1) } }

    private func bytes(_ argument: ByteArgument, _ bytes: (KeyTypes, String) throws -> [UInt8]) throws -> [UInt8] {
        guard let keyTypes else { return try hex.bytes(argument) }
        guard let text = String(validating: argument.bytes, as: UTF8.self) else {
            throw Failure(.usage, "'\(argument)' is not UTF-8, but a key of type \(keyTypes) must be.", hint: keyHint)
        }
        do {
            return try bytes(keyTypes, text)
        } catch let failure as Failure {
            throw Failure(failure.status, failure.message, hint: keyHint)
        }
    }

    private var keyHint: String? {
        guard let keyTypes, !isKeyTypeGiven else { return nil }
        return "The program declared keys of type \(keyTypes); --raw takes bytes."
    }

    /// The value that an argument, or another input, represents.
    func value(_ text: [UInt8], from input: String) throws -> [UInt8] {
        guard let valueType else { return text }
        // `echo 5` ends with a newline.
        let ignoresBlanks = valueType == .json || valueType.isNumber
        guard let value = valueType.bytes(ignoresBlanks ? JSONScanner.trimmed(text) : text) else {
            let hint = isValueTypeGiven ? nil : "The program declared values of type \(valueType); --raw stores bytes."
            let note = if case .integer = valueType { Numbers.noteOnInteger(String(decoding: text, as: UTF8.self)) } else { "" }
            throw Failure(.usage, "\(input) is not a valid value of type \(valueType)\(note).", hint: hint)
        }
        return value
    }
}

// In the output.
extension EntryForm {
    /// The value as text, or unchanged.
    func text(of value: [UInt8]) throws -> [UInt8] { try number(value).map { Array($0.utf8) } ?? value }

    /// Appends an entry as text on one line; a `nil` value is omitted.
    func append(key: [UInt8], value: [UInt8]?, to line: inout [UInt8]) throws {
        if let values = try values(ofKey: key) {
            let parts = values.map { value in
                if case .string(let text) = value { text } else { String(decoding: value.text, as: UTF8.self) }
            }
            EscapedText.append(Array(parts.joined(separator: ",").utf8), to: &line)
        } else {
            append(key, to: &line)
        }
        if let value {
            line.append(UInt8(ascii: "\t"))
            append(try text(of: value), to: &line)
        }
        line.append(UInt8(ascii: "\n"))
    }

    private func append(_ bytes: [UInt8], to line: inout [UInt8]) {
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
        if let values = try values(ofKey: key) {
            json += #""key":"#.utf8
            json += (values.count == 1 ? values[0] : .array(values)).text
        } else if keyTypes != nil {
            appendDigits("key", key, to: &json)
        } else {
            hex.appendField("key", key, to: &json)
        }
        guard let value else { return }
        json.append(UInt8(ascii: ","))
        try append(value: value, to: &json)
    }

    /// Appends the field from which `import` makes the same bytes.
    private func append(value: [UInt8], to json: inout [UInt8]) throws {
        guard let valueType else { return hex.appendField("value", value, to: &json) }
        if let number = try number(value), valueType.bytes(Array(number.utf8)) == value {
            let isFinite = number.contains { $0.isNumber }
            json += #""value":"#.utf8
            json += isFinite ? Array(number.utf8) : JSONValue.string(number).text
        } else if valueType == .json, valueType.isJSON(value) {
            // As it is, if that is not a string, which stands for its text, and fits on the line.
            let isPlain = value.first != UInt8(ascii: "\"") && !value.contains(UInt8(ascii: "\n")) && !value.contains(UInt8(ascii: "\r"))
            guard isPlain, value.first.map(JSONScanner.isBlank) == false, value.last.map(JSONScanner.isBlank) == false else {
                return hex.appendField("value", value, to: &json)
            }
            json += #""value":"#.utf8
            json += value
        } else if valueType == .bytes || valueType == .text {
            hex.appendField("value", value, to: &json)
        } else {
            appendDigits("value", value, to: &json)
        }
    }

    private func appendDigits(_ name: String, _ bytes: [UInt8], to json: inout [UInt8]) {
        let (name, value) = HexArguments.field(name, bytes, isText: false)
        json += "\"\(name)\":".utf8
        json += value.text
    }

    /// The elements of a key; `nil` if keys are bytes, or this one does not have the types that the program declared.
    private func values(ofKey key: [UInt8]) throws -> [JSONValue]? {
        guard let keyTypes else { return nil }
        do {
            return try keyTypes.values(key)
        } catch {
            guard isKeyTypeGiven else { return nil }
            throw Failure(
                .database,
                "The key '\(EscapedText.string(key))' does not have the types \(keyTypes): \(error.message).",
                hint: "With --raw instead of --key-type, keys are printed as bytes."
            )
        }
    }

    /// A value that is a number, as text; `nil` if values are not numbers, or this one does not have the type that the program declared.
    private func number(_ value: [UInt8]) throws -> String? {
        guard let valueType, valueType.isNumber else { return nil }
        guard let number = valueType.number(value) else {
            guard isValueTypeGiven else { return nil }
            throw Failure(
                .database,
                "The value '\(EscapedText.string(value))' does not have the type \(valueType).",
                hint: "With --raw instead of --value-type, values are printed as bytes."
            )
        }
        return number
    }
}
