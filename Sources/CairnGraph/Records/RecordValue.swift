import CairnCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value in a ``RecordDump``.
public indirect enum RecordValue: Hashable, Sendable {
    /// A key of a dictionary, and its value.
    public struct Entry: Hashable, Sendable {
        public var key: RecordValue
        public var value: RecordValue

        /// Makes an entry.
        public init(_ key: RecordValue, _ value: RecordValue) {
            self.key = key
            self.value = value
        }
    }

    case null
    case bool(Bool)
    case signed(Int128)
    case unsigned(UInt128)
    case float(Float)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case date(Date)
    case uuid(UUID)
    /// The digits of a decimal number, followed by `e` and the power of ten.
    case decimal(String)
    /// An array or a set.
    case list([RecordValue])
    case dictionary([Entry])
    /// The JSON of a `Codable` type.
    case json(String)
    case reference(class: UInt64, row: UInt64)
    case references([UInt8])
    /// A number of four, eight or sixteen bytes of unknown type.
    case bits(UInt128, bytes: Int)
    /// A varint of unknown type; zigzag coded if the number is signed.
    case varint(UInt64)
}

extension RecordValue {
    /// The value as JSON.
    ///
    /// Bytes appear as hexadecimal digits, or as text if they are text of unknown type; dates as ISO 8601 with milliseconds, or with as many digits as they need,
    /// or as seconds since 2001 outside the years 1 to 9999; dictionaries as objects if their keys are text, otherwise as lists of pairs. NaN and infinities appear as
    /// `"nan"`, `"inf"` and `"-inf"`, decimal numbers and the JSON of `Codable` types as text.
    public var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .signed(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .varint(let value): "\(value)"
        case .bits(let value, _): "\(value)"
        case .float(let value): value.isFinite ? "\(value)" : JSONText.string(value.isNaN ? "nan" : "\(value)")
        case .double(let value): value.isFinite ? "\(value)" : JSONText.string(value.isNaN ? "nan" : "\(value)")
        case .text(let text), .decimal(let text), .json(let text): JSONText.string(text)
        case .bytes(let bytes), .references(let bytes): JSONText.string(Self.digits(bytes))
        case .uuid(let uuid): JSONText.string(uuid.uuidString)
        case .date(let date): Self.text(date)
        case .list(let values): "[" + values.map(\.json).joined(separator: ",") + "]"
        case .dictionary(let entries): Self.text(entries)
        case .reference(let number, let row): "{\"class\":\(number),\"row\":\(row)}"
        }
    }

    private static func text(_ entries: [Entry]) -> String {
        let members = entries.map { entry -> String? in
            guard case .text(let name) = entry.key else { return nil }
            return "\(JSONText.string(name)):\(entry.value.json)"
        }
        if members.contains(nil) {
            return "[" + entries.map { "[\($0.key.json),\($0.value.json)]" }.joined(separator: ",") + "]"
        }
        return "{" + members.compactMap(\.self).joined(separator: ",") + "}"
    }

    private static func text(_ date: Date) -> String {
        DateText.text(date, digits: 3...17).map(JSONText.string) ?? RecordValue.double(date.timeIntervalSinceReferenceDate).json
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { $0 += String($1 >> 4, radix: 16) + String($1 & 15, radix: 16) }
    }
}
