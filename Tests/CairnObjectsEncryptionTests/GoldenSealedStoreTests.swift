import CairnCore
import CairnObjects
import CairnObjectsEncryption
import Foundation
import Testing

@Stored(name: "Card", indexes: [["title", "code"]]) final class GoldenCard {
    var title: String
    @Unique var code: String
}

/// The bytes of an encrypted store, as `docs/formats/object-encryption.md` describes them. They were computed with Python's `hashlib`, `hmac` and
/// `cryptography`: scrypt, HKDF, HMAC and AES-GCM of another implementation.
struct GoldenSealedStoreTests {
    private static let entries: [String: String] = [
        "0000":
            "7b22666f726d6174223a312c226964656e74697479223a2230313233343536372d383941422d434445462d303132332d34353637383941"
            + "4243444546222c226b696e64223a22636169726e206f626a65637473227d",
        "00010001":
            "a0a0a0a0a0a0a0a0a0a0a0a00000000000000000000000019948c5f47c6816083b7041381ff31640a8da689f53e5c9929d12195f55b64a"
            + "ed5e8c3b0023b042b4a2ad726663f9bd4ef69a8f7b7ff406af757b120c2bdf8dae708d03d9f504523fbbc84d0e239b9be5321b40867981"
            + "b56251afd96953203fb3b0ce759289a3deeef8d9df88fe6a2d588e47ab167017193848df772de46a03a33d011ffd1df74a72d6feb0d2b3"
            + "f1ce551c6df3166bd5768f50de2f806532eb425c5b2e69c05e43f36ff7e4e1e16f0f05045033a2a3b7f22486e9c55ba966156857994192"
            + "9a23b57831abc6a450c63afb155ef7a07f10d4e75fe46cd2748ccffbee4dd3196d2e483bc41380befa408b3b48e902ed6f5a54ad181866"
            + "f469c82a61cc9d2673748a53e867107e171f7f54a4568767127801f78716808cecd86bfe6218f89ea5b205404d40c1d2c9945f0ccd",
        "00020001":
            "a0a0a0a0a0a0a0a0a0a0a0a000000000000000000000000207bfad1bc1d78aef8aed2b00e2ffc313b7bf9a8e7834f6b8",
        "0004":
            "7b22636970686572223a224151454242416741414141424141414141414543417751464267634943516f4c4441304f4478415245684d55"
            + "4652595847426b614778776448683852455245524552455245524552455248622b3849396353564276366a702f72427646706e5a636c45"
            + "6f6e68416947323469596f38524f656e6658686e683564635752354c693073654d4a7745365930453d222c22666f726d6174223a312c22"
            + "6964656e74697479223a2230313233343536372d383941422d434445462d303132332d343536373839414243444546227d",
        "010001000000000000":
            "a0a0a0a0a0a0a0a0a0a0a0a000000000000000000000000374269bec65818ae7e094f3a2e8e24768ef4ae2b1ecf2d8cb0c036caa24af",
        "0300010001952551de11561162b4ce9ae6a11d3a74":
            "a0a0a0a0a0a0a0a0a0a0a0a000000000000000000000000463cd20a47052eaa7866db6e16024f5085d9a19109b7a771b",
        "03000100029a78036997ba1bfc1d2d1133f4b3ec2c9c1b9f221adbc8854b005b06bcd719d2000000000001":
            "",
        "068915d966ae8d6111f59b7a5a9c21ba03":
            "a0a0a0a0a0a0a0a0a0a0a0a0000000000000000000000005fac25d0e0e5ae85b2e9203c7d65d68c2d60a39532b267eab3963fe28097936",
    ]

    @Test func theseBytesAreRead() throws {
        let engine = MemoryEngine()
        var commit = EngineCommit()
        for (key, value) in Self.entries { commit.put(bytes(value), for: bytes(key)) }
        try engine.commit(commit)
        var options = ObjectStoreOptions()
        options.cipher = try ObjectEncryption(passphrase: "correct horse")
        let store = try ObjectStore(engine: engine, classes: [GoldenCard.self], options: options)
        #expect(try store.verify().isIntact)
        try store.read { context in
            let card = try #require(try context.first(GoldenCard.self, where: \.code == "C"))
            #expect(card.title == "b")
            let found = try context.fetch(GoldenCard.self, where: \.title == "b" && \.code == "C")
            #expect(found.count == 1)
            let plan = try context.explain(GoldenCard.self, where: \.title == "b")
            #expect(plan.access == "index (title, code): title = \"b\"" && plan.examined == 1)
            let launches = try context.named("launches", as: Int.self)
            #expect(launches == 7)
        }
        // What is written takes the same places.
        try store.write { context in
            context.insert(GoldenCard(title: "b", code: "D"))
            try context.setNamed("launches", to: 8)
        }
        let keys = try engine.makeView().entries().map { $0.key }
        #expect(keys.count == Self.entries.count + 2)
        let known = Set(Self.entries.keys.map(bytes))
        #expect(known.isSubset(of: keys))
        let term = try #require(Self.entries.keys.first { $0.hasPrefix("0300010002") }).prefix(42)
        #expect(keys.filter { $0.starts(with: bytes(String(term))) }.count == 2)
        #expect(try store.verify().isIntact)
    }

    @Test func otherPassphrasesDoNotReadThem() throws {
        let engine = MemoryEngine()
        var commit = EngineCommit()
        for (key, value) in Self.entries { commit.put(bytes(value), for: bytes(key)) }
        try engine.commit(commit)
        var options = ObjectStoreOptions()
        options.cipher = try ObjectEncryption(passphrase: "correct Horse")
        let found = code { try ObjectStore(engine: engine, classes: [GoldenCard.self], options: options) }
        #expect(found == .wrongKey)
    }
}
