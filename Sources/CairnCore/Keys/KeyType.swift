/// How values of a type are stored in a key, for tools that read keys without the program's types.
///
/// A program that opens typed tables records their types in the database, for the tool `cairn`.
public indirect enum KeyType: Hashable, Sendable {
    /// A string.
    case string
    /// An integer of any width.
    case int
    /// A single-precision number.
    case float
    /// A double-precision number.
    case double
    /// A Boolean value.
    case bool
    /// A double of seconds since 2001-01-01 00:00:00 UTC.
    case date
    /// A UUID.
    case uuid
    /// A byte string.
    case bytes
    /// The type, or a null.
    case optional(KeyType)
    /// The elements of a compound key.
    case compound([KeyType])
}

extension KeyType {
    /// The types of a whole key's elements, as in `string,int?`; `nil` for keys with nested tuples, which have no such name.
    package var elementNames: String? {
        guard case .compound(let elements) = self else { return elementName }
        let names = elements.compactMap(\.elementName)
        return names.count == elements.count && !names.isEmpty ? names.joined(separator: ",") : nil
    }

    private var elementName: String? {
        switch self {
        case .string: "string"
        case .int: "int"
        case .float: "float"
        case .double: "double"
        case .bool: "bool"
        case .date: "date"
        case .uuid: "uuid"
        case .bytes: "bytes"
        // As a key, a nested optional has a single level.
        case .optional(.optional(let type)): KeyType.optional(type).elementName
        case .optional(let type): type.elementName.map { $0 + "?" }
        case .compound: nil
        }
    }
}
