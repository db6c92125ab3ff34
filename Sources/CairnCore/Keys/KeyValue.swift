#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An element of a key whose type is known only at run time, for tools that show unknown keys.
///
/// Equality, hash and order are those of the bytes, so -0.0 and 0.0 differ and NaN equals itself. ``KeyTuple`` reads whole keys.
public enum KeyValue: Sendable {
    /// A null, which sorts before everything else.
    case null
    /// A byte string.
    case bytes([UInt8])
    /// A string.
    case string(String)
    /// A nested tuple. Keys nested deeper than ``KeyDecoder/maximumDepth`` can be written, but not read.
    case tuple([KeyValue])
    /// An integer. Decoding uses this case for all integers in the range of `Int128`.
    case integer(Int128)
    /// A positive integer beyond `Int128`. The format has even larger ones, of up to 255 bytes: reading them throws `outOfRange`.
    case largeInteger(UInt128)
    /// A single-precision number.
    case float(Float)
    /// A double-precision number; dates are stored this way.
    case double(Double)
    /// A Boolean value.
    case bool(Bool)
    /// A UUID.
    case uuid(UUID)
    /// A versionstamp.
    case versionstamp(Versionstamp)
}

extension KeyValue: KeyCodable {
    /// Appends the element.
    public func encode(into encoder: inout KeyEncoder) {
        switch self {
        case .null: encoder.encodeNull()
        case .bytes(let bytes): bytes.encode(into: &encoder)
        case .string(let string): string.encode(into: &encoder)
        case .tuple(let elements): elements.encode(into: &encoder)
        case .integer(let integer): integer.encode(into: &encoder)
        case .largeInteger(let integer): integer.encode(into: &encoder)
        case .float(let number): number.encode(into: &encoder)
        case .double(let number): number.encode(into: &encoder)
        case .bool(let bool): bool.encode(into: &encoder)
        case .uuid(let uuid): uuid.encode(into: &encoder)
        case .versionstamp(let stamp): stamp.encode(into: &encoder)
        }
    }

    /// Decodes an element of any type.
    public init(decoding decoder: inout KeyDecoder) throws(CodecError) {
        if decoder.decodeNull() {
            self = .null
            return
        }
        let code = try decoder.peekCode()
        switch code {
        case KeyTypeCode.bytes: self = .bytes(try decoder.decode())
        case KeyTypeCode.string: self = .string(try decoder.decode())
        case KeyTypeCode.tuple: self = .tuple(try decoder.decode())
        case KeyTypeCode.largePositive:
            let integer = try decoder.decode(UInt128.self)
            self = Int128(exactly: integer).map(KeyValue.integer) ?? .largeInteger(integer)
        case KeyTypeCode.largeNegative..<KeyTypeCode.largePositive: self = .integer(try decoder.decode())
        case KeyTypeCode.float: self = .float(try decoder.decode())
        case KeyTypeCode.double: self = .double(try decoder.decode())
        case KeyTypeCode.true, KeyTypeCode.false: self = .bool(try decoder.decode())
        case KeyTypeCode.uuid: self = .uuid(try decoder.decode())
        case KeyTypeCode.versionstamp: self = .versionstamp(try decoder.decode())
        default: throw decoder.unexpected(code, insteadOf: "an element")
        }
    }
}

extension KeyValue: Hashable, Comparable {
    /// Returns whether both have the same bytes.
    public static func == (left: KeyValue, right: KeyValue) -> Bool {
        left.keyBytes == right.keyBytes
    }

    /// Compares by the order of the bytes.
    public static func < (left: KeyValue, right: KeyValue) -> Bool {
        left.keyBytes.lexicographicallyPrecedes(right.keyBytes)
    }

    /// Feeds the bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keyBytes)
    }
}

extension KeyValue: CustomStringConvertible {
    /// The element as text: `null`, `0x6162`, `"ab"`, `("ab", 1)`, `42`, `1.5`, `true`, a UUID, `@commit.batch.user`.
    public var description: String {
        switch self {
        case .null: "null"
        case .bytes(let bytes): "0x" + bytes.withBytes { hexadecimal($0) }
        case .string(let string): String(reflecting: string)
        case .tuple(let elements): "(" + elements.map(\.description).joined(separator: ", ") + ")"
        case .integer(let integer): "\(integer)"
        case .largeInteger(let integer): "\(integer)"
        case .float(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let bool): "\(bool)"
        case .uuid(let uuid): uuid.uuidString
        case .versionstamp(let stamp): "@\(stamp.commit).\(stamp.batch).\(stamp.user)"
        }
    }
}
