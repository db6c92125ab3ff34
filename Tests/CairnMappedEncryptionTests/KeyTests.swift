import CairnMapped
import CairnMappedEncryption
import Crypto
import Foundation
import Testing

/// Keys, passphrases, and what the header keeps of them.
struct KeyTests {
    /// Headers, hash keys and sealed records as an independent implementation (Python's hashlib and hmac, OpenSSL's ciphers) makes them.
    private static let vectors: [(header: String, hashKey: UInt128, sealed: String)] = [
        (
            "010100000000000000000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                + "9d66aad9ba2f6909473eb8bfd028821ef1227d906a872822e6514bd7b9f2c2f4",
            0xd84b_8837_de15_ca19_affe_263a_db37_e06b,
            "404142434445464748494a4b505152535455565758595a5b2433e5960c9a3902f21aa9ca46f525b53b631001b8ff20799235d38104d206"
        ),
        (
            "0101010a0800000001000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                + "a55bfcc6238f3635e211c151e00d4bab1147bf7feacdf372999a24349f63ff1e",
            0x8301_88ce_1eeb_3180_7eed_cad0_064a_2d0e,
            "404142434445464748494a4b505152535455565758595a5bdb4f7f7414cedb58a7e36f6e3f51e494df2519376fb6af7d3305cc73e89dbf"
        ),
        (
            "010200000000000000000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                + "a90482769eca4539f7b519597c1d94119f82e001d0960aa0fb4ff359c7e3bdb8",
            0xb1ec_3781_73fe_74d9_e3be_a17b_6b59_7b30,
            "404142434445464748494a4b505152535455565758595a5b7705807bb409955c00383b57f699212fb644344738a19ed3e0c8408401fd15"
        ),
        (
            "0102010a0800000001000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                + "97c05fab1a3d856a2b7df5f760860ffa77dd97753919770517fb8e269345522e",
            0x5b0e_5aaa_4314_dcf3_6f96_9fe0_b88b_b6cf,
            "404142434445464748494a4b505152535455565758595a5b03b7768b89f6fbbafc9b6291877c99b0001803c49db3145fb5250f5c21f12f"
        ),
    ]

    private let passphrase = "pass wörd"
    private let cheap = ScryptCost(stored: 4)!

    @Test func whatIsDerivedAndSealedIsAsTheFormatSays() throws {
        let ciphers = [try MappedEncryption(key: SymmetricKey(data: Array(100..<132))), try MappedEncryption(passphrase: passphrase)]
        for (index, vector) in Self.vectors.enumerated() {
            let session = try ciphers[index % 2].unlock(bytes(vector.header))
            #expect(session.hashKey == vector.hashKey)
            let context = [UInt8](0..<17)
            let plain = try session.open(bytes(vector.sealed), context)
            #expect(plain == [5, 3, 0] + Array("keyand value".utf8))
            #expect(code { try ciphers[1 - index % 2].unlock(bytes(vector.header)) } == .wrongKey)
        }
    }

    @Test func anotherKeyOrPassphraseIsRefused() throws {
        let vault = try Vault()
        try vault.open(MappedEncryption(passphrase: passphrase, cost: cheap)).set(1, for: "a")
        #expect(try vault.open(MappedEncryption(passphrase: passphrase, cost: .standard)).get("a") == 1)
        for other in [try MappedEncryption(passphrase: "pass word"), try MappedEncryption(key: vault.key)] {
            #expect(vault.refusal(other) == .wrongKey)
        }
        #expect(vault.refusal(nil) == .keyNeeded)
        let error = #expect(throws: MappedStoreError.self) { try vault.open(MappedEncryption(passphrase: "pass word")) }
        #expect(error?.message == "\(vault.path) could not be unlocked: the store is encrypted with another key or passphrase")
        #expect(code { try MappedEncryption(passphrase: "") } == .wrongKey)
        for size in [0, 128, 192, 512] {
            #expect(code { try MappedEncryption(key: SymmetricKey(data: [UInt8](repeating: 1, count: size / 8))) } == .wrongKey)
        }

        try vault.open(nil, "plain.map").set(1, for: "a")
        #expect(vault.refusal(try MappedEncryption(key: vault.key), "plain.map") == .wrongKey)
        try vault.open(MappedEncryption(key: vault.key), "keyed.map").set(1, for: "a")
        #expect(vault.refusal(try MappedEncryption(key: SymmetricKey(size: .bits256)), "keyed.map") == .wrongKey)
        #expect(vault.refusal(try MappedEncryption(passphrase: passphrase), "keyed.map") == .wrongKey)
        // Stores of the other algorithm open all the same.
        #expect(try vault.open(MappedEncryption(key: vault.key, algorithm: .chaChaPoly), "keyed.map").get("a") == 1)
    }

