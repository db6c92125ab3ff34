import CairnCore

/// Reads Debian control paragraphs, such as `/var/lib/dpkg/status`: each becomes a JSON object of all its fields, in their order.
///
/// Continuation lines are kept unchanged, after a newline; comment lines are skipped. Field names are case-insensitive.
package struct ControlReader: RecordReader {
    private let input: ByteInput
    private let keyField: String
    private var text: [UInt8] = []

    package init(input: ByteInput, keyField: String = "Package") {
        self.input = input
        self.keyField = keyField
    }

    package mutating func next() throws(InputError) -> InputItem? {
        var fields: [(name: String, value: [UInt8])] = []
        var names: Set<String> = []
        var size = 0
        var start = 0
        while true {
            let line = input.line
            guard try input.readLine(into: &text) else { break }
            guard isValidUTF8(text) else { throw input.error(line, "is not valid UTF-8") }
            let isBlank = text.allSatisfy(Self.isBlank)
            if isBlank && fields.isEmpty { continue }
            if isBlank { break }
            if text.first == UInt8(ascii: "#") { continue }
            if fields.isEmpty { start = line }
            size += text.count
            guard size <= ByteInput.longestLine else {
                throw input.error(start, "this paragraph is longer than \(ByteInput.longestLine >> 20) MiB")
            }
            if Self.isBlank(text[0]) {
                guard !fields.isEmpty else { throw input.error(line, "is a continuation line, but no field precedes it") }
                fields[fields.count - 1].value += [UInt8(ascii: "\n")] + text
            } else {
                fields.append(try field(on: line, after: &names))
            }
        }
        return fields.isEmpty ? nil : .record(try record(of: fields, line: start))
    }

    private func field(on line: Int, after names: inout Set<String>) throws(InputError) -> (String, [UInt8]) {
        guard Self.isFieldStart(text), let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
            throw input.error(line, "is neither 'Field: value' nor a continuation line, which begins with white space")
        }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        guard names.insert(name.lowercased()).inserted else {
            throw input.error(line, "the field '\(name)' occurs twice in this paragraph")
        }
        return (name, Array(text[(colon + 1)...].drop(while: Self.isBlank)))
    }

    private func record(of fields: [(name: String, value: [UInt8])], line: Int) throws(InputError) -> Record {
        guard let key = fields.first(where: { $0.name.lowercased() == keyField.lowercased() })?.value else {
            throw input.error(line, "this paragraph has no field '\(keyField)'")
        }
        guard !key.isEmpty else { throw input.error(line, "the key field '\(keyField)' is empty") }
        var record = Record(key: key, value: JSONText.object(fields.map { (Array($0.name.utf8), $0.value) }), line: line)
        record.valueForm = .json
        return record
    }

    /// Whether the line begins with a field name and a colon.
    static func isFieldStart(_ line: some Collection<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex else { return false }
        guard line.first != UInt8(ascii: "-"), line.first != UInt8(ascii: "#") else { return false }
        // Debian Policy 5.1: printable ASCII without blanks and colons; quotes and separators are more likely CSV or JSON.
        return line[..<colon].allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""',;{}"#.utf8.contains($0) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
