import CairnCore
import CairnGraph
import CairnToolKit
import Foundation

/// Records of stored objects: any bytes are read as values of any type or refused, what is read is written, and read again as the same.
public struct ObjectRecordFuzzTarget: FuzzTarget {
    public static let name = "object-records"

    private struct Point: Codable {
        var x: Double
        var names: [String?]
    }

    private enum Genre: String, StoredValue { case rock, pop }

    private let fields = FieldMap([1, 2, 3, 200, 0])

    public init() {}

    /// The input is a record, and the text of a type.
    public func check(_ bytes: RawSpan) throws {
        try checkTypeText(bytes)
        try checkDump(bytes, types: [:])
        try checkValues(bytes, [Bool.self, Int8.self, Int16.self, Int.self, Int128.self, UInt8.self, UInt32.self, UInt.self, UInt128.self])
        try checkValues(
            bytes,
            [Float.self, Double.self, String.self, [UInt8].self, Data.self, Date.self, UUID.self, URL.self, Decimal.self]
        )
        try checkValues(bytes, [Int?.self, String??.self, [Int].self, [String?].self, [[UInt8]].self, Set<Double>.self, [[[Bool]]].self])
        try checkValues(bytes, [[String: Int].self, [Int: [Date?]].self, Genre.self, Genre?.self, StoredCodable<Point>.self])
        readInOrder(bytes)
    }

    private func checkValues(_ bytes: RawSpan, _ types: [any StoredValue.Type]) throws {
        for type in types { try checkValue(bytes, type) }
    }

    /// Reads fields as values of a type, by their numbers and by properties.
    private func checkValue<Value: StoredValue>(_ bytes: RawSpan, _ type: Value.Type) throws {
        var reader = RecordReader(bytes: bytes, fields: fields)
        for index in 0..<5 { _ = try? reader.read(index, default: nil) as Value }
        for number in [3, 1, 2, 200] {
            guard let value = try? reader.read(type, field: number) else { continue }
            try checkDump(bytes, types: [number: Value.storedType])
            let written = try Self.record(value)
            try unsafe checkDump(written.span.bytes, types: [1: Value.storedType])
            var again = unsafe RecordReader(bytes: written.span.bytes, fields: fields)
            guard let same = try? again.read(type, field: 1) else { throw FuzzFinding("a \(type) that was written cannot be read") }
            let twice = try Self.record(same)
            try require(twice == written, "a \(type), read and written twice, is \(twice), then \(written)")
        }
    }

    private static func record<Value: StoredValue>(_ value: Value) throws -> [UInt8] {
        var writer = RecordWriter()
        writer.write(value, field: 1)
        do { return try writer.bytes } catch { throw FuzzFinding("a \(Value.self) that was read cannot be written: \(error)") }
    }

    /// Reads as codecs that were written by hand do.
    private func readInOrder(_ bytes: RawSpan) {
        var reader = RecordReader(bytes: bytes, fields: fields)
        while !reader.isAtEnd {
            do {
                switch try reader.nextKind() {
                case .varint: _ = try reader.read(Int.self)
                case .bytes: _ = try reader.read([UInt8].self, default: [])
                case nil: return
                default: _ = try reader.read(String?.self)
                }
            } catch {
                return
            }
        }
    }

    /// Reads a record without the program's types; what can be read is shown as JSON.
    private func checkDump(_ bytes: RawSpan, types: [Int: StoredType]) throws {
        guard let dump = try? RecordDump(bytes, types: types) else { return }
        for (field, next) in zip(dump.fields, dump.fields.dropFirst()) {
            try require(field.number < next.number, "field \(next.number) is behind field \(field.number)")
        }
        do { _ = try JSONScanner.fields(ofObject: Array(dump.json(names: [1: "na\"me"]).utf8)) } catch {
            throw FuzzFinding("a record is shown as something that is not JSON: \(error)")
        }
    }

    private func checkTypeText(_ bytes: RawSpan) throws {
        let text = String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        guard let type = try? StoredType(parsing: text) else { return }
        try require((try? StoredType(parsing: type.description)) == type, "the type \(type) is read as another")
    }
}
