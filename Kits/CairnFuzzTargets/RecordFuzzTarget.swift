import CairnCore
import CairnRocks
import CairnToolKit
import Foundation

/// What the tool imports: every format reads any bytes to their end or refuses them, and what it makes of them is well formed.
public struct RecordFuzzTarget: FuzzTarget {
    public static let name = "records"

    private let input: TemporaryFile
    private let output: TemporaryFile

    public init() throws {
        input = TemporaryFile()
        output = TemporaryFile()
    }

    /// The first byte chooses the format, and whether a field is named as the key; the rest is the input.
    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        guard let choice = all.first.map({ Int($0) }) else { return }
        let text = Array(all.dropFirst())
        _ = RecordFormat.detect(name: "records", beginning: text)
        // An error is an answer; a finding is not.
        do {
            try input.write(text)
            try checkRecords(RecordFormat.allCases[choice % RecordFormat.allCases.count], key: choice & 16 == 0 ? nil : "a")
        } catch is InputError {}
        _ = try? StoredOptions(file: input.path, ignoresUnknown: true)
        try require(Hex.bytes(Hex.digits(text)) == text, "the bytes differ from what their hexadecimal digits say")
        let escaped = EscapedText.string(text)
        try require(!escaped.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a control character is shown as it is")
    }

    private func checkRecords(_ format: RecordFormat, key: String?) throws {
        var reader = try format.reader(of: ByteInput(path: input.path), key: key)
        while let item = try reader.next() {
            guard case .record(let record) = item else { continue }
            try require(record.line >= 1, "a record begins on line \(record.line)")
            try require(key == nil || !record.key.isEmpty, "a record has an empty key")
            // What a record becomes must be readable again. In export's own form, values are any bytes.
            if format != .jsonl || key != nil { try checkObject(record.value, wasMade: format != .jsonl) }
            try checkExport(record)
        }
    }

    /// A value must be a JSON object, by the tool's reader; by Foundation's too, if the tool made it. An object that stood in the input may
    /// have halves of surrogate pairs, which JSON allows and Foundation does not.
    private func checkObject(_ value: [UInt8], wasMade: Bool) throws {
        do {
            _ = try JSONScanner.fields(ofObject: value)
            if wasMade { _ = try JSONSerialization.jsonObject(with: Data(value)) }
        } catch {
            throw FuzzFinding("a value is not a JSON object: \(error)")
        }
    }

    /// What `export` writes of a record, `import` reads as that record.
    private func checkExport(_ record: Record) throws {
        let value = isValidUTF8(record.value) ? ("value", record.value) : ("value_hex", Hex.digits(record.value))
        let key = isValidUTF8(record.key) ? ("key", record.key) : ("key_hex", Hex.digits(record.key))
        try output.write(JSONText.object([key, value].map { (Array($0.0.utf8), $0.1) }))
        var reader = try RecordFormat.jsonl.reader(of: ByteInput(path: output.path), key: nil)
        let again: InputItem?
        do { again = try reader.next() } catch { throw FuzzFinding("what was exported cannot be imported: \(error)") }
        var expected = Record(key: record.key, value: record.value, line: 1)
        expected.keyForm = key.0 == "key" ? .text : .digits
        expected.valueForm = value.0 == "value" ? .text : .digits
        try require(again == .record(expected), "what was exported is imported as \(String(describing: again))")
    }
}

/// A file that is removed at the end.
private final class TemporaryFile: Sendable {
    let path = NSTemporaryDirectory() + "cairn-fuzz-\(UUID().uuidString)"

    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
