import CairnCore

/// The type of a field of CSV or TSV, in which everything is text.
package enum FieldType: String, CaseIterable, Sendable {
    case string, int, double, bool

    /// Appends the field as JSON, `null` if it is empty and not a string. Returns `false` if it is not of the type.
    func append(_ field: [UInt8], to json: inout [UInt8]) -> Bool {
        let text = String(decoding: field, as: UTF8.self)
        let literal: String?
        switch self {
        case .string: literal = JSONText.string(text)
        case _ where text.isEmpty: literal = "null"
        case .int: literal = Int(text).map { "\($0)" }
        case .double: literal = (NumberText.number(text) as Double?).flatMap { $0.isFinite ? "\($0)" : nil }
        case .bool: literal = Bool(text).map { "\($0)" }
        }
        guard let literal else { return false }
        json += literal.utf8
        return true
    }
}