    @Test func sameKeyDifferentStores() throws {
        let cipher = try MappedEncryption(key: SymmetricKey(size: .bits256))
        let one = try cipher.create(), other = try cipher.create()
        #expect(one.header != other.header && one.session.hashKey != other.session.hashKey)
        let sealed = try one.session.seal([1, 2, 3])
        #expect(try cipher.unlock(one.header).open(sealed) == [1, 2, 3])
        #expect(throws: (any Error).self) { try other.session.open(sealed) }
    }

    @Test func changedHeadersAreRefused() throws {
        for cipher in [try MappedEncryption(passphrase: "a", cost: cheap), try MappedEncryption(key: SymmetricKey(size: .bits256))] {
            let header = try cipher.create().header
            for index in header.indices {
                var changed = header
                changed[index] ^= 1
                let found = code { try cipher.unlock(changed) }
                #expect([.wrongKey, .corruption, .unsupportedVersion].contains(found), "byte \(index): \(String(describing: found))")
            }
            for count in 0..<header.count { #expect(code { try cipher.unlock(Array(header.prefix(count))) } != nil) }
            #expect(code { try cipher.unlock(header + [0]) } == .corruption)
        }
    }

    /// A header asks for no more memory or time than is allowed.
    @Test func costsAreBounded() throws {
        #expect(ScryptCost.standard == ScryptCost(logRounds: 17))
        #expect(ScryptCost.largest == ScryptCost(logRounds: 20, blockSize: 8, parallelism: 16))
        for (logRounds, blockSize, parallelism) in [
            (0, 8, 1), (1, 8, 1), (13, 8, 1), (14, 7, 1), (21, 8, 1), (20, 9, 1), (10, 0, 1), (10, 17, 1), (10, 8, 0), (10, 8, 17),
            (16, 1, 1),
        ] {
            #expect(ScryptCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism) == nil)
        }
        #expect(ScryptCost(logRounds: 14) != nil && ScryptCost(stored: 1) != nil)
        let cipher = try MappedEncryption(passphrase: "a", cost: cheap)
        let header = try cipher.create().header
        for (offset, value) in [(3, 63), (3, 255), (3, 0), (4, 255), (7, 255), (8, 255), (11, 128)] as [(Int, UInt8)] {
            var hostile = header
            hostile[offset] = value
            #expect(code { try cipher.unlock(hostile) } == .corruption, "byte \(offset) of \(value)")
        }
    }

    /// Each session has a key of its own, which serves for so many records and no more; every nonce is another.
    @Test func noncesDoNotRepeat() throws {
        let master = SymmetricKey(size: .bits256)
        for algorithm in MappedEncryption.Algorithm.allCases {
            let one = EncryptionSession(algorithm, master: master, binding: [1], mostUses: 10)
            let other = EncryptionSession(algorithm, master: master, binding: [1])
            var nonces: Set<[UInt8]> = [], prefixes: [[UInt8]] = []
            for number in 0..<95 {
                let plain = [UInt8](repeating: 7, count: number)
                let sealed = try one.seal(plain, [UInt8(number)])
                #expect(sealed.count == plain.count + 40)
                nonces.insert(Array(sealed[..<24]))
                if prefixes.last != Array(sealed[..<12]) { prefixes.append(Array(sealed[..<12])) }
                #expect(try other.open(sealed, [UInt8(number)]) == plain)
                #expect(throws: (any Error).self) { try other.open(sealed) }
            }
            #expect(nonces.count == 95 && prefixes.count == 10 && Set(prefixes).count == 10)
            let sealed = try other.seal([])
            #expect(!prefixes.contains(Array(sealed[..<12])))
            #expect(try one.open(sealed).isEmpty)
            for count in 0..<40 { #expect(throws: (any Error).self) { try one.open(Array(sealed[..<count])) } }
        }
        #expect(EncryptionSession.mostUses == 1 << 32)
    }
}

extension MappedCipherSession {
    fileprivate func seal(_ plain: [UInt8], _ context: [UInt8] = []) throws -> [UInt8] {
        try unsafe seal(plain.span.bytes, context: context.span.bytes)
    }

    fileprivate func open(_ sealed: [UInt8], _ context: [UInt8] = []) throws -> [UInt8] {
        try unsafe open(sealed.span.bytes, context: context.span.bytes)
    }
}
