import CairnForms
import CairnToolKit

/// Prints what `diff` finds, as it is found.
struct DiffReport {
    /// Where an entry is.
    enum Side: String {
        case first = "only_first"
        case second = "only_second"
        case both = "changed"
    }

    /// Thrown at the first difference if the output is not needed.
    struct Enough: Error {}

    /// `nil` if only the exit code is needed.
    let output: OutputWriter?
    let isJSON: Bool
    let hex: HexArguments
    private(set) var isDifferent = false
    private var isNamed = false
    /// The column family of the next entries; `nil` if it need not be named.
    var columnFamily: String? { didSet { isNamed = false } }

    init(output: OutputWriter?, isJSON: Bool, hex: HexArguments) {
        self.output = output
        self.isJSON = isJSON
        self.hex = hex
    }

    /// Reports a column family that only one database has.
    mutating func add(columnFamily name: String, _ side: Side, path: String) throws {
        let output = try note()
        if isJSON {
            return try output.write(.object([("change", .string(side.rawValue)), ("column_family", .string(name))]))
        }
        try output.writeLine("column family \(EscapedText.string(Array(name.utf8))) is only in '\(path)'")
    }

    /// Reports an entry; values that were not read are `nil`.
    mutating func add(_ key: [UInt8], _ first: [UInt8]?, _ second: [UInt8]?, _ side: Side) throws {
        let output = try note()
        if isJSON {
            var fields: [(name: String, value: JSONValue)] = [("change", .string(side.rawValue))]
            if let columnFamily { fields.append(("column_family", .string(columnFamily))) }
            fields.append(hex.field("key", key))
            if let first { fields.append(hex.field("first", first)) }
            if let second { fields.append(hex.field("second", second)) }
            return try output.write(.object(fields))
        }
        if let columnFamily, !isNamed {
            try output.writeLine("column family \(EscapedText.string(Array(columnFamily.utf8)))")
            isNamed = true
        }
        if side != .second { try output.writeLine("- " + line(key, first), .red) }
        if side != .first { try output.writeLine("+ " + line(key, second), .green) }
    }

    private func line(_ key: [UInt8], _ value: [UInt8]?) -> String { hex.text(key) + (value.map { "\t" + hex.text($0) } ?? "") }

    private mutating func note() throws -> OutputWriter {
        isDifferent = true
        guard let output else { throw Enough() }
        return output
    }
}
