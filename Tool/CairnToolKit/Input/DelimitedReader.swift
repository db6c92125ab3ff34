import CairnCore

/// Reads CSV or TSV with a header, quoted as in RFC 4180: each row becomes a JSON object of strings, in the order of the columns, unless their types
/// are given.
///
/// Rows end with LF or CRLF; empty lines are skipped.
package struct DelimitedReader: RecordReader {
    private let input: ByteInput
    private let rows: DelimitedRows
    private var names: [[UInt8]] { rows.names }
    private let keyIndex: Int
    /// The types of all columns; empty if all are strings.
    private let types: [FieldType]

    /// Reads the header. Without `keyField` the first column is the key. Columns that are not in `types` are strings.
    package init(input: ByteInput, delimiter: UInt8, keyField: String?, types: [String: FieldType] = [:]) throws(InputError) {
        self.input = input
        rows = try DelimitedRows(input: input, delimiter: delimiter)
        let (names, line) = (rows.names, rows.headerLine)
        let columns = names.map { String(decoding: $0, as: UTF8.self) }
        let wanted = (keyField.map { [$0] } ?? []) + types.keys.sorted()
        if let missing = wanted.first(where: { !columns.contains($0) }) {
            throw input.error(line, "the header has no column '\(missing)'; it has \(columns.joined(separator: ", "))")
        }
        keyIndex = keyField.flatMap { columns.firstIndex(of: $0) } ?? 0
        self.types = types.isEmpty ? [] : columns.map { types[$0] ?? .string }
    }

    package mutating func next() throws(InputError) -> InputItem? {
        guard let (fields, line) = try rows.next() else { return nil }
        guard !fields[keyIndex].isEmpty else {
            throw input.error(line, "the key column '\(String(decoding: names[keyIndex], as: UTF8.self))' is empty")
        }
        var record = Record(key: fields[keyIndex], value: try object(of: fields, line), line: line)
        record.valueForm = .json
        return .record(record)
    }

    private func object(of fields: [[UInt8]], _ line: Int) throws(InputError) -> [UInt8] {
        guard !types.isEmpty else { return JSONText.object(zip(names, fields).map { ($0, $1) }) }
        var json: [UInt8] = []
        for (index, field) in fields.enumerated() {
            json.append(UInt8(ascii: index == 0 ? "{" : ","))
            JSONText.appendString(names[index], to: &json)
            json.append(UInt8(ascii: ":"))
            guard types[index].append(field, to: &json) else {
                let (text, name) = (String(decoding: field, as: UTF8.self), String(decoding: names[index], as: UTF8.self))
                throw input.error(line, "'\(text)', in the column '\(name)', is not a valid \(types[index].rawValue)")
            }
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}
