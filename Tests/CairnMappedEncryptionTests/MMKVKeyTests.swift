import CairnMapped
import CairnMappedEncryption
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

/// Encrypted files that MMKV 2.4 itself wrote, read with AES from swift-crypto.
struct MMKVKeyTests {
    @Test func encryptedFilesAreImported() throws {
        let vault = try Vault()
        let files = [(GoldenMMKV.aes128, GoldenMMKV.shortKey), (.aes256, GoldenMMKV.longKey)]
        for (index, (file, key)) in files.enumerated() {
            let path = vault.directory.path("settings\(index)")
            let (data, meta) = try file.bytes()
            try Data(data).write(to: URL(fileURLWithPath: path))
            try Data(meta).write(to: URL(fileURLWithPath: path + ".crc"))
            #expect(code { try MappedImport.mmkv(path: path) } == .keyNeeded)
            #expect(code { try MappedImport.mmkv(path: path, key: key.dropLast() + "X") } == .wrongKey)
            let found = try MappedImport.mmkv(path: path, key: key, types: ["off": .bool])
            #expect(found.report.damage == nil && found.report.types["off"] == .specified(.bool))
            let store = try vault.open(MappedEncryption(key: vault.key), "store\(index).map")
            #expect(try store.import(found) == found.entries.count && store.count == found.entries.count)
            #expect(try store.get("off") == false && store.get("double") == -2.25)
        }
    }
}
