import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

/// Encrypted stores that the first release made, kept as files: they must stay readable, by the library and by what
/// `docs/formats/mapped-encryption.md` and `docs/formats/mapped.md` say.
struct GoldenTests {
    static let key = SymmetricKey(data: (0..<32).map { UInt8($0) })
    static let passphrase = "correct horse battery staple"
    /// After 2100.
    static let deadline = Date(timeIntervalSince1970: 4_102_444_800)

    /// What each of the stores holds.
    static let contents: [String: MappedVariant] = [
        "launches": .int(-3), "name": .string("Kätrina"), "": .bool(true), "ratio": .double(0.25), "cover": .bytes([0, 1, 254, 255]),
        "since": .date(Date(timeIntervalSinceReferenceDate: 86_400)), "list": .array([.string("a"), .int(1)]), "token": .string("expires"),
    ]

    private static func file(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Golden", withExtension: nil)).appending(path: "version-1/\(name).map")
    }

    @Test(arguments: ["aes-gcm", "chacha-poly", "passphrase"]) func filesOfTheFirstRelease(name: String) throws {
        let vault = try Vault()
        try FileManager.default.copyItem(at: Self.file(name), to: URL(filePath: vault.path))
        let cipher: any MappedCipher =
            name == "passphrase" ? try MappedEncryption(passphrase: Self.passphrase) : try MappedEncryption(key: Self.key)
        #expect(vault.refusal(nil) == .keyNeeded)
        #expect(vault.refusal(try MappedEncryption(key: SymmetricKey(size: .bits256))) == .wrongKey)
        for _ in 0..<2 {
            let store = try vault.open(cipher)
            #expect(store.openReport.isClean)
            for (key, value) in Self.contents { #expect(try store.get(key, as: MappedVariant.self) == value) }
            #expect(try store.expiry(of: "token") == Self.deadline && store.expiry(of: "name") == nil)
            #expect(try store.count == Self.contents.count && store.verify().isIntact)
            // It takes changes too.
            try store.set("new", for: "another")
            try store.remove("another")
            try store.close()
        }
    }

    /// Reads a file as the documents tell it, with a cipher's primitives alone.
    @Test func theFormatIsAsDocumented() throws {
        let bytes = [UInt8](try Data(contentsOf: Self.file("aes-gcm")))
        func number(_ offset: Int, _ count: Int) -> Int { bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) } }
        // The identity, and in it the cipher's block.
        #expect(bytes[0..<8].elementsEqual("CairnMap".utf8) && number(8, 4) == 1 && number(32, 4) == 1 && number(36, 4) == 76)
        let block = Array(bytes[40..<116])
        #expect(Array(block[0..<12]) == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        func derive(_ name: String, _ count: Int) -> [UInt8] {
            let info = Data("cairn mapped store: \(name)".utf8)
            let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: Self.key, salt: block[..<44], info: info, outputByteCount: count)
            return unsafe key.withUnsafeBytes { unsafe Array($0) }
        }
        #expect(Array(block[44...]) == derive("key check", 32))
        let recordKey = SymmetricKey(data: derive("record key", 32))

        var found: [String: (type: UInt8, value: [UInt8])] = [:]
        var offset = 4096
        while offset < number(1088, 8) {
            let (size, keySize, flags) = (number(offset + 4, 4), number(offset + 8, 2), bytes[offset + 10])
            let isIndex = flags & 16 != 0
            if !isIndex, flags & 4 != 0 {
                let start = offset + (flags & 2 == 0 ? 12 : 20)
                let sealed = Array(bytes[start..<start + size])
                let derived = HMAC<SHA256>.authenticationCode(for: sealed[8..<20], using: recordKey)
                var context = Array(sealed[..<8]) + [flags & ~(8 | 32)]
                context += flags & 2 == 0 ? [255, 255, 255, 255, 255, 255, 255, 127] : Array(bytes[offset + 12..<offset + 20])
                let box = try AES.GCM.SealedBox(combined: sealed[20...])
                let plain = [UInt8](try AES.GCM.open(box, using: SymmetricKey(data: derived), authenticating: context))
                let end = 3 + Int(plain[1]) + Int(plain[2]) << 8
                found[String(decoding: plain[3..<end], as: UTF8.self)] = (plain[0], Array(plain[end...]))
            }
            // An index table's slots begin at a multiple of 64, which its length counts from the key on.
            offset = (offset + (flags & 2 == 0 ? 12 : 20) + keySize + size + 3) & ~3
        }
        #expect(Set(found.keys) == Set(Self.contents.keys))
        #expect(found["name"]?.type == 5 && found["name"]?.value == Array("Kätrina".utf8))
        #expect(found["launches"]?.type == 2 && found["launches"]?.value == [253])
        #expect(found["cover"]?.type == 6 && found["cover"]?.value == [0, 1, 254, 255])
        #expect(found[""]?.type == 1 && found[""]?.value == [1])
    }
}
