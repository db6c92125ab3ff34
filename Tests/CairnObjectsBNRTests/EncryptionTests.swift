import CairnObjects
import CairnObjectsBNR
import CairnTestSupport
import Testing

@Suite struct EncryptionTests {
    private static let layout = BNRLayout(classes: [
        BNRClassLayout("Song", fields: [BNRField(.string, "title"), BNRField(.uint32, "seconds")])
    ])

    private static func contents(_ store: ObjectStore) throws -> [String: Int] {
        try store.read { context in
            Dictionary(try context.allObjects(OldSong.self).map { ($0.title, $0.seconds) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Objects that OpenSSL encrypted, and one that was written before there was a key.
    @Test func golden() throws {
        let store = try makeStore([OldSong.self])
        let report = try BNRImporter(path: Golden.path("Secret.bnr"), layout: Self.layout, passphrase: "open sesame").importObjects(
            into: store
        )
        #expect(report.objectCount == 3 && report.classes[0].encryptedCount == 2)
        #expect(try Self.contents(store) == ["Secret song 2": 20, "Secret song 3": 30, "Plain song": 40])
        let file = try BNRDirectory(path: Golden.path("Secret.bnr")).openClass("Song", passphrase: "open sesame")
        #expect(file.metadata?.number == 2 && file.metadata?.lastRow == 4)
        #expect(file.content(row: 2)?.wasEncrypted == true && file.content(row: 4)?.wasEncrypted == false && file.content(row: 5) == nil)
    }

    @Test func everySizeIsDecrypted() async throws {
        try await withSeeds("encrypted objects", count: Thorough.count(2, of: 20)) { generator in
            let texts = (0..<40).map { count in String(repeating: "x", count: count) + "\(generator.next())" }
            var songs: [UInt32: OldBuffer] = [:]
            for (index, text) in texts.enumerated() { songs[UInt32(index + 2)] = OldBuffer().string(text).uint32(UInt32(index)) }
            let passphrase = generator.pick(["a", "Größe", "0123456789012345678901234567890123456789"])
            var old = OldClass(1, passphrase: passphrase, songs)
            old.salt = generator.bytes(8)
            let directory = try OldStore(["Song": old])
            let store = try makeStore([OldSong.self])
            let report = try BNRImporter(path: directory.path, layout: Self.layout, passphrase: passphrase).importObjects(into: store)
            #expect(report.classes[0].encryptedCount == 40)
            let contents = try Self.contents(store)
            #expect(contents == Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) }))
        }
    }

    /// Objects that were written before there was a key stay as they are, also those as long as encrypted ones can be.
    @Test func unencryptedObjectsOfAnySize() throws {
        let texts = (0..<40).map { String(repeating: "x", count: $0) }
        let songs = texts.enumerated().map { (UInt32($0 + 2), OldBuffer().string($1).uint32(UInt32($0))) }
        let directory = try OldStore(["Song": OldClass(1, Dictionary(uniqueKeysWithValues: songs))])
        let store = try makeStore([OldSong.self])
        let report = try BNRImporter(path: directory.path, layout: Self.layout, passphrase: "any").importObjects(into: store)
        #expect(report.classes[0].encryptedCount == 0 && report.failedCount == 0)
        #expect(try Self.contents(store) == Dictionary(uniqueKeysWithValues: texts.enumerated().map { ($1, $0) }))
    }

    @Test func wrongPassphrase() throws {
        let old = try OldStore([
            "Song": OldClass(1, passphrase: "right", [2: OldBuffer().string("One").uint32(1), 3: OldBuffer().string("Two").uint32(2)])
        ])
        let catalog = try makeStore([OldSong.self]).catalog
        do throws(BNRError) {
            _ = try BNRImporter(path: old.path, layout: Self.layout, passphrase: "wrong").check(for: catalog)
            Issue.record("a wrong passphrase was taken")
        } catch { #expect(error.code == .wrongPassphrase) }
        // Without one, nothing says that there is one, but that nothing can be read.
        for passphrase in [nil, ""] {
            let report = try BNRImporter(path: old.path, layout: Self.layout, passphrase: passphrase).check(for: catalog)
            #expect(report.objectCount == 0 && report.failedCount == 2)
            #expect(report.failures.allSatisfy { $0.hasSuffix("it may be encrypted with another passphrase") })
        }
    }

    /// The salt is in row 1: where that is gone, nothing can be decrypted.
    @Test func withoutSalt() throws {
        var writer = try OldClass(1, passphrase: "right", [2: OldBuffer().string("One").uint32(1)]).writer()
        writer.blocks.removeFirst()
        let old = try OldStore()
        try old.write("Song", writer.file().bytes)
        let catalog = try makeStore([OldSong.self]).catalog
        let report = try BNRImporter(path: old.path, layout: Self.layout, passphrase: "right").check(for: catalog)
        #expect(report.objectCount == 0 && report.classes[0].damage.first?.contains("their salt is in row 1") == true)
    }
}
