import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How the values of a property are read from records for tests and sort keys.
struct FieldForm {
    private enum Comparison {
        /// Signed integers of 64 bits; narrower ones check that what is stored fits.
        case integer
        /// Doubles, and dates, which are stored as such.
        case number
        case text
        case key
    }

    private let comparison: Comparison
    /// Whether the property can be `nil`: otherwise a null counts as missing.
    let isOptional: Bool
    /// Appends the key of a value that is not null.
    let appendKey: (inout FieldReader, inout KeyEncoder) throws(RecordError) -> Void

    /// `nil` for a type that records do not store by itself.
    init?<Value: KeyCodable>(_ type: Value.Type) {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType
        let isOptional = wrapped != nil
        switch wrapped ?? type {
        case is String.Type:
            self.init(.text, isOptional) { field, encoder throws(RecordError) in
                encoder.encode(utf8: unsafe RawSpan(_unsafeBytes: try field.takeBytes(as: String.self)))
            }
        case is Int.Type, is Int64.Type:
            self.init(.integer, isOptional) { field, encoder throws(RecordError) in
                encoder.encode(integer: try Int64(reading: &field))
            }
        case is Double.Type: self.init(.number, isOptional, Double.self)
        case is Date.Type: self.init(.number, isOptional, Date.self)
        case let stored as any (StoredValue & KeyCodable).Type: self.init(isOptional, any: stored)
        default: return nil
        }
    }

    private init(_ isOptional: Bool, any type: any (StoredValue & KeyCodable).Type) {
        func open<Value: StoredValue & KeyCodable>(_ type: Value.Type) -> FieldForm { FieldForm(.key, isOptional, type) }
        self = open(type)
    }

    private init<Value: StoredValue & KeyCodable>(_ comparison: Comparison, _ isOptional: Bool, _ type: Value.Type) {
        self.init(comparison, isOptional) { field, encoder throws(RecordError) in encoder.encode(try Value(reading: &field)) }
    }

    private init(
        _ comparison: Comparison,
        _ isOptional: Bool,
        _ appendKey: @escaping (inout FieldReader, inout KeyEncoder) throws(RecordError) -> Void
    ) {
        self.comparison = comparison
        self.isOptional = isOptional
        self.appendKey = appendKey
    }

    /// A test whether the value of a property lies in spans.
    func test(_ index: Int, _ spans: KeySpans) -> RecordTest {
        quickTest(index, spans) ?? RecordTest.Key(index, spans, whenNull: whenNull(spans), self)
    }

    /// The same without making keys, if that is possible.
    func quickTest(_ index: Int, _ spans: KeySpans) -> RecordTest? {
        switch comparison {
        case .integer: RecordTest.Integer(index, spans, whenNull: whenNull(spans))
        case .number: RecordTest.Number(index, spans, whenNull: whenNull(spans))
        case .text: RecordTest.Text(index, spans, whenNull: whenNull(spans))
        case .key: nil
        }
    }

    private func whenNull(_ spans: KeySpans) -> Bool? { isOptional ? spans.contains([0x00]) : nil }
}
