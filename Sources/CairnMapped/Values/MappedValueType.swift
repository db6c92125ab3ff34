/// The type of a stored value. An open set: later releases may add types.
public struct MappedValueType: Hashable, Sendable, CustomStringConvertible {
    /// The number of the type in the file.
    public let rawValue: UInt8

    /// Creates the type with this number in the file.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `true` or `false`: one byte, 1 or 0.
    public static var bool: MappedValueType { MappedValueType(rawValue: 1) }
    /// An integer of any width: two's complement, little-endian, in the fewest bytes that can hold it (1, 2, 4, 8, 16 or 17).
    public static var int: MappedValueType { MappedValueType(rawValue: 2) }
    /// A `Float`: four bytes, little-endian.
    public static var float: MappedValueType { MappedValueType(rawValue: 3) }
    /// A `Double`: eight bytes, little-endian.
    public static var double: MappedValueType { MappedValueType(rawValue: 4) }
    /// Text: UTF-8.
    public static var string: MappedValueType { MappedValueType(rawValue: 5) }
    /// Bytes, unchanged.
    public static var bytes: MappedValueType { MappedValueType(rawValue: 6) }
    /// A point in time: the seconds since 2001-01-01 00:00 UTC as a `Double`.
    public static var date: MappedValueType { MappedValueType(rawValue: 7) }
    /// A UUID: 16 bytes in the order in which they are written.
    public static var uuid: MappedValueType { MappedValueType(rawValue: 8) }
    /// A URL: its text.
    public static var url: MappedValueType { MappedValueType(rawValue: 9) }
    /// An array: for each element its type, its length as a varint, and its bytes.
    public static var array: MappedValueType { MappedValueType(rawValue: 10) }
    /// A `Codable` value, as JSON.
    public static var json: MappedValueType { MappedValueType(rawValue: 11) }

    /// The name of the type: `int`, `string`... For types of later releases, the number.
    public var description: String { Self.names[rawValue] ?? "type \(rawValue)" }

    private static let names: [UInt8: String] = [
        1: "bool", 2: "int", 3: "float", 4: "double", 5: "string", 6: "bytes", 7: "date", 8: "uuid", 9: "url", 10: "array", 11: "json",
    ]

    /// The type as a phrase for error messages.
    @usableFromInline
    var phrase: String {
        switch self {
        case .int: "an integer"
        case .array: "an array"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .bytes: "bytes"
        case .string: "text"
        case .json: "JSON"
        default: "a \(description)"
        }
    }
}
