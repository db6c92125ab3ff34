import Foundation

/// Files that MMKV 2.4 itself wrote on Linux, with their `.crc` files.
public struct GoldenMMKV: Sendable {
    private let data: String
    private let meta: String

    /// The key of the files with 128-bit encryption.
    public static let shortKey = "secret"
    /// The key of the files with 256-bit encryption.
    public static let longKey = "a key of more than 16 bytes"

    /// Returns the contents of the file and of its `.crc` file.
    public func bytes() throws -> (data: [UInt8], meta: [UInt8]) { (try Self.page(data), try Self.page(meta)) }

    /// Decodes a file and appends zeros, since MMKV's files are whole pages whose unused bytes are zeros.
    private static func page(_ text: String) throws -> [UInt8] {
        guard let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { throw Mismatch("no base64") }
        return [UInt8](bytes) + [UInt8](repeating: 0, count: 100)
    }

    /// One value of each kind.
    public static let plain = GoldenMMKV(
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

    /// The same, encrypted with ``shortKey``.
    public static let aes128 = GoldenMMKV(
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

    /// The same, encrypted with ``longKey``.
    public static let aes256 = GoldenMMKV(
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

    /// Values, some of which expire.
    public static let expiry = GoldenMMKV(
        data: """
            AAAAALqD3n4FbmV2ZXIKBXN0YXlzAAAAAAVsYXRlcgUqAChr7gZkb3VibGUMAAAAAAAABEAAAAAA
            """,
        meta: """
            OxiBhQQAAAACAAAAAAAAAAAAAAAAAAAAAAAAADUAAAAEAAAAkWD+GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAA==
            """
    )

    /// The same, encrypted with ``shortKey``.
    public static let encryptedExpiry = GoldenMMKV(
        data: """
            AAAAAGy7So5IuiyuKlDSPhrA3qIQ4jbRzp5Gqcp4hIXppcAyMA==
            """,
        meta: """
            bJHTngQAAAACAAAAOD8bgs2GpkconXJSTV2FJiEAAAAEAAAA/o8pmQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAA==
            """
    )
}
