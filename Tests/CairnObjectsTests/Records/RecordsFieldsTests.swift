import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Fields are found by number, whatever order the program has its properties in.
@Suite struct RecordsFieldsTests {
    /// Fields 1 "one", 2: 2, 4: [4], 20: "twenty".
    static func sample() throws -> [UInt8] {
        var writer = RecordWriter()
        writer.write("one", field: 1)
        writer.write(2, field: 2)
        writer.write([4], field: 4)
        writer.write("twenty", field: 20)
        return try writer.bytes
    }

    @Test func propertiesMayBeReorderedAddedAndRemoved() throws {
        // Of five properties: field 20, a new one, field 2, one whose field the record does not have, field 1.
        try reading(Self.sample(), FieldMap([20, 0, 2, 3, 1]), version: 7) { (reader) throws in
            #expect(reader.version == 7)
            #expect(try reader.read(0, default: nil) == "twenty")
            #expect(try reader.read(1, default: 5) == 5)
            #expect(try reader.read(2, default: nil) == 2)
            #expect(try reader.read(3, default: nil) == "")
            #expect(try reader.read(4, default: nil) == "one")
            // Again, and beyond what the map has.
            #expect(try reader.read(0, default: nil) == "twenty")
            #expect(try reader.read(5, default: "none") == "none")
            #expect(try reader.read(-1, default: "none") == "none")
        }
    }

    @Test func everyOrderOfReadingFindsEveryField() throws {
        let bytes = try Self.sample()
        let numbers = [1, 2, 3, 4, 20]
        var orders: [[Int]] = [[]]
        for _ in 0..<3 { orders = orders.flatMap { order in numbers.map { order + [$0] } } }
        for order in orders {
            try reading(bytes) { (reader) throws in
                for number in order {
                    switch number {
                    case 2: #expect(try reader.read(Int.self, field: 2) == 2)
                    case 3: #expect(try reader.read(Int.self, field: 3) == nil)
                    case 4: #expect(try reader.read([Int].self, field: 4) == [4])
                    default: #expect(try reader.read(String.self, field: number) == (number == 1 ? "one" : "twenty"))
                    }
                }
            }
        }
    }

    @Test func fieldsMayBeWrittenInAnyOrderAndTheLastOfANumberCounts() async throws {
        let sample = try Self.sample()
        try await withSeeds("fields in any order", count: Thorough.count(10, of: 50)) { (generator) throws in
            var order = [1, 2, 4, 20]
            order.shuffle(using: &generator)
            var writer = RecordWriter()
            for number in order + [generator.pick(order)] {
                switch number {
                case 1: writer.write(generator.oneIn(2) ? "ONE" : "another", field: 1)
                case 2: writer.write(2, field: 2)
                case 4: writer.write([4], field: 4)
                default: writer.write("twenty", field: 20)
                }
            }
            writer.write("one", field: 1)
            let bytes = try writer.bytes
            #expect(bytes == sample)
        }
    }

    @Test func missingFieldsAreTheDefaultOrBlankOrAnError() throws {
        try reading([], FieldMap(count: 3)) { (reader) throws in
            #expect(try reader.read(0, default: 7) == 7)
            #expect(try reader.read(0, default: nil) == 0)
            #expect(try reader.read(0, default: nil) == "")
            #expect(try reader.read(0, default: nil) == false)
            #expect(try reader.read(0, default: nil) == [Int]())
            #expect(try reader.read(0, default: nil) == Set<Int>())
            #expect(try reader.read(0, default: nil) == [String: Int]())
            #expect(try reader.read(0, default: nil) == Double(0))
            #expect(try reader.read(0, default: nil) == Decimal(0))
            #expect(try reader.read(0, default: nil) == Data())
            #expect(try reader.read(0, default: nil) == Int?.none)
            #expect(try reader.read(0, default: nil) == Genre?.none)
            #expect(try reader.read(0, default: .rock) == Genre.rock)
            #expect(try reader.read(0, default: nil) == Point(x: 0, y: 0))
        }
        for type in [URL.self, Date.self, UUID.self, Genre.self, Tree.self] as [any StoredValue.Type] { expectMissing(type) }
    }

