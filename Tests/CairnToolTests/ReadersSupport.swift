import CairnTestSupport
import CairnToolKit

/// What reading `text` gives: each item as a line of text, and the error's at the end.
func read(_ text: some Sequence<UInt8>, _ format: RecordFormat, key: String? = nil) throws -> [String] {
    let playground = try Playground()
    let path = try playground.file("input", Array(text))
    defer { withExtendedLifetime(playground) {} }
    var lines: [String] = []
    do throws(InputError) {
        var reader = try format.reader(of: try ByteInput(path: path), key: key)
        while let item = try reader.next() { lines.append(line(item)) }
    } catch {
        let line = error.line.map { " \($0)" } ?? ""
        lines.append("error\(line): \(error.message)")
    }
    return lines
}

func read(_ text: String, _ format: RecordFormat, key: String? = nil) throws -> [String] { try read(text.utf8, format, key: key) }

private func line(_ item: InputItem) -> String {
    switch item {
    case .columnFamily(let name, let keyType, let valueType):
        let types = [keyType, valueType].contains { $0 != nil } ? " of \(keyType ?? "-"), \(valueType ?? "-")" : ""
        return "column family \(name ?? "-")\(types)"
    case .record(let record):
        let family = record.columnFamily.map { "[\($0)] " } ?? ""
        return "\(record.line) \(family)\(EscapedText.string(record.key)) = \(EscapedText.string(record.value))"
    }
}
