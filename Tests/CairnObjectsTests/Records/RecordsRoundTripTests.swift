import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Whatever is written comes back as it was.
@Suite struct RecordsRoundTripTests {
    func integersComeBack<Value: StoredValue & FixedWidthInteger>(_ type: Value.Type, _ generator: inout SeededGenerator) throws {
        for value in [Value.min, .min + 1, 0, 1, .max - 1, .max] { try comesBack(value) }
        for _ in 0..<20 { try comesBack(Value(truncatingIfNeeded: generator.spreadInteger())) }
        try comesBack((0..<generator.int(in: 0..<40)).map { _ in Value(truncatingIfNeeded: generator.spreadInteger()) })
    }

    @Test func integersOfAllWidths() async throws {
        try await withSeeds("integers in records", count: Thorough.count(2, of: 10)) { (generator) throws in
            try integersComeBack(Int.self, &generator)
            try integersComeBack(Int8.self, &generator)
            try integersComeBack(Int16.self, &generator)
            try integersComeBack(Int32.self, &generator)
            try integersComeBack(Int64.self, &generator)
            try integersComeBack(Int128.self, &generator)
            try integersComeBack(UInt.self, &generator)
            try integersComeBack(UInt8.self, &generator)
            try integersComeBack(UInt16.self, &generator)
            try integersComeBack(UInt32.self, &generator)
            try integersComeBack(UInt64.self, &generator)
            try integersComeBack(UInt128.self, &generator)
        }
        try comesBack(true)
        try comesBack(false)
    }

