import CairnCore

/// The type of a column, by its name in Swift.
package enum ColumnType: String, CaseIterable, Sendable {
    case string = "String"
    case int = "Int"
    case double = "Double"
    case bool = "Bool"

    /// With its article, for messages.
    var phrase: String { self == .int ? "an Int" : "a \(rawValue)" }

    /// Reads the text of a field; `nil` if it is not of this type.
    func value(of text: String) -> TableValue? {
        switch self {
        case .string: return .string(text)
        case .int: return Int(text).map { .int($0) }
        case .bool: return Bool(text).map { .bool($0) }
        case .double:
            // No hexadecimal digits, no infinity.
            guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let number = Double(text), number.isFinite else {
                return nil
            }
            return .double(number)
        }
    }
}

/// A value in a row.
package enum TableValue: Hashable, Sendable {
    case null
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)

    /// `nil` for null, which has none.
    var type: ColumnType? {
        switch self {
        case .null: nil
        case .string: .string
        case .int: .int
        case .double: .double
        case .bool: .bool
        }
    }

    /// The text of a key.
    var text: String {
        switch self {
        case .null: ""
        case .string(let value): value
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .bool(let value): "\(value)"
        }
    }

    func encode(into encoder: inout KeyEncoder) {
        switch self {
        case .null: encoder.encodeNull()
        case .string(let value): encoder.encode(value)
        case .int(let value): encoder.encode(value)
        case .double(let value): encoder.encode(value)
        case .bool(let value): encoder.encode(value)
        }
    }
}
