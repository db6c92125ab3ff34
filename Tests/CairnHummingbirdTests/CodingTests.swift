#if Hummingbird
import CairnHummingbird
import CairnMapped
import CairnTestSupport
import Foundation
import Hummingbird
import Testing

/// What can be in a session.
struct CodingTests {
    private func expectSame<Value: Codable & Equatable & Sendable>(_ value: Value) async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: value)
        #expect(try await driver.get(key: "a", as: Value.self) == value)
    }

    @Test func valuesOfAllKindsComeBack() async throws {
        try await expectSame(Session(note: "a note"))
        try await expectSame(true)
        try await expectSame("")
        try await expectSame(String(repeating: "é", count: 70_000))
        try await expectSame([Int.min, -1, 0, 1, 23, 24, 255, 256, 65_535, 65_536, 1 << 32, .max])
        try await expectSame([UInt64.max, 0])
        try await expectSame([Int8.min, .max])
        try await expectSame([0.1, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
        try await expectSame([Float(0.1)])
        try await expectSame(Date(timeIntervalSinceReferenceDate: 123_456.789))
        try await expectSame(Data((0...255).map { UInt8($0) }))
        try await expectSame([UInt8](repeating: 7, count: 300))
        try await expectSame([1, nil, 3] as [Int?])
        try await expectSame(nil as Session?)
        try await expectSame(["a": [1: "b"], "c": [:]])
        try await expectSame(Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", $0) }))
        try await expectSame([Choice.none, .some(3), .both("x", y: [true])])
        try await expectSame(Decimal(string: "1.25"))
        try await expectSame(URL(string: "https://example.org/a?b=c"))
    }

    enum Choice: Codable, Equatable { case none, some(Int), both(String, y: [Bool]) }

    class Base: Codable {
        var name = "base"
    }

    final class Derived: Base {
        var size = 3

        enum CodingKeys: String, CodingKey { case size, list, map }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            size = try container.decode(Int.self, forKey: .size)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            #expect(try list.decode(Int8.self) == 1 && list.decodeNil() && list.count == 3)
            #expect(try list.nestedContainer(keyedBy: CodingKeys.self).decode(Bool.self, forKey: .map) && list.isAtEnd)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            // The last one counts.
            try container.encode(99, forKey: .size)
            try container.encode(size, forKey: .size)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try list.encodeNil()
            var map = list.nestedContainer(keyedBy: CodingKeys.self)
            try map.encode(true, forKey: .map)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test func classesAndNestedContainers() async throws {
        let driver = try Scene().driver()
        let value = Derived()
        (value.name, value.size) = ("derived", 8)
        try await driver.set(key: "a", value: Unchecked(value: value))
        let found = try #require(try await driver.get(key: "a", as: Unchecked.self)).value
        #expect(found.name == "derived" && found.size == 8)
    }

    struct Unchecked: Codable, @unchecked Sendable { var value: Derived }

    struct Newer: Codable { var name: String; var nickname: String?; var visits: Int }
    struct Wrong: Codable { var name: Int }
    struct Missing: Codable { var password: String }

    @Test func typesMayGrow() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: Session())
        let newer = try #require(try await driver.get(key: "a", as: Newer.self))
        #expect(newer.name == "Ada" && newer.nickname == nil && newer.visits == 12)
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "a", as: Wrong.self) }
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "a", as: Missing.self) }
    }

    final class Chain: Codable, Sendable {
        let next: Chain?
        init(_ depth: Int) { next = depth > 1 ? Chain(depth - 1) : nil }
    }

    @Test func depthHasALimit() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: Chain(100))
        #expect(try await driver.get(key: "a", as: Chain.self) != nil)
        await #expect(throws: EncodingError.self) { try await driver.set(key: "b", value: Chain(1000)) }
        // Longer than any stack: maps of one key, each in the other.
        let bytes = [UInt8]((0..<200_000).flatMap { _ in [0xA1, 0x64] + Array("next".utf8) } + [0xF6])
        try driver.store.set(bytes, for: "c")
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "c", as: Chain.self) }
    }

    /// The examples of RFC 8949, appendix A, that are written here.
    @Test(arguments: [
        ("17", 23), ("1818", 24), ("1903e8", 1000), ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000), ("20", -1),
        ("3863", -100),
    ])
    func integersAreAsTheStandardHasThem(_ hex: String, _ number: Int) async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: number)
        #expect(try driver.store.get("a", as: [UInt8].self).map { $0.map { String(format: "%02x", $0) }.joined() } == hex)
    }

    @Test func anyBytesAreAValueOrAnError() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: Session(note: "x"))
        let whole = try #require(try driver.store.get("a", as: [UInt8].self))
        @Sendable func read(_ bytes: [UInt8]) async throws -> Session? {
            try driver.store.set(bytes, for: "b")
            do { return try await driver.get(key: "b", as: Session.self) } catch let error as PersistError where error == .invalidConversion
            { return nil }
        }
        #expect(try await read(whole)?.note == "x")
        #expect(try await read(whole + [0]) == nil)
        for count in 0..<whole.count { #expect(try await read([UInt8](whole[..<count])) == nil) }
        // Lengths that are not there, or overflow.
        for head: UInt8 in [0x5B, 0x7B, 0x9B, 0xBB] { #expect(try await read([head] + [UInt8](repeating: 0xFF, count: 8)) == nil) }
        try await withSeeds("bytes of sessions", count: 300) { generator in
            var bytes = whole
            for _ in 0..<generator.int(in: 1..<4) { bytes[generator.int(in: 0..<bytes.count)] = generator.bytes(1)[0] }
            _ = try await read(bytes)
        }
    }
}
#endif