    func expectMissing<Value: StoredValue>(_ type: Value.Type) {
        let error = #expect(throws: RecordError.self) {
            _ = try reading([], FieldMap([1, 5])) { (reader) throws in try reader.read(1, default: nil) as Value }
        }
        #expect(error?.code == .missingField)
        #expect(error?.field == 5)
        #expect(error?.index == 1)
    }

    @Test func aNullCountsAsMissingWhereThePropertyIsNoLongerOptional() throws {
        let bytes = try record(Int?.none)
        try reading(bytes) { (reader) throws in
            #expect(try reader.read(0, default: 3) == 3)
            #expect(try reader.read(0, default: nil) == 0)
            #expect(try reader.read(0, default: 3) == Int?.none)
        }
        #expect(refusal(bytes, as: UUID.self) == .missingField)
    }

    @Test func referencesAndUnknownFieldsArePassedOver() throws {
        var writer = RecordWriter()
        writer.write(reference: .max, row: .max, field: 1)
        [1, 2, 3].withSpan { writer.write(references: $0, field: 2) }
        writer.write(Float(1), field: 3)
        writer.write(UUID(), field: 4)
        writer.write(Int?.none, field: 5)
        writer.write("here", field: 6)
        #expect(try reading(writer.bytes) { (reader) throws in try reader.read(5, default: nil) } == "here")
    }

    @Test func codecsWrittenByHandReadInOrder() throws {
        var writer = RecordWriter()
        for number in 1...40 { writer.write(number) }
        writer.write(Int?.none)
        try reading(writer.bytes, FieldMap(count: 0)) { (reader) throws in
            for number in 1...40 {
                #expect(try reader.nextKind() == .varint)
                #expect(reader.isAtEnd == false)
                #expect(try reader.read() == number)
            }
            #expect(try reader.nextKind() == .null)
            #expect(reader.isAtEnd == false)
            #expect(try reader.read(Int?.self) == nil)
            #expect(reader.isAtEnd == true)
            #expect(try reader.nextKind() == nil)
            // What an older version did not write.
            #expect(try reader.read(default: "new") == "new")
            let error = #expect(throws: RecordError.self) { _ = try reader.read(String.self) }
            #expect(error?.code == .missingField)
            #expect(error?.field == 43)
        }
    }

    @Test func aReaderGoesOnAfterAnError() throws {
        try reading(Self.sample()) { (reader) throws in
            #expect((try? reader.read(Genre.self, field: 1)) == nil)
            #expect((try? reader.read([String].self, field: 4)) == nil)
            #expect(try reader.read(Int.self, field: 2) == 2)
            #expect(try reader.read([Int].self, field: 4) == [4])
        }
    }

    @Test func aWriterIsUsedAgainAndPutsAHeaderFirst() throws {
        var writer = RecordWriter()
        writer.write(String(repeating: "x", count: 5_000), field: 1)
        #expect(writer.byteCount == 5_003)
        writer.reset()
        #expect(try writer.bytes == [])
        [7, 7].withSpan { writer.reset(header: $0) }
        writer.write(1, field: 2)
        writer.write(1, field: 1)
        #expect(try writer.bytes == [7, 7, 9, 2, 17, 2])
        #expect(try writer.withBytes { $0.byteCount } == 6)
        #expect(try writer.span.byteCount == 6)
    }

    @Test func misuseIsAnErrorOfTheRecord() throws {
        struct Twice: StoredValue {
            static var storedType: StoredType { .bool }
            static var blank: Twice? { nil }
            init() {}
            init(reading reader: inout FieldReader) throws(RecordError) {
                _ = try Bool(reading: &reader)
                _ = try Bool(reading: &reader)
            }
            func write(to writer: inout FieldWriter) {
                true.write(to: &writer)
                "é".write(to: &writer)
            }
        }
        #expect(throws: RecordError.self) { try record(Twice()) }
        #expect(throws: RecordError.self) { try record([Twice(), nil, Twice()] as [Twice?]) }
        #expect(throws: RecordError.self) { try record([1: Twice(), 2: Twice()]) }
        #expect(refusal([9, 1, 17, 1], as: Twice.self) == .misused)
        for number in [0, -1, 1 << 28, .max, .min] {
            var writer = RecordWriter()
            writer.write(1, field: number)
            writer.write(2, field: 3)
            do {
                try writer.check()
                Issue.record("field \(number) was written")
            } catch {
                #expect(error.code == .misused, "\(number)")
            }
            writer.reset()
            writer.write(2, field: 3)
            #expect(try writer.bytes == [25, 4])
        }
    }

    @Test func aTypeThatTakesOrWritesNothingDoesNoHarm() throws {
        struct Nothing: StoredValue, Equatable {
            static var storedType: StoredType { .optional(.bool) }
            static var blank: Nothing? { Nothing() }
            init() {}
            init(reading reader: inout FieldReader) throws(RecordError) {}
            func write(to writer: inout FieldWriter) {}
        }
        #expect(try record(Nothing()) == [8])
        #expect(try record([Nothing(), Nothing()]) == [12, 3, 0, 0, 0])
        #expect(try value(record(["a", "b"]), as: [Nothing].self) == [Nothing(), Nothing()])
        try reading(Self.sample()) { (reader) throws in
            #expect(try reader.read(0, default: nil) == Nothing())
            #expect(try reader.read(1, default: nil) == 2)
        }
    }
}
