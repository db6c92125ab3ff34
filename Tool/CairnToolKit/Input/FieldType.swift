import CairnCore

/// The type of a field of CSV or TSV, in which everything is text.
package enum FieldType: String, CaseIterable, Sendable {
    case string, int, double, bool

    /// Appends the field as JSON, `null` if it is empty and not a string. Returns `false` if it is not of the type.
    func append(_ field: [UInt8], to json: inout [UInt8]) -> Bool {
        if self == .string {
            JSONText.appendString(field, to: &json)
            return true
        }
        let text = String(decoding: field, as: UTF8.self)
        let number: String? =
            switch self {
            case .string: text
            case .int: Int128(text).map { "\($0)" }
            case .double: Double(text).flatMap { $0.isFinite ? "\($0)" : nil }
            case .bool: Bool(text).map { "\($0)" }
            }
        guard let literal = text.isEmpty ? "null" : number else { return false }
        json += literal.utf8
        return true
    }
}
