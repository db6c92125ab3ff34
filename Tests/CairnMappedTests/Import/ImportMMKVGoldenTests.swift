import CairnMapped
import Foundation
import Testing

/// Files that MMKV 2.4 itself wrote on Linux.
struct ImportMMKVGoldenTests {
    private struct Golden {
        var data: String
        var meta: String

        func bytes() throws -> (data: [UInt8], meta: [UInt8]) {
            func decoded(_ text: String) throws -> [UInt8] {
                [UInt8](try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
            }
            // MMKV's files are whole pages: what is not in use is zeros.
            return (try decoded(data) + [UInt8](repeating: 0, count: 99), try decoded(meta) + [UInt8](repeating: 0, count: 100))
        }
    }

    private static let plain = Golden(
        data: """
            AAAAALqD3n4EYm9vbAEBA29mZgEABWludDMyCvn//////////wEFaW50NjQKgICAgICAgICAAQZ1aW50NjQK////////////AQZ1aW50MzIFgN
            Cs8w4FZmxvYXQEAADAPwZkb3VibGUIAAAAAAAAAsANc2NobMO8c3NlbC3DvA8OR3LDvMOfZSwgS8O2bG4FZW1wdHkBAAVieXRlcwUEAP+AAQRs
            aXN0Dg0Db25lAAdkcmVpIMO8B3JlbW92ZWQFBGdvbmUHcmVtb3ZlZAAFYWdhaW4BAQVhZ2FpbgKsAg==
            """,
        meta: """
            TzoGVAQAAAABAAAAAAAAAAAAAAAAAAAAAAAAANsAAAAEAAAAkWD+GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
            """
    )

    private static let aes128 = Golden(
        data: """
            AAAAAA07EiLfsbgRLTuR6AjcmnMEk7VqrZkiF8Qv6rCJm48XAuNPGsG4oCzHHINCgGdPrsfsxyUElGMBCawXAcVv919uJYKajkc/TKPa7vwHdN
            VzSbdjzJgSRD80oGvRm7+7juzcln6WG7CH1VSrJAkiHt6zY6fUVwY2SrcaIfH9QZQxTSuZaE9m4pPhdCw/oElQtIOxQ9gWAcfPreaOX3nDAzgx
            jaaxQIGQL9YB/bb83+ecH3XuRe5xKe28lKDbY55tmtR7zWgCkOQrr5WQcF+k5sKB6SVBsqi3Em3hQQ==
            """,
        meta: """
            38KtEQQAAAABAAAAhsmAfRR1gAOfijbxI+Ctn9sAAAAEAAAAhzyEVgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
            """
    )

    private static let aes256 = Golden(
        data: """
            AAAAABaKRldMZ6fp+cVIIoigm2gF9YrPOEtcHXgwCeDhZM8f6+flFkklfe8pBhTIYfdvzrVAfTXQLV+5GlmVzTKCdw9IyNRDfshcq81WERs7yF
            D9uo57S1zQwNR156EbAuW0VAGyCy2u9qhNP/HojN4lkQcwkRiq46Sm/4cUh3TFq47vwq/brfF468hZ/9TIcuE93iZ3GFXhM0TkQwJ9JzO4dXwH
            k5EJ9g+s4I/DAMUt6HHyanHW2sJXkeOnmwXi
            """,
        meta: """
            WaSAnwQAAAACAAAAfeZ2rdlyWJk/pWpKmr2r+LwAAAC8AAAAWaSAnwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
            """
    )

    private static let expiry = Golden(
        data: """
            AAAAALqD3n4FbmV2ZXIKBXN0YXlzAAAAAAVsYXRlcgUqAChr7gZkb3VibGUMAAAAAAAABEAAAAAA
            """,
        meta: """
            OxiBhQQAAAACAAAAAAAAAAAAAAAAAAAAAAAAADUAAAAEAAAAkWD+GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAA==
            """
    )

    private static let encryptedExpiry = Golden(
        data: """
            AAAAAGy7So5IuiyuKlDSPhrA3qIQ4jbRzp5Gqcp4hIXppcAyMA==
            """,
        meta: """
            bJHTngQAAAACAAAAOD8bgs2GpkconXJSTV2FJiEAAAAEAAAA/o8pmQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAA==
            """
    )

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
        #expect(result.report.damage == nil && result.report.warnings.isEmpty && result.report.mistoldKeys.isEmpty)
        #expect(result.report.types["empty"] == .told(.string))
        #expect(result.report.types["again"] == .guessed(.int, alternatives: [.raw]))
    }

    @Test func aPlainFile() throws {
        let (data, meta) = try Self.plain.bytes()
        let result = try MappedImport.mmkv(bytes: data, meta: meta, types: Self.types)
        try checkAll(result)
        #expect(result.report.supersededCount == 2 && result.report.removedCount == 1 && result.report.recordCount == 16)
    }

    @Test func anEncryptedFile() throws {
        let (data, meta) = try Self.aes128.bytes()
        try checkAll(try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference("secret"), types: Self.types))
        #expect(importCode { try MappedImport.mmkv(bytes: data, meta: meta) } == .keyNeeded)
        #expect(importCode { try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference("Secret")) } == .wrongKey)
    }

    @Test func aFileWithALongKey() throws {
        let (data, meta) = try Self.aes256.bytes()
        let result = try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference("a key of more than 16 bytes"), types: Self.types)
        try checkAll(result)
        #expect(
            importCode { try MappedImport.mmkv(bytes: data, meta: meta, cipher: .reference("a key of more than 16 Bytes")) } == .wrongKey
        )
    }

    @Test func filesWithDeadlines() throws {
        let (data, meta) = try Self.expiry.bytes()
        let result = try MappedImport.mmkv(bytes: data, meta: meta)
        #expect(result.values == ["never": .string("stays"), "later": .int(42), "double": .double(2.5)])
        #expect(result.deadlines == ["later": Date(timeIntervalSince1970: 4_000_000_000)])
        #expect(result.report.damage == nil && result.report.warnings.isEmpty)

        let encrypted = try Self.encryptedExpiry.bytes()
        let same = try MappedImport.mmkv(bytes: encrypted.data, meta: encrypted.meta, cipher: .reference("secret"))
        #expect(same.values == ["never": .string("stays"), "later": .int(42)])
        #expect(same.deadlines == ["later": Date(timeIntervalSince1970: 4_000_000_000)])
    }
}
