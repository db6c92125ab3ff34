#if Hummingbird
import CairnHummingbird
import CairnMapped
import Foundation
import Hummingbird
import Testing

/// As the guide shows it.
struct FastSession: Codable, Equatable, Sendable {
    var name: String
    var visits = 0
}

extension FastSession: MappedValue {
    init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
        var fields = try MappedFieldReader(bytes, as: type)
        self.init(name: try fields.read(), visits: try fields.read())
    }

    func withStoredBytes<Result>(
        _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        var fields = MappedFieldWriter()
        try fields.write(name)
        try fields.write(visits)
        return try fields.withStoredBytes(body)
    }
}

/// How values are stored: as JSON, or as what they are.
struct StoredFormTests {
    private func expect<Value: Codable & Equatable & Sendable>(_ value: Value, storedAs type: MappedValueType) async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: value)
        try await driver.create(key: "b", value: value, expires: .seconds(10))
        for key in ["a", "b"] {
            #expect(try driver.store.valueType(of: key) == type)
            #expect(try await driver.get(key: key, as: Value.self) == value)
        }
        let (found, left) = try #require(try await driver.getWithTTL(key: "b", as: Value.self))
        #expect(found == value && left == .seconds(10))
    }

    @Test func codableValuesAreJSON() async throws {
        try await expect(Session(note: "a / note"), storedAs: .json)
        try await expect([1, nil, 3] as [Int?], storedAs: .json)
        try await expect(nil as Session?, storedAs: .json)
        try await expect(Session() as Session?, storedAs: .json)
        try await expect(7 as Int?, storedAs: .json)
        try await expect(["a": [1: "b"], "c": [:]], storedAs: .json)
        try await expect([Choice.none, .some(3), .both("x", y: [true])], storedAs: .json)
        try await expect(Decimal(string: "1.25"), storedAs: .json)
        try await expect(Declared(), storedAs: .json)
    }

    @Test func valuesOfTheStoreAreStoredAsWhatTheyAre() async throws {
        try await expect(true, storedAs: .bool)
        try await expect(Int.min, storedAs: .int)
        try await expect(UInt64.max, storedAs: .int)
        try await expect(-Double.infinity, storedAs: .double)
        try await expect(String(repeating: "é", count: 70_000), storedAs: .string)
        try await expect(Data((0...255).map { UInt8($0) }), storedAs: .bytes)
        try await expect([UInt8](repeating: 7, count: 300), storedAs: .bytes)
        try await expect(Date(timeIntervalSinceReferenceDate: 123_456.789), storedAs: .date)
        try await expect(UUID(), storedAs: .uuid)
        try await expect(URL(string: "https://example.org/a?b=c")!, storedAs: .url)
        try await expect(["a", "", "c"], storedAs: .array)
        try await expect(Theme.dark, storedAs: .string)
        try await expect(FastSession(name: "Ada", visits: 3), storedAs: .array)
    }

    enum Choice: Codable, Equatable { case none, some(Int), both(String, y: [Bool]) }
    enum Theme: String, Codable, MappedValue { case light, dark }
    struct Declared: Codable, Equatable, MappedValue { var width = 800 }

    @Test func whatIsStoredCanBeReadByOthers() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: PlainSession(name: "Ada/é", visits: 3))
        #expect(try driver.store.get("a", as: MappedVariant.self) == .json(#"{"name":"Ada/é","visits":3}"#))
        try await driver.set(key: "a", value: FastSession(name: "Ada", visits: 3))
        #expect(try driver.store.get("a", as: MappedVariant.self) == .array([.string("Ada"), .int(3)]))
        try driver.store.set(JSONCoded(PlainSession(name: "Eve", visits: 1)), for: "b")
        #expect(try await driver.get(key: "b", as: PlainSession.self) == PlainSession(name: "Eve", visits: 1))
    }

    struct PlainSession: Codable, Equatable { var name: String; var visits: Int }

    @Test func theMomentOfExpiryStaysWithBoth() async throws {
        let scene = try Scene()
        let driver = try scene.driver()
        try await driver.set(key: "json", value: Session(), expires: .seconds(10))
        try await driver.set(key: "direct", value: FastSession(name: "Ada"), expires: .seconds(10))
        scene.clock.pass(4)
        try await driver.set(key: "json", value: Session(visits: 13))
        try await driver.set(key: "direct", value: FastSession(name: "Ada", visits: 1))
        let json = try #require(try await driver.getWithTTL(key: "json", as: Session.self))
        let direct = try #require(try await driver.getWithTTL(key: "direct", as: FastSession.self))
        #expect(json.object.visits == 13 && json.ttl == .seconds(6))
        #expect(direct.object.visits == 1 && direct.ttl == .seconds(6))
        scene.clock.pass(6)
        #expect(try await driver.get(key: "json", as: Session.self) == nil)
        #expect(try await driver.get(key: "direct", as: FastSession.self) == nil)
    }

    @Test func aTypeMayConformLater() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: PlainSession(name: "Ada", visits: 3), expires: .seconds(10))
        #expect(try await driver.get(key: "a", as: FastSession.self) == FastSession(name: "Ada", visits: 3))
        #expect(try await driver.getWithTTL(key: "a", as: FastSession.self)?.object == FastSession(name: "Ada", visits: 3))
        // An Optional is JSON too, and can be read without it.
        try await driver.set(key: "b", value: FastSession(name: "Eve") as FastSession?)
        #expect(try await driver.get(key: "b", as: FastSession.self) == FastSession(name: "Eve"))
        try await driver.set(key: "b", value: nil as FastSession?)
        await #expect(throws: PersistError.invalidConversion) { try await driver.get(key: "b", as: FastSession.self) }
    }

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

    @Test func whatCannotBeReadIsAnInvalidConversion() async throws {
        let driver = try Scene().driver()
        func expectInvalid<Value: Codable & Sendable>(_ key: String, _ type: Value.Type) async {
            await #expect(throws: PersistError.invalidConversion, "\(key)") { try await driver.get(key: key, as: type) }
            await #expect(throws: PersistError.invalidConversion, "\(key)") { try await driver.getWithTTL(key: key, as: type) }
        }
        try driver.store.set(MappedVariant.json("{"), for: "half")
        await expectInvalid("half", Session.self)
        await expectInvalid("half", FastSession.self)
        try driver.store.set(MappedVariant.other(.json, [0xFF, 0xFE]), for: "bytes")
        await expectInvalid("bytes", Session.self)
        try driver.store.set([MappedVariant.string("Ada")], for: "short")
        await expectInvalid("short", FastSession.self)
        try driver.store.set(MappedVariant.other(.array, [5, 200, 1]), for: "cut")
        await expectInvalid("cut", FastSession.self)
        await expectInvalid("cut", Session.self)
        try await driver.set(key: "theme", value: "blue")
        await expectInvalid("theme", Theme.self)
        try await driver.set(key: "wide", value: 300)
        await expectInvalid("wide", Int8.self)
        // Longer than any stack.
        try driver.store.set(MappedVariant.json(String(repeating: #"{"next":"#, count: 200_000)), for: "deep")
        await expectInvalid("deep", Session.self)
    }

    @Test func whatCannotBeEncodedChangesNothing() async throws {
        let driver = try Scene().driver()
        try await driver.set(key: "a", value: Rate(value: 1))
        for isNew in [true, false] {
            await #expect {
                if isNew {
                    try await driver.create(key: "b", value: Rate(value: .nan))
                } else {
                    try await driver.set(key: "a", value: Rate(value: .nan))
                }
            } throws: { ($0 as? MappedStoreError)?.code == .codec }
        }
        #expect(try await driver.get(key: "a", as: Rate.self)?.value == 1)
        #expect(try await driver.get(key: "b", as: Rate.self) == nil)
    }

    struct Rate: Codable { var value: Double }
}
#endif
