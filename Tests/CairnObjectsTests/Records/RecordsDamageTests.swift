import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Any bytes are a record or an error.
@Suite struct RecordsDamageTests {
    /// One field of each type.
    static func sample() throws -> [UInt8] {
        var writer = RecordWriter()
        writer.write("Björk", field: 1)
        writer.write(-298, field: 2)
        writer.write([1, nil, 3] as [Int?], field: 3)
        writer.write(["a": [1.5], "b": []], field: 4)
        writer.write(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"), field: 5)
        writer.write(Set(["x", "y"]), field: 6)
        writer.write(Date(timeIntervalSinceReferenceDate: 1e8), field: 7)
        writer.write(Decimal(string: "12.5"), field: 8)
        writer.write(URL(string: "https://a/b"), field: 9)
        writer.write(Address(street: "Elm", number: 3), field: 10)
        writer.write([[1], [2, 3]] as [[UInt8]], field: 11)
        writer.write(reference: 3, row: 1 << 40, field: 12)
        writer.write(Float(2), field: 17)
        writer.write(Int??.some(nil), field: 18)
        return try writer.bytes
    }

    /// Reads the bytes as every type in every field; says how many values could be read.
    @discardableResult
    static func readAll(_ bytes: [UInt8]) -> Int {
        var count = 0
        func readField<Value: StoredValue>(_ reader: inout RecordReader, _ type: Value.Type, _ number: Int) {
            do {
                if try reader.read(type, field: number) != nil { count += 1 }
            } catch {
                // The error says where it was.
                if error.field != number || error.message.isEmpty { Issue.record("\(error) does not say which field it is of") }
            }
        }
        bytes.withSpan { span in
            var reader = RecordReader(bytes: span, fields: FieldMap(count: 20))
            let types: [any StoredValue.Type] = [
                Bool.self, Int.self, Int8.self, UInt.self, UInt16.self, Int128.self, UInt128.self, Float.self, Double.self, String.self,
                [UInt8].self, Data.self, Date.self, UUID.self, URL.self, Decimal.self, Int?.self, Int??.self, [Int?].self, [String].self,
                [[Int]].self, Set<String>.self, [String: [Double]].self, [Int: Int].self, Genre.self, Level?.self, Point.self, Tree.self,
                StoredCodable<Address>.self,
            ]
            for type in types {
                for number in 1...19 { readField(&reader, type, number) }
            }
            var inOrder = RecordReader(bytes: span, fields: FieldMap(count: 0))
            while !inOrder.isAtEnd, (try? inOrder.nextKind()) != nil, (try? inOrder.read([Int].self)) != nil { count += 1 }
        }
        if let dump = try? RecordDump(bytes) { count += dump.json().isEmpty ? 0 : 1 }
        if let dump = try? RecordDump(bytes, types: [1: .string, 2: .bool, 3: .array(.optional(.string)), 4: .dictionary(.string, .date)]) {
            count += dump.json().isEmpty ? 0 : 1
        }
        return count
    }

    @Test func everyTruncationIsARecordOrAnError() throws {
        let bytes = try Self.sample()
        #expect(Self.readAll(bytes) > 50)
        for count in 0..<bytes.count { Self.readAll(Array(bytes.prefix(count))) }
    }

    @Test func everyFlippedBitIsARecordOrAnError() throws {
        let bytes = try Self.sample()
        let whole = Self.readAll(bytes)
        var counts: [Int] = []
        var generator = SeededGenerator(seed: .random(in: 0...UInt64.max))
        for bit in Thorough.sample(150, of: 0..<bytes.count * 8, using: &generator) {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << (bit % 8)
            counts.append(Self.readAll(damaged))
        }
        // Some of it is refused, and some of it can still be read.
        #expect(counts.contains { $0 < whole } && counts.contains { $0 > 0 })
    }

    @Test func randomBytesAreARecordOrAnError() async throws {
        let sample = try Self.sample()
        let whole = Self.readAll(sample)
        try await withSeeds("random records", count: Thorough.count(2, of: 10)) { (generator) throws in
            var counts: [Int] = []
            for _ in 0..<20 {
                Self.readAll(generator.bytes(generator.int(in: 0..<40)))
                var damaged = sample
                for _ in 0..<3 { damaged[generator.int(in: 0..<damaged.count)] = UInt8(truncatingIfNeeded: generator.next()) }
                counts.append(Self.readAll(damaged))
            }
            #expect(counts.contains { $0 < whole } && counts.contains { $0 > 0 })
        }
    }

    @Test func wrongTypesAreErrors() throws {
        #expect(try refusal(record("1"), as: Int.self) == .typeMismatch)
        #expect(try refusal(record(1), as: String.self) == .typeMismatch)
        #expect(try refusal(record(1), as: Double.self) == .typeMismatch)
        #expect(try refusal(record(1.5), as: Int.self) == .typeMismatch)
        #expect(try refusal(record(Float(1)), as: Date.self) == .typeMismatch)
        #expect(try refusal(record([1]), as: [Bool].self) == .outOfRange)
        #expect(try refusal(record(["a"]), as: [Int].self) == .typeMismatch)
        #expect(try refusal(record([1, nil] as [Int?]), as: [Int].self) == .typeMismatch)
        #expect(try refusal(record(1.5), as: UUID.self) == .typeMismatch)
        #expect(try refusal(record([1, 2, 3]), as: [Int: Int].self) == .malformed)
        #expect(try refusal(record("jazz"), as: Genre.self) == .outOfRange)
        #expect(try refusal(record("a b"), as: URL.self) == .malformed)
        #expect(try refusal(record("12,5"), as: Decimal.self) == .malformed)
        #expect(try refusal(record([1.5]), as: Point.self) == .malformed)
        #expect(try refusal(record(UInt8(2)), as: Bool.self) == .outOfRange)
        for text in ["", "-", "e", "1e", "1e128", "1e-129", "+1", "1.5", "e5", " 1", "NaN", "340282366920938463463374607431768211456"] {
            #expect(try refusal(record(text), as: Decimal.self) == .malformed, "\(text)")
        }
    }

    @Test func integersOfAnotherWidthAreReadIfTheyFit() throws {
        #expect(try value(record(Int64(-128)), as: Int8.self) == -128)
        #expect(try refusal(record(Int64(-129)), as: Int8.self) == .outOfRange)
        #expect(try value(record(Int8(-5)), as: Int.self) == -5)
        #expect(try value(record(UInt64(255)), as: UInt8.self) == 255)
        #expect(try refusal(record(UInt64(256)), as: UInt8.self) == .outOfRange)
        #expect(try value(record(Int(-7)), as: Int128.self) == -7)
        #expect(try value(record(Int128(-7)), as: Int16.self) == -7)
        #expect(try refusal(record(Int128(1) << 64), as: Int.self) == .outOfRange)
        #expect(try value(record(UInt.max), as: UInt128.self) == UInt128(UInt.max))
        #expect(try refusal(record(UInt128.max), as: UInt64.self) == .outOfRange)
        #expect(try value(record(Float(0.5)), as: Double.self) == 0.5)
        #expect(try value(record(0.5), as: Float.self) == 0.5)
        #expect(try value(record(Double.infinity), as: Float.self) == .infinity)
        #expect(try value(record(Double.nan), as: Float.self).isNaN)
        #expect(try refusal(record(0.1), as: Float.self) == .outOfRange)
        #expect(try value(record(["a", "b", "a"]), as: Set<String>.self) == ["a", "b"])
        #expect(try value(record(Set([1])), as: [Int].self) == [1])
        #expect(try value(record(1), as: Int?.self) == 1)
    }

    @Test func textThatIsNotUTF8IsRefused() throws {
        let cases: [[UInt8]] = [
            [0xFF], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF5, 0x80, 0x80, 0x80], [0x80],
            [0xE2, 0x82], Array("0123456789abcdef".utf8) + [0x80],
        ]
        for bytes in cases { #expect(try refusal(record(bytes), as: String.self) == .invalidText, "\(bytes)") }
        #expect(try refusal(record([[0xFF]] as [[UInt8]]), as: [String].self) == .invalidText)
        #expect(try value(record(Array("\u{FFFD}".utf8)), as: String.self) == "\u{FFFD}")
    }

    @Test func lengthsAndNumbersThatAreTooLargeAreRefused() {
        let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        #expect(refusal([12] + huge, as: String.self) == .truncated)
        #expect(refusal([12] + huge, as: [Int].self) == .truncated)
        #expect(refusal([12, 0x80, 0x80, 0x80, 0x80, 0x08, 4], as: [String].self) == .truncated)
        // Lists of more than there is: strings, doubles, integers that do not end.
        #expect(refusal([12, 3, 4, 0xFF, 0x01], as: [String].self) == .truncated)
        #expect(refusal([12, 8, 3, 1, 2, 3, 4, 5, 6, 7], as: [Double].self) == .truncated)
        #expect(refusal([12, 2, 1, 0x80], as: [Int].self) == .truncated)
        #expect(refusal([12, 1, 1], as: [Int].self) == .truncated)
        #expect(refusal([12, 1, 9], as: [Int].self) == .malformed)
        #expect(refusal([12, 2, 0, 9], as: [Int].self) == .malformed)
        // An integer of more than 64 bits, one that is padded, one without an end.
        #expect(refusal([9] + huge.dropLast() + [0x02], as: UInt.self) == .malformed)
        #expect(refusal([9] + huge.dropLast() + [0x81, 0x00], as: UInt.self) == .malformed)
        #expect(refusal([9, 0x80, 0x00], as: UInt.self) == .malformed)
        #expect(refusal([9, 0x80], as: UInt.self) == .truncated)
        #expect(refusal([9], as: UInt.self) == .truncated)
        #expect(refusal([11, 1, 2, 3], as: Double.self) == .truncated)
        // Tags: number 0, one too large, numbers that do not ascend.
        #expect(refusal([1, 1, 9, 2], as: Int.self) == .malformed)
        #expect(refusal(huge, as: Int.self) == .malformed)
        #expect((try? RecordDump([17, 2, 9, 2] as [UInt8])) == nil)
        #expect((try? RecordDump([9, 2, 9, 2] as [UInt8])) == nil)
        // A dictionary with a key twice, and one with fewer values than keys.
        #expect(refusal([12, 9, 4, 3, 1, 2, 2, 3, 1, 2, 2], as: [Int: Int].self) == .malformed)
        #expect(refusal([12, 8, 4, 3, 1, 2, 4, 2, 1, 2], as: [Int: Int].self) == .malformed)
        // An optional in an optional with two values.
        #expect(refusal([12, 3, 1, 2, 2], as: Int??.self) == .malformed)
    }

    @Test func deepNestingIsRefusedOnBothSides() throws {
        func nested(_ depth: Int) -> Tree { (0..<depth).reduce(.leaf(1)) { tree, _ in .branches([tree]) } }
        let deepest = nested(WireKind.deepest)
        #expect(try value(record(deepest), as: Tree.self) == deepest)
        var code: RecordError.Code?
        do {
            var writer = RecordWriter()
            writer.write(nested(WireKind.deepest + 1), field: 1)
            _ = try writer.bytes
        } catch { code = error.code }
        #expect(code == .tooDeep)
        // By hand, as deep as it gets.
        var payload: [UInt8] = []
        for _ in 0..<2_000 {
            var length: [UInt8] = []
            Varint.append(UInt64(payload.count), to: &length)
            payload = [4] + length + payload
        }
        var length: [UInt8] = []
        Varint.append(UInt64(payload.count), to: &length)
        #expect(refusal([12] + length + payload, as: Tree.self) == .tooDeep)
    }

    @Test func errorsDoNotShowWhatIsStored() throws {
        let error = #expect(throws: RecordError.self) { try value(record("secret"), as: Genre.self) }
        #expect(error?.description.contains("secret") == false)
        #expect(error?.fullDescription.contains("secret") == true)
        #expect(error?.field == 1)
        #expect(error?.index == 0)
    }
}
