import CairnCDB
import CairnMapped
import CairnTestSupport
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// `cairn doctor` on constant databases, foreign formats, and what is not a store.
struct DoctorForeignTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func examine(_ path: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> DoctorAnswer {
        try playground.examine(path, arguments, sourceLocation: sourceLocation)
    }

    // MARK: Constant databases

    private func cdb(_ dialect: CDBDialect, count: Int = 1000) throws -> String {
        let path = playground.path("\(dialect).cdb")
        let writer = try CDBWriter(path: path, dialect: dialect)
        for number in 0..<count { try writer.put("value \(number)", for: "a key that is long enough: \(number)") }
        try writer.finish()
        return path
    }

    @Test(arguments: CDBDialect.allCases) func constantDatabases(dialect: CDBDialect) throws {
        let path = try cdb(dialect)
        let answer = try examine(path)
        #expect(answer.kind == "cdb" && answer.state == "intact" && answer.facts["records"] as? Int == 1000)
        #expect(answer.facts["layout"] as? String == dialect.rawValue)
        #expect(answer.next.first == "cairn cdb dump \(path)" + (dialect == .standard ? "" : " --dialect \(dialect)"))
        // Without a name that says so, and empty.
        #expect(try examine(cdb(dialect, count: 0)).state == "intact")

        let whole = try Data(contentsOf: URL(fileURLWithPath: cdb(dialect)))
        let cut = try examine(playground.file("cut", Array(whole.prefix(whole.count - 100))))
        #expect(cut.kind == "cdb" && cut.state == "damaged" && cut.damage.count == 1)
        // The length of the first key.
        try playground.flip(path, at: dialect == .standard ? 2049 : 4097)
        #expect(try examine(path).state == "damaged")
        let header = try examine(playground.file("stub.cdb", Array(whole.prefix(700))))
        #expect(header.state == "none" && header.summary.hasPrefix("It has the name of a constant database"))
    }

    // MARK: MMKV and Goose

    private func mmkv(_ name: String, _ golden: GoldenMMKV) throws -> String {
        let (data, meta) = try golden.bytes()
        _ = try playground.file(name + ".crc", meta)
        return try playground.file(name, data)
    }

    @Test func filesOfMMKV() throws {
        let path = try mmkv("default", .plain)
        let answer = try examine(path)
        #expect(answer.kind == "mmkv" && answer.state == "intact" && answer.summary == "It is intact: it matches its checksum.")
        #expect(answer.next == ["cairn mapped import STORE \(path) --format mmkv --create"])
        let meta = try examine(path + ".crc")
        #expect(meta.phrase == "the .crc file of an MMKV file" && meta.next == ["cairn doctor \(path)"])

        try playground.flip(path, at: 60)
        let damaged = try examine(path)
        #expect(damaged.kind == "mmkv" && damaged.state == "damaged")

        // Whole pages, without the companion.
        let (data, _) = try GoldenMMKV.plain.bytes()
        let alone = try playground.file("alone", data + [UInt8](repeating: 0, count: 4096 - data.count))
        let lonely = try examine(alone)
        #expect(
            lonely.kind == "mmkv" && lonely.notes.contains { $0.hasSuffix("alone.crc is missing, so what was read cannot be verified") }
        )
    }

    @Test func encryptedFilesOfMMKV() throws {
        let path = try mmkv("secret", .aes128)
        let locked = try examine(path)
        #expect(locked.kind == "mmkv" && locked.state == "locked" && locked.isEncrypted)
        let key = try playground.file("key", GoldenMMKV.shortKey)
        let opened = try examine(path, "--key-file", key)
        #expect(
            opened.state == "intact" && opened.next == ["cairn mapped import STORE \(path) --format mmkv --create --mmkv-key-file \(key)"]
        )
        #expect(opened.isEncrypted && opened.notes.isEmpty)
        let plain = try examine(mmkv("plain", .plain), "--key-file", key)
        #expect(plain.state == "intact" && plain.notes == ["it is not encrypted; the key was not needed"])
        #expect(plain.next.allSatisfy { !$0.contains("mmkv-key-file") })
        let wrong = try playground.file("wrong", "another key")
        #expect(try examine(path, "--key-file", wrong).state == "unavailable")
    }

    @Test func filesOfGoose() throws {
        func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
            [UInt8(key.utf8.count), 0, 0, 0, 0, 0, 0, 0, UInt8(value.count), 0, 0, 0, 0, 0, 0, 0] + Array(key.utf8) + value
        }
        let records = record("flag", [1]) + record("name", Array("Katrina".utf8))
        let bytes = [UInt8(records.count), 0, 0, 0, 0, 0, 0, 0] + records
        let path = try playground.file("settings", bytes + [UInt8](repeating: 0, count: 50))
        let answer = try examine(path)
        #expect(answer.kind == "goose" && answer.state == "intact" && answer.facts["keys"] as? Int == 2)
        #expect(answer.next == ["cairn mapped import STORE \(path) --format goose --create"])
        let cut = try examine(playground.file("cut", Array(bytes.dropLast(3))))
        #expect(cut.kind == "goose" && cut.state == "damaged" && cut.facts["keys"] as? Int == 1)
    }

    // MARK: BNRPersistence

    @Test func directoriesOfBNRPersistence() throws {
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../CairnObjectsBNRTests/Golden").standardizedFileURL
        for name in ["Music.bnr", "Secret.bnr", "Open.bnr"] {
            try FileManager.default.copyItem(at: golden.appendingPathComponent(name), to: URL(fileURLWithPath: playground.path(name)))
        }
        let music = try examine(playground.path("Music.bnr"))
        #expect(music.kind == "bnrpersistence" && music.state == "intact" && music.facts["objects"] as? Int == 28)
        #expect(music.facts["classes"] as? String == "Playlist, Song" && music.facts["names"] as? Int == 3)
        let open = try examine(playground.path("Open.bnr"))
        #expect(open.state == "intact" && open.notes.contains("Song was not closed by its program, or is still open"))
        // As Tests/CairnObjectsBNRTests/Golden/make-golden wrote it.
        let secret = playground.path("Secret.bnr")
        #expect(try examine(secret).notes.contains { $0.contains("the passphrase is needed") })
        let passphrase = try playground.file("passphrase", "open sesame\n")
        let opened = try examine(secret, "--passphrase-file", passphrase)
        #expect(opened.state == "intact" && opened.facts["encrypted_objects"] as? Int == 2)

        let song = playground.path("Music.bnr/Song")
        #expect(try examine(song).next == ["cairn doctor \(playground.path("Music.bnr"))"])
        let whole = try Data(contentsOf: URL(fileURLWithPath: song))
        try Data([UInt8(ascii: "X")] + whole.dropFirst()).write(to: URL(fileURLWithPath: song))
        let beheaded = try examine(playground.path("Music.bnr"))
        #expect(beheaded.notes.contains { $0.hasPrefix("Song was not checked: it does not begin like a Tokyo Cabinet database") })
        try whole.write(to: URL(fileURLWithPath: song))
        #expect(try examine(playground.path("Music.bnr")).notes == music.notes)
        try Data(try Data(contentsOf: URL(fileURLWithPath: song)).dropLast(300)).write(to: URL(fileURLWithPath: song))
        let damaged = try examine(playground.path("Music.bnr"))
        #expect(damaged.state == "damaged" && damaged.damage.allSatisfy { $0.hasPrefix("Song: ") })
        #expect(damaged.next.first?.hasSuffix(" --salvage") == true)
    }

    // MARK: No stores

    @Test func whatIsNoStore() throws {
        let files: [(name: String, bytes: [UInt8], phrase: String)] = [
            ("empty", [], "an empty file"), ("zeros", [UInt8](repeating: 0, count: 16 << 10), "a file of zeros"),
            ("text", Array("Grüße\n".utf8), "a text file"),
            ("long", Array(String(repeating: "ü", count: 40_000).utf8) + [10], "a text file"),
            ("noise", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }, "an unknown file"),
            ("page", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 40_503 >> 5) }, "an unknown file"),
            ("manyzeros", [UInt8](repeating: 0, count: 64 << 10), "an unknown file"),
            ("songs.db", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080), "an SQLite database"),
            ("list.gz", [0x1F, 0x8B, 8, 0], "a file compressed with gzip"), ("one", [1], "an unknown file"),
        ]
        for (name, bytes, phrase) in files {
            let answer = try examine(playground.file(name, bytes))
            #expect(answer.state == "none" && answer.kind == "none" && answer.phrase == phrase, "\(name): \(answer)")
        }
        let csv = try playground.file("songs.csv", "title,seconds\nx,1\n")
        #expect(try examine(csv).next == ["cairn rocks import DATABASE \(csv) --create"])
        #expect(try examine("/dev/null").phrase == "neither a file nor a directory")
        let db = try playground.database("db", ["a": "1"])
        #expect(try examine(db + "/CURRENT").next == ["cairn doctor \(db)"])
    }

    @Test func directoriesWithoutAStore() throws {
        let directory = playground.path("stores")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        #expect(try examine(directory).phrase == "an empty directory")
        _ = try playground.file("stores/notes.txt", "text")
        #expect(try examine(directory).summary == "It is not a Cairn store.")
        let store = try playground.mapped("stores/it's.map", ["a": .int(1)])
        _ = try playground.database("stores/db")
        let answer = try examine(directory)
        #expect(answer.summary == "It is not a Cairn store, but 2 entries look like one.")
        #expect(answer.next == ["cairn doctor \(directory)/db", "cairn doctor '\(store.replacing("'", with: #"'\''"#))'"])
    }

    // MARK: Paths

    @Test func pathsThatLeadNowhere() throws {
        let path = playground.path("nothing")
        #expect(try cairn("doctor", path) == Outcome(error: "Error: '\(path)' does not exist.\nHint: Check the path.\n", status: 3))
        let file = try playground.file("file", "text")
        #expect(try cairn("doctor", file + "/x").error.hasPrefix("Error: '\(file)/x' does not exist."))
        let link = playground.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone")
        let error = "Error: '\(link)' is a symbolic link to 'gone', which does not exist.\n"
        #expect(try cairn("doctor", link) == Outcome(error: error, status: 3))
        let loop = playground.path("loop")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: "loop")
        let looped = try cairn("doctor", loop, "--json")
        #expect(looped.status == 3 && looped.output == "" && looped.error.hasPrefix("Error: '\(loop)' cannot be read: "))
        #expect(try cairn("doctor").status == 2)
    }

    @Test func symbolicLinksAreFollowed() throws {
        let db = try playground.database("db", ["a": "1"])
        let link = playground.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "db")
        let answer = try examine(link)
        #expect(answer.kind == "rocksdb" && answer.state == "intact" && answer.notes == ["the path is a symbolic link to 'db'"])
        #expect(FileManager.default.fileExists(atPath: db))
    }

    /// What `cairn doctor` prints for a user who may not read everything.
    private func examined(_ path: String) throws -> Outcome {
        Outcome(try OrdinaryRights.run("cairn", ["doctor", path]))
    }

    @Test(.enabled(if: OrdinaryRights.arePossible, Comment(rawValue: OrdinaryRights.reason))) func unreadableFilesAndDirectories() throws {
        let file = try playground.mapped("settings.map", ["a": .int(1)])
        let db = try playground.database("db", ["a": "1"])
        for path in [file, db] {
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
            let outcome = try examined(path)
            #expect(outcome.status == 3 && outcome.error.hasPrefix("Error: '\(path)' cannot be read: Permission denied."))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        // Nor is an unreadable file in a database damage.
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: db + "/CURRENT")
        let outcome = try examined(db)
        #expect(outcome.status == 3 && outcome.error.hasPrefix("Error: '\(db)/CURRENT' cannot be read: Permission denied."))
    }
}
