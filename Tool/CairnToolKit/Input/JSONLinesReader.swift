/// Reads JSON Lines: one object per line.
///
/// With a key field, each object is stored as its unchanged text. Without, objects are what `export` writes: `key` or `key_hex`, `value` or
/// `value_hex`, and possibly `column_family`; a `value` that is not a string is stored as its JSON text. So is a `key`, if typed keys are wanted.
package struct JSONLinesReader: RecordReader {
    private let input: ByteInput
    private let keyField: String?
    private let takesTypedKeys: Bool
    private var text: [UInt8] = []

    package init(input: ByteInput, keyField: String?, takesTypedKeys: Bool = false) {
        self.input = input
        self.keyField = keyField
        self.takesTypedKeys = takesTypedKeys
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
            var record = Record(key: try key(keyField, of: fields, line: line), value: JSONScanner.trimmed(text), line: line)
            record.valueForm = .json
            return .record(record)
        }
    }

    /// Returns the field as a key: a string's text, or a number or Boolean as it is written.
    private func key(_ name: String, of fields: [JSONField], line: Int) throws(InputError) -> [UInt8] {
        guard let field = try field(name, of: fields, line: line) else { throw input.error(line, "has no field '\(name)'") }
        guard field.kind != .null, field.kind != .container else {
            throw input.error(line, "the field '\(name)' is neither a string nor a number, so it cannot be the key")
        }
        let key = try content(of: field, line: line)
        guard !key.isEmpty else { throw input.error(line, "the key field '\(name)' is empty") }
        return key
    }

    private func item(of fields: [JSONField], line: Int) throws(InputError) -> InputItem {
        let family = try string("column_family", of: fields, line: line)
        let keyType = try string("key_type", of: fields, line: line)
        let valueType = try string("value_type", of: fields, line: line)
        let given = [family, keyType, valueType].count { $0 != nil }
        if given > 0, fields.count == given { return .columnFamily(family, keyType: keyType, valueType: valueType) }
        let (key, keyForm) = try bytes("key", of: fields, line: line, needsText: !takesTypedKeys)
        let (value, valueForm) = try bytes("value", of: fields, line: line, needsText: false)
        var record = Record(key: key, value: value, columnFamily: family, line: line)
        record.keyForm = keyForm
        record.valueForm = valueForm
        return .record(record)
    }

    private func string(_ name: String, of fields: [JSONField], line: Int) throws(InputError) -> String? {
        guard let field = try field(name, of: fields, line: line) else { return nil }
        guard field.kind == .string else { throw input.error(line, "the field '\(name)' is not a string") }
        return String(decoding: try content(of: field, line: line), as: UTF8.self)
    }

    /// Returns the content of the field `name`, or of the field `name_hex` in hexadecimal.
    private func bytes(
        _ name: String,
        of fields: [JSONField],
        line: Int,
        needsText: Bool
    ) throws(InputError) -> (bytes: [UInt8], form: Record.Form) {
        let plain = try field(name, of: fields, line: line)
        let hex = try field(name + "_hex", of: fields, line: line)
        switch (plain, hex) {
        case (nil, nil): throw input.error(line, "has neither a field '\(name)' nor '\(name)_hex'; name the key field with --key")
        case (_?, _?): throw input.error(line, "has both '\(name)' and '\(name)_hex'")
        case (let plain?, nil):
            if needsText && plain.kind != .string { throw input.error(line, "the field '\(name)' is not a string") }
            return (try content(of: plain, line: line), plain.kind == .string ? .text : .json)
        case (nil, let hex?):
            let digits = try content(of: hex, line: line)
            guard hex.kind == .string, let bytes = Hex.bytes(digits) else {
                throw input.error(line, "the field '\(name)_hex' does not contain pairs of hexadecimal digits")
            }
            return (bytes, .digits)
        }
    }

    private func field(_ name: String, of fields: [JSONField], line: Int) throws(InputError) -> JSONField? {
        let found = fields.filter { $0.name.elementsEqual(name.utf8) }
        guard found.count <= 1 else { throw input.error(line, "has two fields named '\(name)'") }
        return found.first
    }

    /// Returns a string's text, or the JSON text of anything else.
    private func content(of field: JSONField, line: Int) throws(InputError) -> [UInt8] {
        guard field.kind == .string else { return Array(text[field.range]) }
        do { return try JSONScanner.string(text, at: field.range) } catch { throw input.error(line, "\(error)") }
    }
}
