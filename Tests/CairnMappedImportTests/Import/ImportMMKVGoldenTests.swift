import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

/// Files that MMKV 2.4 itself wrote on Linux.
struct ImportMMKVGoldenTests {
    private static let types: [String: MappedForeignType] = [
        "bool": .bool, "off": .bool, "uint64": .unsigned, "uint32": .unsigned, "empty": .string, "list": .strings,
    ]

    private func checkAll(_ result: MappedImport) throws {
        let expected: [String: MappedVariant] = [
            "bool": .bool(true), "off": .bool(false), "int32": .int(-7), "int64": .int(Int128(Int64.min)),
            "uint64": .int(Int128(UInt64.max)),
            "uint32": .int(4_000_000_000), "float": .float(1.5), "double": .double(-2.25), "schlüssel-ü": .string("Grüße, Köln"),
            "empty": .string(""), "bytes": .bytes([0, 0xFF, 0x80, 1]), "list": .array([.string("one"), .string(""), .string("drei ü")]),
            "again": .int(300),
        ]
        #expect(result.values == expected)
        #expect(result.deadlines.isEmpty)
        #expect(result.report.damage == nil && result.report.warnings.isEmpty && result.report.mismatchedKeys.isEmpty)
        #expect(result.report.types["empty"] == .specified(.string))
        #expect(result.report.types["again"] == .guessed(.int, alternatives: [.raw]))
    }

    @Test func aPlainFile() throws {
        let (data, meta) = try GoldenMMKV.plain.bytes()
        let result = try MappedImport.mmkv(bytes: data, meta: meta, types: Self.types)
        try checkAll(result)
        #expect(result.report.supersededCount == 2 && result.report.removedCount == 1 && result.report.recordCount == 16)
    }

    @Test func anEncryptedFile() throws {
        let (data, meta) = try GoldenMMKV.aes128.bytes()
        try checkAll(try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference(GoldenMMKV.shortKey), types: Self.types))
        #expect(importCode { try MappedImport.mmkv(bytes: data, meta: meta) } == .keyNeeded)
        #expect(importCode { try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference("Secret")) } == .wrongKey)
    }

    @Test func aFileWithALongKey() throws {
        let (data, meta) = try GoldenMMKV.aes256.bytes()
        let result = try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference(GoldenMMKV.longKey), types: Self.types)
        try checkAll(result)
        #expect(
            importCode { try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference("a key of more than 16 Bytes")) } == .wrongKey
        )
    }

    @Test func filesWithDeadlines() throws {
        let (data, meta) = try GoldenMMKV.expiry.bytes()
        let result = try MappedImport.mmkv(bytes: data, meta: meta)
        #expect(result.values == ["never": .string("stays"), "later": .int(42), "double": .double(2.5)])
        #expect(result.deadlines == ["later": Date(timeIntervalSince1970: 4_000_000_000)])
        #expect(result.report.damage == nil && result.report.warnings.isEmpty)

        let encrypted = try GoldenMMKV.encryptedExpiry.bytes()
        let same = try MappedImport.mmkv(bytes: encrypted.data, meta: encrypted.meta, cipher: .reference(GoldenMMKV.shortKey))
        #expect(same.values == ["never": .string("stays"), "later": .int(42)])
        #expect(same.deadlines == ["later": Date(timeIntervalSince1970: 4_000_000_000)])
    }
}
