import CairnCDB
import CairnCore
import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

struct ImportExportTests {
    private static let all =
        ([
            ("bool", .bool(true), nil), ("int", .int(-3), nil), ("float", .float(1.5), nil), ("double", .double(1), nil),
            ("string", .string("a\"\n"), nil),
            ("bytes", .bytes([0, 255]), nil), ("date", .date(Date(timeIntervalSinceReferenceDate: 794_061_000.25)), nil),
            ("uuid", .uuid(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!), nil),
            ("url", .url(URL(string: "https://example.com/a")!), nil),
            ("array", .array([.int(1), .double(2.5), .float(3)]), nil), ("json", .json(#"{"a":1}"#), nil),
            ("json list", .json("[1,2]"), nil),
            ("like a type", .json(#"{"type":"int","value":1}"#), nil), ("no json", .json("{"), nil),
            ("other", .other(MappedValueType(rawValue: 200), [1]), nil), ("nan", .double(.nan), nil), ("inf", .float(-.infinity), nil),
            ("expires", .int(7), Date(timeIntervalSinceReferenceDate: 60)),
            ("expiring date", .float(2), Date(timeIntervalSinceReferenceDate: 0.1)),
        ] as [(String, MappedVariant, Date?)]).map { MappedEntry(key: $0, value: $1, expires: $2) }

    @Test func readable() throws {
        let expected = """
            {
            "bool":true,
            "int":-3,
            "float":{"type":"float","value":1.5},
            "double":1.0,
            "string":"a\\"\\n",
            "bytes":{"type":"bytes","value":"AP8="},
            "date":{"type":"date","value":"2026-03-01T12:30:00.25Z"},
            "uuid":{"type":"uuid","value":"6BA7B810-9DAD-11D1-80B4-00C04FD430C8"},
            "url":{"type":"url","value":"https://example.com/a"},
            "array":[1,2.5,{"type":"float","value":3.0}],
            "json":{"a":1},
            "json list":{"type":"json","value":[1,2]},
            "like a type":{"type":"json","value":{"type":"int","value":1}},
            "no json":{"type":"json","bytes":"ew=="},
            "other":{"type":200,"bytes":"AQ=="},
            "nan":{"type":"double","bytes":"AAAAAAAA+H8="},
            "inf":{"type":"float","value":"-inf"},
            "expires":{"type":"int","value":7,"expires":"2001-01-01T00:01:00Z"},
            "expiring date":{"type":"float","value":2.0,"expires":"2001-01-01T00:00:00.1Z"}
            }

            """
        let text = MappedExport.json(Self.all)
        #expect(text == expected)
        let again = try MappedImport.json(bytes: Array(text.utf8))
        #expect(again.stored == MappedImport(entries: Self.all).stored)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }

    @Test func nothing() throws {
        #expect(MappedExport.json([]) == "{}\n")
        #expect(try MappedImport.json(bytes: Array(MappedExport.json([]).utf8)).entries.isEmpty)
    }

    @Test func whatIsExportedIsImported() async throws {
        try await withSeeds("JSON round trip", count: Thorough.count(80, of: 300)) { generator in
            var entries: [MappedEntry] = []
            for number in 0..<generator.int(in: 0..<20) {
                let expires = generator.oneIn(4) ? Date(timeIntervalSinceReferenceDate: generator.anyDouble()) : nil
                let key = String(decoding: generator.bytes(generator.int(in: 0..<6)), as: UTF8.self)
                entries.append(MappedEntry(key: "\(number):\(key)", value: generator.variant(depth: 0), expires: expires))
            }
            let text = MappedExport.json(entries)
            let again = try MappedImport.json(bytes: Array(text.utf8))
            #expect(again.stored == MappedImport(entries: entries).stored, "\(text)")
        }
    }

    /// The dates of texts are those of Foundation.
    @Test func dates() async throws {
        try await withSeeds("dates", count: Thorough.count(400, of: 2000)) { generator in
            let seconds = Double(Int64.random(in: -63_113_904_000..<252_423_993_600, using: &generator))
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = MappedExport.json([MappedEntry(key: "a", value: .date(date))])
            // Foundation's calendar is Julian before October 1582.
            if seconds > -13_197_600_000 { #expect(text.contains(date.formatted(.iso8601)), "\(seconds)") }
            let again = try MappedImport.json(bytes: Array(text.utf8))
            #expect(again.values == ["a": .date(date)])
        }
        for (seconds, text) in [
            (0, "\"2001-01-01T00:00:00Z\""), (-63_113_904_000, "\"0001-01-01T00:00:00Z\""), (252_423_993_599, "\"9999-12-31T23:59:59Z\""),
            (252_423_993_600, "252423993600.0"), (-63_113_904_001, "-63113904001.0"), (-0.5, "\"2000-12-31T23:59:59.5Z\""),
            (1e-12, "1e-12"),
            (68_169_599, "\"2003-02-28T23:59:59Z\""), (99_792_000, "\"2004-03-01T00:00:00Z\""), (.infinity, "\"inf\""),
        ] {
            #expect(
                MappedExport.json([MappedEntry(key: "a", value: .date(Date(timeIntervalSinceReferenceDate: seconds)))]).contains(
                    "\"value\":\(text)}"
                )
            )
        }
    }

    /// What is nested so deeply that it could not be read is written as bytes.
    @Test func deepValues() throws {
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        var array = MappedVariant.array([])
        for _ in 0..<507 { array = .array([array]) }
        for depth in 505...512 {
            let start = Date(timeIntervalSinceReferenceDate: 0)
            let entries = [
                MappedEntry(key: "a", value: .json(nested(depth))), MappedEntry(key: "b", value: .json(nested(depth)), expires: start),
                MappedEntry(key: "c", value: .json("{\"a\":\(nested(depth - 1))}"), expires: start), MappedEntry(key: "d", value: array),
            ]
            let again = try MappedImport.json(bytes: Array(MappedExport.json(entries).utf8))
            #expect(again.stored == MappedImport(entries: entries).stored)
            array = .array([array])
            if depth > 508 { array = .array([]) }
        }
    }

    @Test func files() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.json")
        try MappedExport.json(Self.all, to: path, durability: .none)
        #expect(try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self) == MappedExport.json(Self.all))
        #expect(importCode { try MappedExport.json(Self.all, to: directory.path("missing/a.json")) } == .notFound)
        #expect(importCode { try MappedExport.cdb(Self.all, to: directory.path("missing/a.cdb")) } == .notFound)
    }

    @Test func aFullDiskLeavesTheOldFile() throws {
        let directory = try TemporaryDirectory()
        let disk = try FaultInjectingFileSystem(directory.path)
        for call in [SystemCall.Kind.pwrite, .fsync, .rename] {
            let (json, cdb) = (directory.path("a.json"), directory.path("a.cdb"))
            try Data("old".utf8).write(to: URL(filePath: json))
            try Data("old".utf8).write(to: URL(filePath: cdb))
            disk.reset()
            disk.inject(.always(.fail(28), of: [call]))
            #expect(importCode { try MappedExport.json(Self.all, to: json, durability: .synced, fileSystem: disk.fileSystem) } == .noSpace)
            let code = importCode {
                try MappedExport.cdb(
                    Self.all,
                    to: cdb,
                    values: .typed,
                    dialect: .standard,
                    durability: .synced,
                    fileSystem: disk.fileSystem
                )
            }
            #expect(code == .noSpace)
            #expect(try Data(contentsOf: URL(filePath: json)) == Data("old".utf8))
            #expect(try Data(contentsOf: URL(filePath: cdb)) == Data("old".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
        }
    }

    @Test func constantDatabases() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.cdb")
        for dialect in CDBDialect.allCases {
            try MappedExport.cdb(Self.all, to: path, dialect: dialect, durability: .none)
            let reader = try CDBReader(path: path, dialect: dialect)
            try reader.verify()
            let records = try reader.entries()
            #expect(records.map { String(decoding: $0.key, as: UTF8.self) } == Self.all.map(\.key))
            for (record, entry) in zip(records, Self.all) {
                #expect(record.value == [entry.value.type.rawValue] + bytes(of: entry.value))
                let stored = Array(record.value.dropFirst())
                let value = try stored.withBytes { bytes in
                    try MappedVariant(stored: bytes, as: MappedValueType(rawValue: try #require(record.value.first)))
                }
                #expect(bytes(of: value) == bytes(of: entry.value))
            }
        }
        try MappedExport.cdb(Self.all, to: path, values: .raw, durability: .none)
        let raw = try CDBReader(path: path)
        #expect(try raw.get("string") == Array("a\"\n".utf8) && raw.get("int") == [0xFD] && raw.get("bytes") == [0, 255])
    }
}

extension SeededGenerator {
    fileprivate mutating func anyDouble() -> Double {
        switch int(in: 0..<4) {
        case 0: Double(bitPattern: next())
        case 1: Double(int(in: -1_000_000_000..<1_000_000_000)) + Double(int(in: 0..<1000)) / 1000
        case 2: Double(int(in: -10..<10))
        default: Double(int(in: 700_000_000..<800_000_000)) + Double.random(in: 0..<1, using: &self)
        }
    }

    fileprivate mutating func variant(depth: Int) -> MappedVariant {
        switch int(in: 0..<(depth < 3 ? 14 : 12)) {
        case 0: .bool(oneIn(2))
        case 1: .int(Int128(truncatingIfNeeded: next()) << Int128(int(in: 0..<64)))
        case 2: .float(Float(bitPattern: UInt32(truncatingIfNeeded: next())))
        case 3, 4: .double(anyDouble())
        case 5: .string(String(decoding: bytes(int(in: 0..<20)), as: UTF8.self))
        case 6: .bytes(bytes(int(in: 0..<20)))
        case 7: .date(Date(timeIntervalSinceReferenceDate: anyDouble()))
        case 8: .uuid(UUID())
        case 9: .url(URL(string: "https://example.com/\(next())?a=\(int(in: 0..<9))")!)
        case 10:
            .json(
                pick([
                    "{}", #"{"a": [1, {"b":null}]}"#, #"{"type":"date","value":"x"}"#, "[]", " 1", "3", "\"x\"", "null", "{", "", "[1\n]",
                    "\"\\ud800\"",
                ])
            )
        case 11: .other(MappedValueType(rawValue: UInt8(int(in: 12..<256))), bytes(int(in: 0..<10)))
        default: .array((0..<int(in: 0..<4)).map { _ in variant(depth: depth + 1) })
        }
    }
}
