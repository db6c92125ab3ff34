/// Reads JSON Lines: one object per line.
///
/// With a key field, each object is stored as its unchanged text. Without, objects are what `export` writes: `key` or `key_hex`, `value` or
/// `value_hex`, and possibly `column_family`; a `value` that is not a string is stored as its JSON text.
package struct JSONLinesReader: RecordReader {
    private let input: ByteInput
    private let keyField: String?
    private var text: [UInt8] = []

    package init(input: ByteInput, keyField: String?) {
        self.input = input
        self.keyField = keyField
    }

    package mutating func next() throws(InputError) -> InputItem? {
        while true {
            let line = input.line
            guard try input.readLine(into: &text) else { return nil }
            if text.allSatisfy(JSONScanner.isBlank) { continue }
            guard isValidUTF8(text) else { throw input.error(line, "is not valid UTF-8") }
            let fields: [JSONField]
            do {
                fields = try JSONScanner.fields(ofObject: text)
            } catch {
                throw input.error(line, "\(error)")
            }
            guard let keyField else { return try item(of: fields, line: line) }
            return .record(Record(key: try key(keyField, of: fields, line: line), value: trimmed(), line: line))
        }
    }

    /// Returns the field as a key: a string's text, or a number or Boolean as it is written.
    private func key(_ name: String, of fields: [JSONField], line: Int) throws(InputError) -> [UInt8] {
        guard let field = try field(name, of: fields, line: line) else { throw input.error(line, "has no field '\(name)'") }
        guard field.kind != .null, field.kind != .container else {
            throw input.error(line, "the field '\(name)' is neither a string nor a number, so it cannot be the key")
        }
        let key = try content(of: field, line: line)
        guard !key.isEmpty else { throw input.error(line, "the field '\(name)', which is the key, is empty") }
        return key
    }

    private func item(of fields: [JSONField], line: Int) throws(InputError) -> InputItem {
        let family = try field("column_family", of: fields, line: line)
        if let family, family.kind != .string { throw input.error(line, "the field 'column_family' is not a string") }
        let name = try family.map { (family) throws(InputError) in
            String(decoding: try content(of: family, line: line), as: UTF8.self)
        }
        if let name, fields.count == 1 { return .columnFamily(name) }
        let key = try bytes("key", of: fields, line: line, needsText: true)
        let value = try bytes("value", of: fields, line: line, needsText: false)
        return .record(Record(key: key, value: value, columnFamily: name, line: line))
    }

    /// Returns the content of the field `name`, or of the field `name_hex` in hexadecimal.
    private func bytes(_ name: String, of fields: [JSONField], line: Int, needsText: Bool) throws(InputError) -> [UInt8] {
        let plain = try field(name, of: fields, line: line)
        let hex = try field(name + "_hex", of: fields, line: line)
        switch (plain, hex) {
        case (nil, nil): throw input.error(line, "has neither a field '\(name)' nor '\(name)_hex'; name the key field with --key")
        case (_?, _?): throw input.error(line, "has both '\(name)' and '\(name)_hex'")
        case (let plain?, nil):
            if needsText && plain.kind != .string { throw input.error(line, "the field '\(name)' is not a string") }
            return try content(of: plain, line: line)
        case (nil, let hex?):
            let digits = try content(of: hex, line: line)
            guard hex.kind == .string, let bytes = Hex.bytes(digits) else {
                throw input.error(line, "the field '\(name)_hex' does not contain pairs of hexadecimal digits")
            }
            return bytes
        }
    }

    private func field(_ name: String, of fields: [JSONField], line: Int) throws(InputError) -> JSONField? {
        let found = fields.filter { $0.name.elementsEqual(name.utf8) }
        guard found.count <= 1 else { throw input.error(line, "has two fields '\(name)'") }
        return found.first
    }

    /// Returns a string's text, or the JSON text of anything else.
    private func content(of field: JSONField, line: Int) throws(InputError) -> [UInt8] {
        guard field.kind == .string else { return Array(text[field.range]) }
        do { return try JSONScanner.string(text, at: field.range) } catch { throw input.error(line, "\(error)") }
    }

    private func trimmed() -> [UInt8] {
        let start = text.firstIndex { !JSONScanner.isBlank($0) } ?? text.endIndex
        let end = text.lastIndex { !JSONScanner.isBlank($0) } ?? start
        return Array(text[start...end])
    }
}
