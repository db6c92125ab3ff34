import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value whose type is known from the catalog, written like the Swift value.
struct TypedValue: StoredValue {
    let value: RecordValue
    let type: StoredType

    init(_ value: RecordValue, _ type: StoredType) {
        self.value = value
        self.type = type
    }

    static var storedType: StoredType { .bytes }
    static var blank: TypedValue? { nil }
    static var isNullable: Bool { true }

    init(reading reader: inout FieldReader) throws(RecordError) {
        throw RecordError(.misused, "a value whose type is known only at run time is read by RecordDump")
    }

    func write(to writer: inout FieldWriter) {
        switch (type, value) {
        case (.raw(let raw, _), _): TypedValue(value, raw).write(to: &writer)
        case (.optional, .null): writer.putNull()
        case (.optional(let wrapped), _) where wrapped.isNullable: write([value], of: wrapped, isSet: false, to: &writer)
        case (.optional(let wrapped), _): TypedValue(value, wrapped).write(to: &writer)
        case (.bool, .bool(let bool)): bool.write(to: &writer)
        case (.integer(let bits, true), .signed(let number)): write(number, bits, to: &writer)
        case (.integer(let bits, false), .unsigned(let number)): write(number, bits, to: &writer)
        case (.float, .float(let number)): number.write(to: &writer)
        case (.double, .double(let number)): number.write(to: &writer)
        case (.string, .text(let text)), (.url, .text(let text)), (.decimal, .decimal(let text)), (.codable, .json(let text)):
            text.write(to: &writer)
        case (.bytes, .bytes(let bytes)): bytes.write(to: &writer)
        case (.date, .date(let date)): date.write(to: &writer)
        case (.uuid, .uuid(let uuid)): uuid.write(to: &writer)
        case (.array(let element), .list(let values)): write(values, of: element, isSet: false, to: &writer)
        case (.set(let element), .list(let values)): write(values, of: element, isSet: true, to: &writer)
        case (.dictionary(let key, let element), .dictionary(let entries)): write(entries, key, element, to: &writer)
        default: writer.fail(RecordError(.typeMismatch, "the value is not of the type \(type)"))
        }
    }

    private func write(_ number: Int128, _ bits: Int, to writer: inout FieldWriter) {
        if bits == 128 { return number.write(to: &writer) }
        guard number >> Int128(bits - 1) == (number < 0 ? -1 : 0) else { return failRange(&writer) }
        Int64(number).write(to: &writer)
    }

    private func write(_ number: UInt128, _ bits: Int, to writer: inout FieldWriter) {
        if bits == 128 { return number.write(to: &writer) }
        guard number >> UInt128(bits) == 0 else { return failRange(&writer) }
        UInt64(number).write(to: &writer)
    }

    private func failRange(_ writer: inout FieldWriter) {
        writer.fail(RecordError(.outOfRange, "the number does not fit the type \(type)"))
    }

    private func write(_ values: [RecordValue], of element: StoredType, isSet: Bool, to writer: inout FieldWriter) {
        let outer = writer.beginList()
        for value in values { writer.element(TypedValue(value, element)) }
        if isSet { _ = writer.sortElements() }
        writer.endList(outer)
    }

    private func write(_ entries: [RecordValue.Entry], _ key: StoredType, _ element: StoredType, to writer: inout FieldWriter) {
        let both = writer.beginList()
        defer { writer.endList(both) }
        guard !entries.isEmpty else { return }
        guard !RecordValue.hasKeyTwice(entries) else { return writer.fail(RecordError.malformed("a dictionary has a duplicate key")) }
        writer.pending = 1
        let keys = writer.beginList()
        for entry in entries { writer.element(TypedValue(entry.key, key)) }
        let order = writer.sortElements()
        writer.endList(keys)
        writer.pending = 1
        let values = writer.beginList()
        for place in order { writer.element(TypedValue(entries[place].value, element)) }
        writer.endList(values)
    }
}

extension TypedValue {
    /// The value as an element of an index key, encoded like the Swift value; `nil` if only the program knows the encoding.
    var keyElement: KeyValue? {
        switch (type, value) {
        case (.raw(let raw, _), _): TypedValue(value, raw).keyElement
        case (.optional, .null): .null
        case (.optional(let wrapped), _): TypedValue(value, wrapped).keyElement
        case (.bool, .bool(let bool)): .bool(bool)
        case (.integer, .signed(let number)): .integer(number)
        case (.integer, .unsigned(let number)): Int128(exactly: number).map { .integer($0) } ?? .largeInteger(number)
        case (.float, .float(let number)): .float(number)
        case (.double, .double(let number)): .double(number)
        case (.string, .text(let text)): .string(text)
        case (.bytes, .bytes(let bytes)): .bytes(bytes)
        case (.date, .date(let date)): .double(date.timeIntervalSinceReferenceDate)
        case (.uuid, .uuid(let uuid)): .uuid(uuid)
        default: nil
        }
    }
}
