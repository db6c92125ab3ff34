import CairnCore
import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

struct ImportMMKVTests {
    private func read(
        _ fixture: MMKVFixture,
        cipher: MappedImportCipher? = nil,
        types: [String: MappedForeignType] = [:],
        booleans: Bool = false,
        expiry: Bool? = nil
    ) throws -> MappedImport {
        try MappedImport.mmkv(
            bytes: fixture.data,
            meta: fixture.meta,
            cipher: cipher,
            types: types,
            booleans: booleans,
            expiry: expiry
        )
    }

    /// The ciphers and checksums of these tests are right themselves.
    @Test func theReferencesAreRight() {
        func hex(_ text: String) -> [UInt8] {
            stride(from: 0, to: text.count, by: 2).map { UInt8(text.dropFirst($0).prefix(2), radix: 16)! }
        }
        // FIPS 197, appendix C.
        var block = hex("00112233445566778899aabbccddeeff")
        ReferenceAES(key: Array(0...15)).encrypt(&block)
        #expect(block == hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
        block = hex("00112233445566778899aabbccddeeff")
        ReferenceAES(key: Array(0...31)).encrypt(&block)
        #expect(block == hex("8ea2b7ca516745bfeafc49904b496089"))
        // SP 800-38A, F.3.13.
        let plain = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let text = ReferenceAES.encryptCFB(plain, key: hex("2b7e151628aed2a6abf7158809cf4f3c"), vector: Array(0...15))
        #expect(text == hex("3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"))
        #expect(MMKVFixture.crc("123456789".utf8) == 0xCBF4_3926)
    }

