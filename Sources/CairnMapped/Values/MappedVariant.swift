#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of any stored type, for listing, copying and exporting values of unknown types.
///
/// ```swift
/// for entry in try store.entries() { print(entry.key, entry.value) }
/// ```
public enum MappedVariant: Hashable, Sendable {
    case bool(Bool)
    /// An integer of any width, signed or unsigned, whose value fits in `Int128`.
    case int(Int128)
    case float(Float)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case array([MappedVariant])
    /// The JSON text of a `Codable` value.
    case json(String)
    /// A value of a type unknown to this release, or an integer wider than ``int(_:)``: its type and its bytes, unchanged.
    case other(MappedValueType, [UInt8])

    /// The type of the value in the store.
    public var type: MappedValueType {
        switch self {
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .double: .double
        case .string: .string
        case .bytes: .bytes
        case .date: .date
        case .uuid: .uuid
        case .url: .url
        case .array: .array
        case .json: .json
        case .other(let type, _): type
        }
    }
}

extension MappedVariant: MappedValue {
    /// Reads a value of any type; rejects arrays nested more than 512 deep.
    public init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        try self.init(bytes, type, depth: 0)
    }

    private init(_ bytes: RawSpan, _ type: MappedValueType, depth: Int) throws(MappedStoreError) {
        switch type {
        case .bool: self = .bool(try Bool(stored: bytes, as: type))
        case .int where bytes.byteCount <= 16: self = .int(try Int128(stored: bytes, as: type))
        case .int: self = (try? Int128(stored: bytes, as: type)).map { .int($0) } ?? .other(type, [UInt8](copying: bytes))
        case .float: self = .float(try Float(stored: bytes, as: type))
        case .double: self = .double(try Double(stored: bytes, as: type))
        case .string: self = .string(try String(stored: bytes, as: type))
        case .bytes: self = .bytes([UInt8](copying: bytes))
        case .date: self = .date(try Date(stored: bytes, as: type))
        case .uuid: self = .uuid(try UUID(stored: bytes, as: type))
        case .url: self = .url(try URL(stored: bytes, as: type))
        case .array:
            guard depth < 512 else { throw MappedStoreError(.codec, "the stored array is nested more than 512 deep") }
            var elements: [MappedVariant] = []
            try MappedArray.forEach(bytes) { bytes, type throws(MappedStoreError) in
                elements.append(try MappedVariant(bytes, type, depth: depth + 1))
            }
            self = .array(elements)
        case .json: self = .json(try String(text: bytes))
        default: self = .other(type, [UInt8](copying: bytes))
        }
    }

    public func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        switch self {
        case .bool(let value): try value.withStoredBytes(body)
        case .int(let value): try value.withStoredBytes(body)
        case .float(let value): try value.withStoredBytes(body)
        case .double(let value): try value.withStoredBytes(body)
        case .string(let value): try value.withStoredBytes(body)
        case .bytes(let value): try value.withStoredBytes(body)
        case .date(let value): try value.withStoredBytes(body)
        case .uuid(let value): try value.withStoredBytes(body)
        case .url(let value): try value.withStoredBytes(body)
        case .array(let value): try value.withStoredBytes(body)
        case .json(let text): try text.withBytes { bytes throws(MappedStoreError) in try body(bytes, .json) }
        case .other(let type, let bytes): try unsafe body(bytes.span.bytes, type)
        }
    }
}
