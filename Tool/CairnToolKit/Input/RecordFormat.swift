/// A format that can be imported.
package enum RecordFormat: String, CaseIterable, Sendable {
    case jsonl, csv, tsv, control

    /// Returns the format that the file's name indicates, or else the one that its beginning looks like; `nil` if neither does. An empty file counts
    /// as JSON Lines: it is an export of nothing.
    package static func detect(name: String, beginning: some Collection<UInt8>) -> RecordFormat? {
        detect(name: name) ?? (beginning.isEmpty ? .jsonl : detect(beginning: beginning))
    }

    /// Returns the format that the file's name indicates; `nil` if it indicates none.
    package static func detect(name: String) -> RecordFormat? {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return nil }
        return switch name[name.index(after: dot)...].lowercased() {
        case "jsonl", "ndjson": .jsonl
        case "csv": .csv
        case "tsv", "tab": .tsv
        case "control": .control
        default: nil
        }
    }

    private static func detect(beginning: some Collection<UInt8>) -> RecordFormat? {
        let text = beginning.drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: " ") }
        if text.first == UInt8(ascii: "{") { return .jsonl }
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if ControlReader.isFieldStart(line) { return .control }
        if line.contains(UInt8(ascii: "\t")) { return .tsv }
        return line.contains(UInt8(ascii: ",")) ? .csv : nil
    }

    /// Returns a reader of `input`. `key` names the field that becomes the key; `nil` uses the format's own. `types` are the types of columns that
    /// are not text, for formats with columns. With `takesTypedKeys`, keys need not be text.
    package func reader(
        of input: ByteInput,
        key: String?,
        types: [String: FieldType] = [:],
        takesTypedKeys: Bool = false
    ) throws(InputError) -> any RecordReader {
        guard types.isEmpty || self == .csv || self == .tsv else {
            throw input.error(nil, "is not CSV or TSV, so its fields have types already, or none")
        }
        return switch self {
        case .jsonl: JSONLinesReader(input: input, keyField: key, takesTypedKeys: takesTypedKeys)
        case .csv: try DelimitedReader(input: input, delimiter: UInt8(ascii: ","), keyField: key, types: types)
        case .tsv: try DelimitedReader(input: input, delimiter: UInt8(ascii: "\t"), keyField: key, types: types)
        case .control: ControlReader(input: input, keyField: key ?? "Package")
        }
    }
}
