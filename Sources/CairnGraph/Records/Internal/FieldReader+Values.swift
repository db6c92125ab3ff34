internal import CairnCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FieldReader {
    /// Moves to the next field of a record; returns `nil` at the end.
    mutating func nextField(after last: Int) throws(RecordError) -> (number: Int, kind: WireKind)? {
        guard unsafe position < end else { return nil }
        let head = try varint()
        guard head >> 3 > last, head >> 3 < Wire.numberLimit, let known = WireKind(rawValue: UInt8(head & 7)) else {
            throw RecordError.malformed("fields are not in order")
        }
        kind = known.rawValue
        return (Int(head >> 3), known)
    }

    /// Reads a value stored as `type`.
    mutating func value(of type: StoredType) throws(RecordError) -> RecordValue {
        if takeNull() { return .null }
        switch type {
        case .bool: return try .bool(Bool(reading: &self))
        case .integer(_, isSigned: true): return try .signed(Int128(reading: &self))
        case .integer(_, isSigned: false): return try .unsigned(UInt128(reading: &self))
        case .float: return try .float(Float(reading: &self))
        case .double: return try .double(Double(reading: &self))
        case .string, .url: return try .text(String(reading: &self))
        case .bytes: return try .bytes([UInt8](reading: &self))
        case .date: return try .date(Date(reading: &self))
        case .uuid: return try .uuid(UUID(reading: &self))
        case .decimal: return try .decimal(String(reading: &self))
        case .codable: return try .json(String(reading: &self))
        case .raw(let raw, _): return try value(of: raw)
        case .optional(let wrapped) where wrapped.isNullable:
            let values = try values(of: wrapped)
            guard let value = values.first, values.count == 1 else {
                throw RecordError.malformed("an optional has \(values.count) values")
            }
            return value
        case .optional(let wrapped): return try value(of: wrapped)
        case .array(let element), .set(let element): return try .list(values(of: element))
        case .dictionary(let key, let value): return try .dictionary(entries(key, value))
        }
    }

    /// Reads a list.
    private mutating func values(of element: StoredType) throws(RecordError) -> [RecordValue] {
        let list = try beginList(as: [RecordValue].self)
        var values: [RecordValue] = []
        values.reserveCapacity(list.count)
        for _ in 0..<list.count {
            try nextElement(list)
            values.append(try value(of: element))
        }
        try endList(list)
        return values
    }

    private mutating func entries(_ key: StoredType, _ value: StoredType) throws(RecordError) -> [RecordValue.Entry] {
        let both = try beginList(as: [RecordValue.Entry].self)
        var entries: [RecordValue.Entry] = []
        if both.count != 0 {
            guard both.count == 2 else { throw RecordError.malformed("a dictionary is not a list of two lists") }
            try nextElement(both)
            let keys = try values(of: key)
            try nextElement(both)
            let values = try values(of: value)
            guard keys.count == values.count else {
                throw RecordError.malformed("a dictionary has \(keys.count) keys and \(values.count) values")
            }
            entries = zip(keys, values).map { RecordValue.Entry($0, $1) }
            guard !RecordValue.hasKeyTwice(entries) else { throw RecordError.malformed("a dictionary has a duplicate key") }
        }
        try endList(both)
        return entries
    }

    /// Reads a value of which only the kind is known.
    mutating func value() throws(RecordError) -> RecordValue {
        switch WireKind(rawValue: kind) {
        case .null:
            _ = takeNull()
            return .null
        case .varint: return try .varint(takeVarint(as: UInt64.self))
        case .four: return try .bits(UInt128(takeFixed(kind, as: UInt32.self) as UInt32), bytes: 4)
        case .eight: return try .bits(UInt128(takeFixed(kind, as: UInt64.self) as UInt64), bytes: 8)
        case .sixteen: return try .bits(takeFixed(kind, as: UInt128.self), bytes: 16)
        case .bytes:
            let bytes = try unsafe takeBytes(as: [UInt8].self)
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            return unsafe text.isExactly(bytes) ? .text(text) : .bytes(Array(bytes))
        case .reference:
            let number = try varint()
            return try .reference(class: number, row: varint())
        case .references:
            kind = Wire.bytes
            return try .references([UInt8](reading: &self))
        case nil: throw RecordError.mismatch(kind, "a value")
        }
    }
}
