/// How the payload of a field is stored: what is known about a record without its types.
public enum WireKind: UInt8, Sendable, CaseIterable {
    /// Nothing: the value is `nil`.
    case null = 0
    /// An integer of one to ten bytes, seven bits each, least significant first. Signed integers are zigzag coded.
    case varint = 1
    /// Four bytes, least significant first.
    case four = 2
    /// Eight bytes, least significant first.
    case eight = 3
    /// A length as a varint, followed by that many bytes: text, bytes, collections, JSON.
    case bytes = 4
    /// Sixteen bytes.
    case sixteen = 5
    /// A reference: a class number and a row, two varints.
    case reference = 6
    /// References: a length as a varint, followed by that many bytes.
    case references = 7

    /// The maximum nesting depth of values, on writing and reading, so that no record can exhaust the stack.
    public static var deepest: Int { 64 }

    /// With an article, for messages.
    var phrase: String {
        switch self {
        case .null: "a null"
        case .varint: "an integer"
        case .four: "a value of four bytes"
        case .eight: "a value of eight bytes"
        case .bytes: "a value with a length (text, bytes, a collection)"
        case .sixteen: "a value of sixteen bytes"
        case .reference: "a reference"
        case .references: "a list of references"
        }
    }
}

/// The kinds as plain numbers, for inlinable code.
@usableFromInline
enum Wire {
    @inlinable static var null: UInt8 { 0 }
    @inlinable static var varint: UInt8 { 1 }
    @inlinable static var four: UInt8 { 2 }
    @inlinable static var eight: UInt8 { 3 }
    @inlinable static var bytes: UInt8 { 4 }
    @inlinable static var sixteen: UInt8 { 5 }
    @inlinable static var reference: UInt8 { 6 }
    @inlinable static var references: UInt8 { 7 }
    /// In a reader: the value has been read. In a writer: the list has no elements yet.
    @inlinable static var none: UInt8 { 0xFF }
    /// A list whose elements each have a kind byte.
    @inlinable static var mixed: UInt8 { 0 }
    /// The limit of field numbers: a tag fits in five bytes.
    @inlinable static var numberLimit: Int { 1 << 28 }
}
