public import CairnGraph

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value read from a BNRPersistence object, before it is converted to the type of a property.
public enum BNRValue: Hashable, Sendable {
    case unsigned(UInt32)
    case float(Float)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case date(Date?)
    case object(BNRReference?)
    case objects([BNRReference])
    /// A value in the form of the property, for values that a closure creates.
    case stored(RecordValue)
}

extension BNRValue {
    /// The value converted to a type; `nil` if that is not possible.
    ///
    /// BNRPersistence does not distinguish `nil` from an empty string, empty data or the first instant of 2001. Optional properties get `nil` for all of
    /// these; others get the value.
    func value(as type: StoredType) -> RecordValue? {
        switch (type, self) {
        case (_, .stored(let value)): value
        case (.raw(let raw, _), _): value(as: raw)
        case (.optional, .date(nil)), (.optional, .text("")), (.optional, .bytes([])): .null
        case (.optional(let wrapped), _): value(as: wrapped)
        case (.bool, .unsigned(let number)): .bool(number != 0)
        case (.integer(let bits, true), .unsigned(let number)):
            bits > 32 || number < 1 << UInt32(bits - 1) ? .signed(Int128(number)) : nil
        case (.integer(let bits, false), .unsigned(let number)):
            bits >= 32 || number >> UInt32(bits) == 0 ? .unsigned(UInt128(number)) : nil
        case (.float, .unsigned(let number)): Float(exactly: number).map { .float($0) }
        case (.double, .unsigned(let number)): .double(Double(number))
        case (.float, .float(let number)): .float(number)
        case (.double, .float(let number)): .double(Double(number))
        case (.double, .double(let number)): .double(number)
        case (.float, .double(let number)): Float(exactly: number).map { .float($0) } ?? (number.isNaN ? .float(.nan) : nil)
        case (.string, .text(let text)), (.url, .text(let text)): .text(text)
        case (.uuid, .text(let text)): UUID(uuidString: text).map { .uuid($0) }
        case (.bytes, .text(let text)): .bytes(Array(text.utf8))
        case (.bytes, .bytes(let bytes)): .bytes(bytes)
        case (.string, .bytes(let bytes)): String(validating: bytes, as: UTF8.self).map { .text($0) }
        case (.date, .date(let date)): .date(date ?? Date(timeIntervalSinceReferenceDate: 0))
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.double, .date(let date)): .double(date?.timeIntervalSinceReferenceDate ?? 0)
        default: nil
        }
    }

    /// A description of the kind of value, for messages.
    var phrase: String {
        switch self {
        case .unsigned: "a whole number"
        case .float, .double: "a number"
        case .text: "text"
        case .bytes: "data"
        case .date: "a date"
        case .object: "a reference"
        case .objects: "a list of references"
        case .stored: "a value"
        }
    }
}
