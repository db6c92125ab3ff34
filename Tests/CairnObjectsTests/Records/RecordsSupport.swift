import CairnCore
import CairnObjects
import Foundation
import Testing

/// A record with the value as field 1.
func record<Value: StoredValue>(_ value: Value) throws -> [UInt8] {
    var writer = RecordWriter()
    writer.write(value, field: 1)
    return try writer.bytes
}

/// Reads a record by means of `body`.
func reading<Result>(
    _ bytes: [UInt8],
    _ fields: FieldMap = FieldMap(count: 8),
    version: UInt8 = 0,
    _ body: (inout RecordReader) throws -> Result
) throws -> Result {
    try bytes.withBytes { span in
        var reader = RecordReader(bytes: span, fields: fields, version: version)
        return try body(&reader)
    }
}

/// Field 1 of a record.
func value<Value: StoredValue>(_ bytes: [UInt8], as type: Value.Type = Value.self) throws(RecordError) -> Value {
    try bytes.withBytes { (span) throws(RecordError) in
        var reader = RecordReader(bytes: span, fields: FieldMap(count: 1))
        return try reader.read(0, default: nil)
    }
}

/// Why field 1 of a record cannot be read; `nil` if it can.
func refusal<Value: StoredValue>(_ bytes: [UInt8], as type: Value.Type) -> RecordError.Code? {
    do {
        _ = try value(bytes, as: type)
        return nil
    } catch {
        return error.code
    }
}

/// A value comes back as it was, and is the same bytes again.
func comesBack<Value: StoredValue & Equatable>(_ original: Value, _ place: SourceLocation = #_sourceLocation) throws {
    let bytes = try record(original)
    let read: Value = try value(bytes)
    #expect(read == original, sourceLocation: place)
    #expect(try record(read) == bytes, sourceLocation: place)
    // A tool with the type, and a tool without, can read it too.
    #expect(try RecordDump(bytes, types: [1: Value.storedType]).fields.count == 1, sourceLocation: place)
    #expect(try RecordDump(bytes).fields.count == 1, sourceLocation: place)
}

enum Genre: String, StoredValue { case rock, pop }
enum Level: Int8, StoredValue { case low = -1, high = 1 }

/// A type written by hand.
struct Point: StoredValue, Equatable {
    var x: Double, y: Double

    init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    static var storedType: StoredType { [Double].storedType }
    static var blank: Point? { Point(x: 0, y: 0) }
    init(reading reader: inout FieldReader) throws(RecordError) {
        let parts = try [Double](reading: &reader)
        guard parts.count == 2 else { throw RecordError(.malformed, "a point has two coordinates and \(parts.count) are stored") }
        (x, y) = (parts[0], parts[1])
    }
    func write(to writer: inout FieldWriter) { [x, y].write(to: &writer) }
}

/// Values within values, to any depth, of several kinds.
indirect enum Tree: StoredValue, Equatable {
    case leaf(Int)
    case branches([Tree])

    static var storedType: StoredType { .array(.integer(bits: 64, isSigned: true)) }
    static var blank: Tree? { nil }
    init(reading reader: inout FieldReader) throws(RecordError) {
        do {
            self = .leaf(try Int(reading: &reader))
        } catch {
            guard error.code == .typeMismatch else { throw error }
            self = .branches(try [Tree](reading: &reader))
        }
    }
    func write(to writer: inout FieldWriter) {
        switch self {
        case .leaf(let number): number.write(to: &writer)
        case .branches(let trees): trees.write(to: &writer)
        }
    }
}

/// A `Codable` type that is no stored value.
struct Address: Codable, Hashable {
    var street: String
    var number: Int?
    var weight = 0.5
}