    @Test func floatingPointKeepsEveryBit() async throws {
        try await withSeeds("floating point in records", count: Thorough.count(2, of: 10)) { (generator) throws in
            for _ in 0..<50 {
                let bits = generator.next()
                #expect(try value(record(Double(bitPattern: bits)), as: Double.self).bitPattern == bits)
                let half = UInt32(truncatingIfNeeded: bits)
                #expect(try value(record(Float(bitPattern: half)), as: Float.self).bitPattern == half)
                try comesBack(Date(timeIntervalSinceReferenceDate: Double(Int64(bitPattern: bits)) / 1e6))
            }
        }
        for value in [0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi] as [Double] {
            try comesBack(value)
        }
        for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.1), Date()] { try comesBack(date) }
    }

    @Test func textOfAnyLength() async throws {
        let pieces = ["a", "é", "e\u{301}", "漢", "😀", "\0", "\n", "👨‍👩‍👧", "x"]
        try await withSeeds("text in records", count: Thorough.count(2, of: 10)) { (generator) throws in
            for length in [0, 1, 14, 15, 16, 17, 63, 64, 127, 128, 129, 16_383, 16_384] {
                var text = ""
                while text.utf8.count < length { text += length > 200 ? "abcdefgh" : generator.pick(pieces) }
                let read: String = try value(record(text))
                // Not only equal, but the same scalars.
                #expect(Array(read.utf8) == Array(text.utf8))
                try comesBack(String(repeating: "a", count: length))
                try comesBack(generator.bytes(length))
                try comesBack(Data(generator.bytes(length)))
                try comesBack([text, "", text])
            }
        }
        #expect(
            try value(record(("prefix" + String(repeating: "ab", count: 40)).dropFirst(3).description), as: String.self).hasPrefix("fixab")
        )
        // Text of another framework may not be contiguous.
        try comesBack(NSString(string: "Björk \u{1F3B5}") as String)
    }

    @Test func typesOfFoundation() async throws {
        try await withSeeds("Foundation in records", count: Thorough.count(2, of: 10)) { (generator) throws in
            for _ in 0..<20 {
                try comesBack(UUID())
                let mantissa = Decimal(generator.spreadInteger()) * Decimal(generator.spreadInteger())
                try comesBack(
                    Decimal(sign: generator.oneIn(2) ? .minus : .plus, exponent: generator.int(in: -80..<80), significand: mantissa)
                )
            }
        }
        #expect(try record(Decimal(sign: .plus, exponent: -2, significand: 150)) == record(Decimal(1.5)))
        #expect(try record(Decimal(sign: .plus, exponent: 2, significand: 3)) == [12, 3] + Array("300".utf8))
        #expect(try record(Decimal(sign: .plus, exponent: 60, significand: 30)) == [12, 4] + Array("3e61".utf8))
        let largest = Decimal(
            sign: .minus,
            exponent: 127,
            significand: try #require(Decimal(string: "1" + String(repeating: "0", count: 37)))
        )
        let decimals: [Decimal] = [
            largest, Decimal(sign: .plus, exponent: -128, significand: 7),
            try #require(Decimal(string: "0.00000000000000000000000000000000000001")),
            .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, 0, 1, -1,
        ]
        for decimal in decimals { try comesBack(decimal) }
        #expect(try value(record(Decimal.nan), as: Decimal.self).isNaN)
        for text in [
            "https://example.org/a%20b?q=1#f", "file:///tmp/x", "mailto:a@b.c", "relative/path", "http://[::1]:80/", "https://例え.jp/ü",
        ] {
            try comesBack(try #require(URL(string: text)))
        }
        let relative = try #require(URL(string: "c", relativeTo: URL(string: "https://a/b/")))
        #expect(try value(record(relative), as: URL.self) == URL(string: "https://a/b/c"))
    }

    @Test func optionalsOnEveryLevel() throws {
        for value in [nil, .some(nil), .some(.some(nil)), 5] as [Int???] { try comesBack(value) }
        for value in [nil, .some(nil), "", "a"] as [String??] { try comesBack(value) }
        try comesBack([nil, .some(nil), 1] as [Int??])
        try comesBack([1: nil, 2: "a"] as [Int: String?])
        try comesBack(Genre?.some(.rock))
        try comesBack([[nil, 1], nil, []] as [[Int?]?])
    }

    @Test func collectionsWithinCollections() async throws {
        try await withSeeds("collections in records", count: Thorough.count(2, of: 10)) { (generator) throws in
            let count = generator.int(in: 0..<60)
            let numbers = (0..<count).map { _ in Int(truncatingIfNeeded: generator.spreadInteger()) }
            let texts = numbers.map { String($0, radix: 36) }
            try comesBack(numbers.map { $0 % 3 == 0 ? nil : $0 })
            try comesBack(texts.map { $0.utf8.count % 2 == 0 ? nil : $0 })
            try comesBack(Set(texts))
            try comesBack(Set(numbers.map { $0 % 3 == 0 ? nil : UInt8(truncatingIfNeeded: $0) }))
            try comesBack(Dictionary(zip(texts, numbers)) { $1 })
            try comesBack(Dictionary(zip(numbers, texts.map { [$0, ""] })) { $1 })
            try comesBack(Dictionary(zip(numbers.map { UInt8(truncatingIfNeeded: $0) }, numbers)) { $1 })
            try comesBack(texts.map { [$0: Set(numbers.prefix(3))] })
            try comesBack(numbers.map { Double($0) })
            try comesBack(numbers.map { $0 > 0 })
            try comesBack(numbers.map { Int128($0) << 3 })
            try comesBack(numbers.map { _ in [UInt8(1), 2] })
            try comesBack(numbers.map { Point(x: Double($0), y: 1) })
        }
    }

    @Test func equalSetsAndDictionariesAreEqualBytes() async throws {
        try await withSeeds("order of sets", count: Thorough.count(2, of: 10)) { (generator) throws in
            let values = (0..<200).map { _ in Int(truncatingIfNeeded: generator.spreadInteger()) }
            var once = Set<Int>(), again = Set<Int>(minimumCapacity: 4_000)
            for value in values { once.insert(value) }
            for value in values.shuffled(using: &generator) { again.insert(value) }
            #expect(try record(once) == record(again))
            var entries = [Int: String](), other = [Int: String](minimumCapacity: 4_000)
            for value in values { entries[value] = "\(value)" }
            for value in values.shuffled(using: &generator) { other[value] = "\(value)" }
            #expect(try record(entries) == record(other))
        }
    }

    @Test func valuesOfSeveralKinds() throws {
        let trees = Tree.branches([.leaf(1), .branches([]), .branches([.leaf(-1), .branches([.leaf(7)]), .leaf(9)]), .leaf(300)])
        let bytes = try record(trees)
        #expect(try value(bytes, as: Tree.self) == trees)
        #expect(try RecordDump(bytes).fields.count == 1)
    }

    @Test func codableTypesNeedNoConformance() throws {
        let address = Address(street: "Elm \"Street\"", number: nil, weight: .infinity)
        var writer = RecordWriter()
        writer.write(address, field: 1)
        writer.write([address, Address(street: "", number: 1, weight: -.infinity)], field: 2)
        writer.write(Address?.none, field: 3)
        writer.write(Address?.some(address), field: 4)
        writer.write(["home": address], field: 5)
        try reading(writer.bytes) { (reader) throws in
            #expect(try reader.read(0, default: nil) == address)
            #expect(try reader.read(1, default: nil) as [Address] == [address, Address(street: "", number: 1, weight: -.infinity)])
            #expect(try reader.read(2, default: nil) == Address?.none)
            #expect(try reader.read(3, default: nil) == Address?.some(address))
            #expect(try reader.read(4, default: nil) == ["home": address])
            #expect(try reader.read(5, default: nil) == Address?.none)
            #expect(try reader.read(5, default: address) == address)
            let missing = #expect(throws: RecordError.self) { try reader.read(5, default: nil) as Address }
            #expect(missing?.code == .missingField)
            let other = #expect(throws: RecordError.self) { try reader.read(0, default: nil) as [Address] }
            #expect(other?.code == .failed)
            #expect(other?.cause != nil)
        }
    }

    @Test func aCoderThatFailsFailsTheRecord() throws {
        struct Refused: Error {}
        struct Stubborn: Codable {
            init() {}
            init(from decoder: any Decoder) throws { throw Refused() }
            func encode(to encoder: any Encoder) throws { throw Refused() }
        }
        var writer = RecordWriter()
        writer.write(Stubborn(), field: 1)
        writer.write(2, field: 2)
        var code: RecordError.Code?
        do { _ = try writer.bytes } catch { code = error.code }
        #expect(code == .failed)
    }
}
