import CairnCore
import CairnRocks
import CairnRocksEncryption
import CairnTestSupport
import Crypto
import Foundation
import Testing

struct EncryptionTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.path("db") }
    let key = SymmetricKey(size: .bits256)

    private func options(_ key: SymmetricKey) throws -> DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.environment = try .encrypted(key: key)
        return options
    }

    @Test func aNewDirectoryIsItsUsersAlone() throws {
        let db = try RocksDB(path: path, options: options(key))
        try db.put("1", for: "a")
        try db.makeCheckpoint(at: directory.path("copy"))
        for name in ["db", "copy"] { #expect(try FileSystem.system.stat(directory.path(name)).mode == 0o700, "\(name)") }
    }

    /// AES-CTR's test vectors (NIST SP 800-38A, F.5.5), whole, in parts and from any place.
    @Test func vectors() throws {
        let key = SymmetricKey(data: bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"))
        let counter = bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        let plain = bytes(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
        )
        let secret = bytes(
            "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c52b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"
        )
        let cipher = try AESFileCipher(key: key)
        for start in 0..<plain.count {
            for end in [start, start + 1, start + 16, plain.count] where end <= plain.count {
                var part = Array(plain[start..<end])
                try apply(cipher, &part, counter, UInt64(start))
                #expect(part == Array(secret[start..<end]))
                try apply(cipher, &part, counter, UInt64(start))
                #expect(part == Array(plain[start..<end]))
            }
        }
    }

    /// The counter's carry goes through all bytes, and around.
    @Test func carries() throws {
        let cipher = try AESFileCipher(key: key), last = [UInt8](repeating: 0xFF, count: 16)
        var carried = [UInt8](repeating: 0, count: 16), fromZero = carried
        try apply(cipher, &carried, last, 16)
        try apply(cipher, &fromZero, [UInt8](repeating: 0, count: 16), 0)
        #expect(carried == fromZero)
    }

    @Test func keys() throws {
        for size in [16, 24, 32] { _ = try AESFileCipher(key: SymmetricKey(data: [UInt8](repeating: 1, count: size))) }
        for size in [0, 15, 33, 64] {
            let error = #expect(throws: RocksError.self) {
                try Environment.encrypted(key: SymmetricKey(data: [UInt8](repeating: 1, count: size)))
            }
            #expect(error?.code == .invalidArgument)
        }
    }

    /// No key, value, name or setting is in any file in plain text: log, tables, manifest, options, text log, checkpoint.
    @Test func nothingInPlainText() throws {
        var options = try options(key)
        options.infoLogLevel = .debug
        let db = try RocksDB(path: path, options: options)
        let family = try db.createColumnFamily("SECRETfamily")
        for round in 0..<3 {
            for index in 0..<100 {
                try db.put("SECRETvalue\(index)", for: "SECRETkey\(index)")
                try family.put("SECRETvalue\(index)", for: "SECRETkey\(index)")
            }
            if round < 2 { try db.flush() }
        }
        try db.compact(.from("SECRETkey1", to: "SECRETkey5"))
        try db.makeCheckpoint(at: directory.path("copy"))
        try db.put("SECRETlogged", for: "SECRETlog")
        try db.close()

        var files = 0
        for place in ["db", "copy"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory.path(place)) {
                let contents = try Data(contentsOf: URL(filePath: directory.path(place) + "/" + name))
                for word in ["SECRET", "rocksdb", "MANIFEST", "leveldb", "compression"] {
                    #expect(contents.range(of: Data(word.utf8)) == nil, "\(word) in \(place)/\(name)")
                }
                if !contents.isEmpty {
                    #expect(contents.starts(with: Data("CAIRNENC".utf8)), "\(place)/\(name)")
                    files += 1
                }
            }
        }
        #expect(files >= 12)
        options.createIfMissing = false
        #expect(try RocksDB(path: directory.path("copy"), options: options).get("SECRETkey1") == "SECRETvalue1")
        #expect(try RocksDB(path: path, options: options).get("SECRETlog") == "SECRETlogged")
    }

    @Test func anotherKey() throws {
        let db = try RocksDB(path: path, options: options(key))
        try db.put("1", for: "a")
        try db.close()
        let error = #expect(throws: RocksError.self) { try RocksDB(path: path, options: options(SymmetricKey(size: .bits256))) }
        #expect(error?.code == .wrongKey && error?.message.contains(path) == true)
        let same = unsafe key.withUnsafeBytes { unsafe Data($0) }
        #expect(try RocksDB(path: path, options: options(SymmetricKey(data: same))).get("a") == "1")
    }

    /// The first database ever written so; it must stay readable.
    @Test func golden() throws {
        let golden = try #require(Bundle.module.url(forResource: "Golden", withExtension: nil)).appending(path: "version-1")
        try FileManager.default.copyItem(at: golden, to: URL(filePath: path))
        var options = try options(SymmetricKey(data: (0..<32).map { UInt8($0) }))
        options.createIfMissing = false
        let db = try RocksDB(path: path, options: options)
        #expect(try db.entries(as: (String.self, String.self)).map { "\($0)=\($1)" } == ["in a log=1", "in a table=2"])
    }

    private func apply(_ cipher: AESFileCipher, _ bytes: inout [UInt8], _ nonce: [UInt8], _ offset: UInt64) throws {
        var elements = bytes.mutableSpan
        var span = unsafe elements.mutableBytes
        try cipher.apply(to: &span, nonce: unsafe nonce.span.bytes, offset: offset)
    }

    private func bytes(_ hex: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(hex)
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
