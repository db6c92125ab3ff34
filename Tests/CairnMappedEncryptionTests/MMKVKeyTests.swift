import CairnMapped
import CairnMappedEncryption
import CairnTestSupport
import Foundation
import Testing

/// Encrypted files that MMKV 2.4 itself wrote, read with AES from swift-crypto.
struct MMKVKeyTests {
    private static let aes128 = (
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

    private static let aes256 = (
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

    @Test func encryptedFilesAreImported() throws {
        let vault = try Vault()
        let files = [(Self.aes128, "secret", "Secret"), (Self.aes256, "a key of more than 16 bytes", "a key of more than 16 Bytes")]
        for (index, (file, key, wrongKey)) in files.enumerated() {
            let path = vault.directory.path("settings\(index)")
            // MMKV's files are whole pages: what is not in use is zeros.
            for (suffix, text) in [("", file.data), (".crc", file.meta)] {
                let data = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)) + Data(count: 100)
                try data.write(to: URL(fileURLWithPath: path + suffix))
            }
            #expect(code { try MappedImport.mmkv(path: path) } == .keyNeeded)
            #expect(code { try MappedImport.mmkv(path: path, key: wrongKey) } == .wrongKey)
            let found = try MappedImport.mmkv(path: path, key: key, types: ["off": .bool])
            #expect(found.report.damage == nil && found.report.types["off"] == .told(.bool))
            let store = try vault.open(MappedEncryption(key: vault.key), "store\(index).map")
            #expect(try store.import(found) == found.entries.count && store.count == found.entries.count)
            #expect(try store.get("off") == false && store.get("double") == -2.25)
        }
    }
}