    @Test func typesAreGuessed() throws {
        var fixture = MMKVFixture()
        fixture.set([1], "one")
        fixture.set(MMKVFixture.int(1000), "number")
        fixture.set(MMKVFixture.int(-1), "negative")
        fixture.set(MMKVFixture.int(1_700_000_000_000_000), "microseconds")
        fixture.set(MMKVFixture.float(0.1), "float")
        fixture.set(MMKVFixture.double(3.14), "double")
        fixture.set(MMKVFixture.double(.nan), "nan")
        fixture.set(MMKVFixture.text("hällo\n"), "text")
        fixture.set(MMKVFixture.text("abc"), "as long as a float")
        fixture.set(MMKVFixture.text("1234567"), "as long as a double")
        fixture.set(MMKVFixture.text(#"{"a":1}"#), "JSON")
        fixture.set(MMKVFixture.counted([0xFF, 0xFE]), "bytes")
        fixture.set(MMKVFixture.strings(["ab", "c"]), "strings")
        fixture.set(Array("bplist00 and so on".utf8), "archive")
        fixture.set([0xFF, 0xFF], "nothing")
        let result = try read(fixture)
        let expected: [String: MappedVariant] = [
            "one": .int(1), "number": .int(1000), "negative": .int(-1), "microseconds": .int(1_700_000_000_000_000), "float": .float(0.1),
            "double": .double(3.14), "text": .string("hällo\n"), "as long as a float": .string("abc"),
            "as long as a double": .string("1234567"), "JSON": .string(#"{"a":1}"#), "bytes": .bytes([0xFF, 0xFE]),
            "strings": .array([.string("ab"), .string("c")]), "archive": .bytes(Array("bplist00 and so on".utf8)),
            "nothing": .bytes([0xFF, 0xFF]),
        ]
        var values = result.values
        if case .double(let number)? = values.removeValue(forKey: "nan") { #expect(number.isNaN) } else { Issue.record("no double") }
        #expect(values == expected)
        #expect(result.report.types["one"] == .guessed(.int, alternatives: [.bool, .raw]))
        #expect(result.report.types["negative"] == .guessed(.int, alternatives: [.unsigned, .raw]))
        #expect(result.report.types["double"] == .guessed(.double, alternatives: [.date, .raw]))
        #expect(result.report.types["as long as a float"] == .guessed(.string, alternatives: [.bytes, .float, .raw]))
        #expect(result.report.types["JSON"] == .guessed(.string, alternatives: [.json, .bytes, .double, .date, .raw]))
        #expect(result.report.types["archive"] == .guessed(.raw, alternatives: []))
        #expect(result.report.guessedCount == fixture.ends.count && result.report.importedCount == fixture.ends.count)
        #expect("\(result.report)".contains("types: 0 specified, 15 guessed"))
        #expect(!"\(result.report)".contains("archive"), "keys are not for everyone")
    }

    @Test func zeroCanBeManyThings() throws {
        var fixture = MMKVFixture()
        fixture.set([0], "zero")
        #expect(try read(fixture).values == ["zero": .int(0)])
        #expect(try read(fixture).report.types["zero"] == .guessed(.int, alternatives: [.bool, .string, .bytes, .strings, .raw]))
        #expect(try read(fixture, booleans: true).values == ["zero": .bool(false)])
        let specified: [(MappedForeignType, MappedVariant)] = [
            (.bool, .bool(false)), (.int, .int(0)), (.unsigned, .int(0)), (.string, .string("")), (.bytes, .bytes([])),
            (.strings, .array([])),
            (.raw, .bytes([0])),
        ]
        for (type, value) in specified {
            let result = try read(fixture, types: ["zero": type])
            #expect(
                result.values == ["zero": value] && result.report.types == ["zero": .specified(type)]
                    && result.report.mismatchedKeys.isEmpty
            )
        }
        // What it cannot be is guessed.
        for type in [MappedForeignType.float, .double, .date, .json, .uuid] {
            let result = try read(fixture, types: ["zero": type])
            #expect(result.values == ["zero": .int(0)] && result.report.mismatchedKeys == ["zero"] && result.report.guessedCount == 1)
        }
    }

    @Test func typesAreTold() throws {
        var fixture = MMKVFixture()
        let uuid = UUID()
        fixture.set(MMKVFixture.double(1_700_000_000.5), "date")
        fixture.set(MMKVFixture.int(-1), "unsigned")
        fixture.set(MMKVFixture.text("https://example.com/ä"), "url")
        fixture.set(MMKVFixture.text(uuid.uuidString), "uuid")
        fixture.set(MMKVFixture.text(#"["a"]"#), "json")
        fixture.set(MMKVFixture.text("text"), "bytes")
        let types: [String: MappedForeignType] = [
            "date": .date, "unsigned": .unsigned, "url": .url, "uuid": .uuid, "json": .json, "bytes": .bytes, "missing": .int,
        ]
        let result = try read(fixture, types: types)
        let expected: [String: MappedVariant] = [
            "date": .date(Date(timeIntervalSince1970: 1_700_000_000.5)), "unsigned": .int(Int128(UInt64.max)),
            "url": .url(try #require(URL(string: "https://example.com/ä"))), "uuid": .uuid(uuid), "json": .json(#"["a"]"#),
            "bytes": .bytes(Array("text".utf8)),
        ]
        #expect(result.values == expected)
        #expect(result.report.guessedCount == 0 && result.report.types.count == 6)
    }

    @Test func keysAreBytes() throws {
        var fixture = MMKVFixture()
        let long = String(repeating: "é", count: 30_000)
        // Two spellings of one character: equal strings, different keys.
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        fixture.set([1], composed)
        fixture.set([2], decomposed)
        fixture.set([3], long)
        fixture.set([4], "🗝️")
        fixture.set([5], [0xC3])
        let result = try read(fixture)
        #expect(result.entries.map { Array($0.key.utf8) } == [composed, decomposed, long, "🗝️"].map { Array($0.utf8) })
        #expect(result.entries.map(\.value) == [.int(1), .int(2), .int(3), .int(4)])
        #expect(result.report.leftOut.map(\.reason) == ["the key is not UTF-8"])
    }

    @Test func theLastRecordCounts() throws {
        var fixture = MMKVFixture()
        fixture.set([1], "a")
        fixture.set([2], "b")
        fixture.set([], "a")
        fixture.set([3], "c")
        fixture.set([], "c")
        fixture.set([4], "c")
        fixture.set([], "never there")
        let result = try read(fixture)
        #expect(result.entries.map(\.key) == ["b", "c"] && result.entries.map(\.value) == [.int(2), .int(4)])
        #expect(result.report.recordCount == 7 && result.report.supersededCount == 3 && result.report.removedCount == 2)
    }

    @Test func deadlines() throws {
        for key in [nil, Array("0123456789abcdef".utf8)] {
            var fixture = MMKVFixture(hasExpiry: true, key: key)
            fixture.set([1], "bool", expires: 5)
            fixture.set(MMKVFixture.text("text"), "never")
            fixture.set(MMKVFixture.double(2), "double", expires: .max)
            let cipher = key.map { MappedImportCipher.reference($0) }
            let result = try read(fixture, cipher: cipher, types: ["bool": .bool])
            #expect(result.values == ["bool": .bool(true), "never": .string("text"), "double": .double(2)])
            let deadlines = ["bool": Date(timeIntervalSince1970: 5), "double": Date(timeIntervalSince1970: Double(UInt32.max))]
            #expect(result.deadlines == deadlines)
            #expect(result.report.warnings.isEmpty)
        }
    }

    /// The flag is a single bit, and the values say otherwise.
    @Test func aWrongFlagForDeadlinesIsFoundOut() throws {
        for hasExpiry in [true, false] {
            var fixture = MMKVFixture(hasExpiry: hasExpiry)
            for number in 0..<4 { fixture.set(MMKVFixture.text("text \(number)"), "\(number)", expires: 1_700_000_000) }
            var meta = fixture.meta
            meta[104] ^= 1
            let result = try MappedImport.mmkv(bytes: fixture.data, meta: meta)
            #expect(result.values["3"] == .string("text 3") && result.report.warnings.count == 1)
            let forced = try MappedImport.mmkv(bytes: fixture.data, meta: meta, expiry: !hasExpiry)
            #expect(forced.values["3"] != .string("text 3") && forced.report.warnings.isEmpty)
        }
    }

    /// A single value may be readable both ways: then the flag and the caller decide, however odd the number or deadline is.
    @Test func theFlagForDeadlinesCountsWhereValuesDoNotContradictIt() throws {
        // The eight bytes of this number, and of a deadline before there was any MMKV, are those of 47750.8 too.
        var fixture = MMKVFixture(hasExpiry: true)
        fixture.set(MMKVFixture.int(64_772_787), "a", expires: 0x40E7_50D9)
        for types in [["a": .int], [:]] as [[String: MappedForeignType]] {
            let result = try read(fixture, types: types)
            #expect(result.deadlines == ["a": Date(timeIntervalSince1970: 1_088_901_337)], "specified: \(types)")
            #expect(result.report.warnings.isEmpty && result.report.mismatchedKeys.isEmpty)
        }
        #expect(try read(fixture, types: ["a": .int]).values == ["a": .int(64_772_787)])

        // Half of this is zero, and the other half a deadline in the year 2106.
        for number in [-Double.infinity, -1e30] {
            var fixture = MMKVFixture()
            fixture.set(MMKVFixture.double(number), "a")
            let result = try read(fixture)
            #expect(result.values == ["a": .double(number)] && result.deadlines.isEmpty && result.report.warnings.isEmpty)
        }
    }

    /// The same eight bytes, once with a deadline and once without: a type given by the caller decides, even against the flag. It applies
    /// to the last value of a key, not to earlier ones.
    @Test func givenTypesDecideAboutDeadlines() throws {
        let number = MMKVFixture.int(64_772_787)
        for hasExpiry in [true, false] {
            var fixture = MMKVFixture(hasExpiry: hasExpiry)
            fixture.set(MMKVFixture.text("before"), "a", expires: 1_700_000_000)
            fixture.set(hasExpiry ? number : number + MMKVFixture.little(UInt32(0x40E7_50D9)), "a", expires: 0x40E7_50D9)
            let types: [String: MappedForeignType] = ["a": hasExpiry ? .int : .double]
            for meta in [nil, fixture.meta.enumerated().map { $0 == 104 ? $1 ^ 1 : $1 }] {
                let result = try MappedImport.mmkv(bytes: fixture.data, meta: meta, types: types)
                #expect(result.values["a"]?.type == (hasExpiry ? .int : .double) && result.report.mismatchedKeys.isEmpty)
                #expect(result.deadlines.isEmpty != hasExpiry && result.report.warnings.count == 1)
            }
        }
    }

    @Test func aValueTooShortForADeadlineIsLeftOut() throws {
        var fixture = MMKVFixture()
        fixture.set([1, 2, 3, 4], "a")
        fixture.set(MMKVFixture.text("text"), "b")
        let result = try read(fixture, expiry: true)
        #expect(result.entries.map(\.key) == ["b"] && result.report.leftOut.map(\.key) == ["a"])
    }

    /// Before version 3 the size was in front of the payload, before version 2 the key served as the vector.
    @Test(arguments: [0, 1, 2, 3, 4, 6] as [UInt32]) func oldVersions(version: UInt32) throws {
        for key in [nil, Array("0123456789abcdef".utf8)] {
            var fixture = MMKVFixture(key: key, version: version)
            fixture.set(MMKVFixture.text("one"), "a")
            fixture.set(MMKVFixture.text("two"), "b")
            let result = try read(fixture, cipher: key.map { MappedImportCipher.reference($0) })
            #expect(result.values == ["a": .string("one"), "b": .string("two")] && result.report.damage == nil)
        }
    }

    @Test func keysOfAnyLength() throws {
        for (given, used) in [
            ("k", 16), ("0123456789abcdef", 16), ("0123456789abcdef0", 16), ("k", 32), (String(repeating: "k", count: 40), 32),
        ] {
            let key = Array(given.utf8.prefix(used)) + [UInt8](repeating: 0, count: max(used - given.utf8.count, 0))
            var fixture = MMKVFixture(key: key)
            fixture.set(MMKVFixture.text("one"), "a")
            #expect(try read(fixture, cipher: .reference(given)).values == ["a": .string("one")])
        }
    }

    @Test func keysThatDoNotFit() throws {
        var fixture = MMKVFixture(key: Array("0123456789abcdef".utf8))
        for number in 0..<10 { fixture.set(MMKVFixture.text("text \(number)"), "key \(number)") }
        #expect(importCode { try read(fixture) } == .keyNeeded)
        #expect(importCode { try read(fixture, cipher: .reference("0123456789abcdeF")) } == .wrongKey)
        let failing = MappedImportCipher(key: [1]) { _, _ in throw CancellationError() }
        #expect(importCode { try read(fixture, cipher: failing) } == .notSupported)
        let forgetful = MappedImportCipher(key: [1]) { block, _ in block.removeLast() }
        #expect(importCode { try read(fixture, cipher: forgetful) } == .notSupported)

        var plain = MMKVFixture()
        plain.set(MMKVFixture.text("one"), "a")
        let result = try read(plain, cipher: .reference("needless"))
        #expect(result.values == ["a": .string("one")] && result.report.warnings.count == 1)
    }

    @Test func wrongKeysAreRefused() async throws {
        try await withSeeds("wrong keys", count: Thorough.count(10, of: 40)) { generator in
            var fixture = MMKVFixture(key: generator.bytes(16), holder: UInt64.random(in: 0x20_0000...0x0FFF_FFFF, using: &generator))
            fixture.vector = generator.bytes(16)
            for number in 0..<25 { fixture.set(generator.bytes(generator.int(in: 20..<40)), "some key \(number)") }
            #expect(importCode { try read(fixture) } == .keyNeeded)
            let wrong = MappedImportCipher.reference(generator.bytes(16))
            #expect(importCode { try read(fixture, cipher: wrong) } == .wrongKey)
        }
    }

    @Test func emptyFiles() throws {
        let fixture = MMKVFixture()
        #expect(try read(fixture).entries.isEmpty)
        #expect(try read(fixture, cipher: .reference("key")).entries.isEmpty)
        #expect(try MappedImport.mmkv(bytes: [0, 0, 0, 0], meta: nil).report.damage == nil)
        #expect(importCode { try MappedImport.mmkv(bytes: [0, 0, 0], meta: nil) } == .malformedInput)
        #expect(importCode { try MappedImport.mmkv(bytes: [], meta: []) } == .malformedInput)
    }

    @Test func files() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("settings")
        #expect(importCode { try MappedImport.mmkv(path: path) } == .notFound)
        #expect(importCode { try MappedImport.mmkv(path: directory.path) } == .isDirectory)
        var fixture = MMKVFixture()
        fixture.set(MMKVFixture.text("one"), "a")
        try Data(fixture.data).write(to: URL(filePath: path))
        #expect(try MappedImport.mmkv(path: path).report.damage?.contains(".crc file is missing") == true)
        try Data(fixture.meta).write(to: URL(filePath: path + ".crc"))
        let result = try MappedImport.mmkv(path: path)
        #expect(result.values == ["a": .string("one")] && result.report.damage == nil)
        try Data([1]).write(to: URL(filePath: path))
        do {
            _ = try MappedImport.mmkv(path: path)
            Issue.record("a file of one byte is read")
        } catch {
            #expect(error.message.contains(path) && error.code == .malformedInput)
        }
    }

    /// A companion that cannot be read is not one that is missing.
    @Test func filesThatCannotBeRead() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("settings")
        var fixture = MMKVFixture()
        fixture.set([1], "a")
        try Data(fixture.data).write(to: URL(filePath: path))
        try Data(fixture.meta).write(to: URL(filePath: path + ".crc"))
        let disk = try FaultInjectingFileSystem(directory.path)
        for suffix in ["settings", ".crc"] {
            for call in [SystemCall.Kind.open, .fstat, .pread] {
                disk.reset()
                disk.inject(Fault(.fail(5), at: 1, of: [call], pathSuffix: suffix))
                #expect(importCode { try MappedImport.mmkv(path: path, fileSystem: disk.fileSystem) } == .ioError)
                #expect(disk.firedCount == 1)
            }
        }
        disk.reset()
        disk.inject(Fault(.shorten(to: 3), at: 1, times: .max, of: [.pread]))
        #expect(try MappedImport.mmkv(path: path, fileSystem: disk.fileSystem).report.damage == nil)
    }

    @Test func whatWasSetIsRead() async throws {
        try await withSeeds("MMKV round trip", count: Thorough.count(12, of: 60)) { generator in
            let hasExpiry = generator.oneIn(2)
            let key = generator.oneIn(2) ? generator.bytes(generator.pick([16, 32])) : nil
            var fixture = MMKVFixture(hasExpiry: hasExpiry, key: key)
            fixture.vector = generator.bytes(16)
            var model: [String: (MappedVariant, UInt32)] = [:]
            var types: [String: MappedForeignType] = [:]
            // Nothing says whether a key has 128 or 256 bits: a few bytes, decrypted with half of it, may be records by chance.
            for _ in 0..<generator.int(in: (key?.count == 32 ? 20 : 0)..<80) {
                let name = "key \(generator.int(in: 0..<12)) ü"
                let deadline = hasExpiry && generator.oneIn(2) ? UInt32(truncatingIfNeeded: generator.next()) : 0
                let number = Int64(bitPattern: generator.spreadInteger())
                let text = String(decoding: generator.bytes(generator.int(in: 0..<200)), as: UTF8.self)
                let value: (MappedForeignType, [UInt8], MappedVariant)
                switch generator.int(in: 0..<9) {
                case 0: value = (.bool, [1], .bool(true))
                case 1: value = (.int, MMKVFixture.int(number), .int(Int128(number)))
                case 2: value = (.unsigned, MMKVFixture.int(number), .int(Int128(UInt64(bitPattern: number))))
                case 3: value = (.float, MMKVFixture.float(Float(number)), .float(Float(number)))
                case 4: value = (.double, MMKVFixture.double(Double(number)), .double(Double(number)))
                case 5: value = (.string, MMKVFixture.text(text), .string(text))
                case 6: value = (.bytes, MMKVFixture.text(text), .bytes(Array(text.utf8)))
                case 7: value = (.strings, MMKVFixture.strings([text, "", text]), .array([.string(text), .string(""), .string(text)]))
                default:
                    fixture.set([], name)
                    model[name] = nil
                    continue
                }
                fixture.set(value.1, name, expires: deadline)
                model[name] = (value.2, deadline)
                types[name] = value.0
            }
            let cipher = key.map { MappedImportCipher.reference($0) }
            let result = try read(fixture, cipher: cipher, types: types)
            #expect(result.values == model.mapValues { $0.0 })
            #expect(result.deadlines == model.compactMapValues { $0.1 == 0 ? nil : Date(timeIntervalSince1970: Double($0.1)) })
            #expect(result.report.mismatchedKeys.isEmpty && result.report.guessedCount == 0 && result.report.damage == nil)
        }
    }
}
