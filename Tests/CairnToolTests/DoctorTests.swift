import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// `cairn doctor` on stores of Cairn's.
struct DoctorTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    private func examine(_ path: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> DoctorAnswer {
        try playground.examine(path, arguments, sourceLocation: sourceLocation)
    }

    // MARK: Whole stores

    @Test func whatAUserSees() throws {
        let db = try playground.database("my db", ["a": "1", "bb": "22"], columnFamilies: ["songs"])
        let expected = """
            \(db) is a RocksDB database.
            It is intact: everything was read and compared with its checksums.

              column families  2
              entries          2
              data             6 B

            What to do next:
              cairn rocks scan '\(db)' --limit 10
                  prints the first entries
              cairn rocks backup '\(db)' BACKUPS
                  makes a backup in the directory BACKUPS; no program may have the database open

            """
        #expect(try cairn("doctor", db) == Outcome(expected))
        let answer = try examine(db)
        #expect(answer.facts as NSDictionary == ["column_families": 2, "entries": 2, "data": 6])
        #expect(answer.next.count == 2 && answer.next[0] == "cairn rocks scan '\(db)' --limit 10")
    }

    @Test func databasesWithWhatOnlyTheirProgramsHave() throws {
        let path = playground.path("own")
        let options = ColumnFamilyOptions(
            mergeOperator: MergeOperator(name: "own.append", full: { _, _, operands in [1] })
        )
        let db = try RocksDB(
            path: path,
            options: DatabaseOptions(createIfMissing: true),
            columnFamilies: ["default": options]
        )
        try db.merge("x", for: "a")
        try db.close()
        let merged = try examine(path)
        #expect(merged.state == "intact" && merged.notes.contains { $0.contains("has a merge operator that only its program has") })

        let other = playground.path("order")
        let order = ColumnFamilyOptions(comparator: KeyComparator(name: "own.order") { $0.byteCount - $1.byteCount })
        try RocksDB(path: other, options: DatabaseOptions(createIfMissing: true), columnFamilies: ["default": order]).close()
        let ordered = try examine(other)
        #expect(ordered.state == "unavailable" && ordered.status == 3 && ordered.summary.contains("own.order"))
    }

    @Test func objectStores() throws {
        let path = playground.path("music")
        #expect(try cairn("objects", "import", path, "--create", stdin: Self.objects).status == 0)
        let answer = try examine(path)
        #expect(answer.kind == "object_store" && answer.state == "intact" && !answer.isEncrypted)
        #expect(answer.facts as NSDictionary == ["classes": 1, "objects": 2, "references": 0, "names": 1])
        #expect(answer.next.first == "cairn objects info \(path)")
    }

    private static let objects = """
        {"cairn_objects":1}
        {"class":"Song","number":1,"version":1,"properties":[{"name":"title","type":"string"}],"indexes":[]}
        {"object":"1/1","class":"Song","version":1,"values":{"title":"one"}}
        {"object":"1/2","class":"Song","version":1,"values":{"title":"two"}}
        {"name":"first","object":"1/1"}

        """

    @Test func mappedStores() throws {
        let path = try playground.mapped("settings.map", ["a": .int(1), "b": .string("two")])
        let answer = try examine(path)
        #expect(answer.kind == "mapped_store" && answer.state == "intact" && answer.facts["values"] as? Int == 2)
        #expect(answer.next.first == "cairn mapped list \(path)")
    }

    /// Suggested commands can be pasted into a shell, and control no terminal.
    @Test func namesThatNeedQuotes() throws {
        for (name, quoted) in [
            ("it's.map", #"'it'\''s.map'"#), ("-dash.map", "./-dash.map"), ("\u{1B}[31mit's\\.map", #"$'\x1b[31mit\'s\\.map'"#),
        ] {
            _ = try playground.mapped(name, ["a": .int(1)])
            let script = #"cd "$1"; exec "$2" doctor -- "$3""#
            let result = try runTool("/bin/sh", ["-c", script, "sh", playground.directory.path, toolPath(), name])
            #expect(result.status == 0 && result.standardOutput.contains("  cairn mapped list \(quoted)\n"), "\(result)")
            #expect(!result.standardOutput.contains("\u{1B}"))
        }
    }

    @Test func sortedFilesExportsAndBackups() throws {
        let db = try playground.database("db", ["a": "1", "b": "2"]) { try $0.flush() }
        let inside = try #require(try playground.files(in: db).first { $0.hasSuffix(".sst") })
        let part = try examine(inside)
        #expect(part.kind == "sorted_file" && part.state == "intact" && part.facts["entries"] as? Int == 2)
        #expect(part.next == ["cairn doctor \(db)"])

        let alone = playground.path("songs.sst")
        let options = ColumnFamilyOptions(comparator: .reverseBytewise)
        let writer = try SSTFileWriter(path: alone, options: options)
        try writer.put("2", for: "b")
        try writer.put("1", for: "a")
        try writer.finish()
        let sorted = try examine(alone)
        #expect(sorted.state == "intact" && sorted.next == ["cairn rocks ingest DATABASE \(alone)"])
        #expect(sorted.facts["order"] as? String == "rocksdb.ReverseBytewiseComparator")

        let export = playground.path("export")
        let opened = try RocksDB(path: db)
        try opened.exportColumnFamily("default", to: export)
        try opened.close()
        let exported = try examine(export)
        #expect(exported.kind == "column_family_export" && exported.state == "intact" && exported.facts["files"] as? Int == 1)
        try playground.flip(export + "/CAIRN-EXPORT", at: 20)
        #expect(try examine(export).damage == ["the list of its files, CAIRN-EXPORT, does not match its checksum"])

        let backups = playground.path("backups")
        #expect(try cairn("rocks", "backup", db, backups).status == 0)
        let kept = try examine(backups)
        #expect(kept.kind == "backups" && kept.state == "intact" && kept.facts["backups"] as? Int == 1)
        let shared = try #require(try playground.files(in: backups + "/shared_checksum").first)
        try playground.flip(shared, at: 30)
        let damaged = try examine(backups)
        #expect(damaged.state == "damaged" && damaged.damage.count == 1 && damaged.damage[0].hasPrefix("verifying backup 1 at "))
    }

    // MARK: Damage

    @Test func damagedDatabases() throws {
        let db = try playground.database { db in
            for number in 0..<5000 { try db.put("value \(number)", for: "key \(number)") }
            try db.flush()
        }
        try playground.flip(try #require(try playground.files(in: db).first { $0.hasSuffix(".sst") }), at: 20_000)
        let flipped = try examine(db)
        #expect(flipped.state == "damaged" && !flipped.damage.isEmpty)
        #expect(flipped.next.contains("cairn rocks export \(db)") && flipped.next.last == "cairn rocks repair \(db) --yes")

        for name in ["CURRENT", "MANIFEST"] {
            let lost = try playground.database("lost \(name)", ["a": "1"])
            let file = try #require(try playground.files(in: lost).first { $0.contains("/" + name) })
            try FileManager.default.removeItem(atPath: file)
            let answer = try examine(lost)
            #expect(answer.kind == "rocksdb" && answer.state == "damaged", "\(name)")
            #expect(answer.summary == "It is too damaged to be opened.")
            #expect(!answer.next.contains { $0.contains("export") })
        }
        // The last advice helps.
        let lost = playground.path("lost CURRENT")
        #expect(try cairn("rocks", "repair", lost).status == 2)
        #expect(try examine(lost).state == "damaged")
        #expect(try cairn("rocks", "repair", lost, "--yes") == Outcome("column family  entries\ndefault              1\n"))
        #expect(try examine(lost).facts["entries"] as? Int == 1)
        #expect(try cairn("rocks", "repair", playground.directory.path, "--yes").status == 3)
    }

    @Test func damagedObjectStores() throws {
        let path = playground.path("music")
        #expect(try cairn("objects", "import", path, "--create", stdin: Self.objects).status == 0)
        // A record that is not one, and a large record that nobody needs.
        let db = try RocksDB(path: path)
        let page: [UInt8] = [1, 0, 1, 0, 0, 0, 0, 0, 0]
        let old: [UInt8] = try #require(try db.get(page))
        try db.put(Array(old.dropLast(2)), for: page)
        try db.put([1, 2, 3] as [UInt8], for: [2, 0, 1, 0, 0, 0, 0, 0, 99] as [UInt8])
        try db.close()
        let answer = try examine(path)
        #expect(answer.kind == "object_store" && answer.state == "damaged" && answer.damage.count >= 2, "\(answer)")
        #expect(answer.next.contains("cairn objects verify \(path) --repair"))
        #expect(answer.next.last == "cairn objects export \(path)")
    }

    @Test func damagedMappedStores() throws {
        let path = try playground.mapped("settings.map", ["launches": .int(3), "name": .string("Katrina")])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("Katrina".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let value = try examine(path)
        #expect(
            value.state == "damaged" && value.damage == ["the value of key 'name' does not match its checksum"]
                && value.facts["values"] as? Int == 1
        )
        #expect(value.next.first == "cairn mapped export \(path) \(path).json")

        try playground.flip(path, at: 10)
        #expect(try examine(path).damage.contains("one copy of the header is damaged; the other one was used"))
        try playground.flip(path, at: 3072 + 10)
        let header = try examine(path)
        #expect(header.kind == "mapped_store" && header.state == "damaged")
        #expect(header.summary == "It is too damaged to be opened.")
        // Cut short behind the header.
        let short = try playground.file("short.map", Array(bytes.prefix(4096)))
        let missing = try examine(short)
        #expect(missing.state == "damaged" && missing.damage.count == 1, "\(missing.damage)")
        #expect(missing.damage.first?.hasPrefix("bytes 4096 to ") == true, "\(missing.damage)")
        // Cut short within the header.
        let cut = try playground.file("cut.map", Array(bytes.prefix(2000)))
        #expect(try examine(cut).state == "damaged")
    }

    // MARK: Encryption

    @Test func encryptedStores() throws {
        let passphrase = try playground.file("passphrase", "correct horse\n")
        let wrong = try playground.file("wrong", "battery staple\n")
        let key = try playground.file("key", String(repeating: "0f", count: 32))
        let (objects, mapped) = (playground.path("music"), playground.path("settings.map"))
        #expect(try cairn("objects", "import", objects, "--create", "--key-file", key, stdin: Self.objects).status == 0)
        // The usual cost takes seconds in a debug build.
        let cipher = try MappedEncryption(passphrase: "correct horse", cost: #require(ScryptCost(stored: 4)))
        let store = try MappedStore(path: mapped, options: .init(cipher: cipher))
        try store.set(1, for: "a")
        try store.close()

        for path in [objects, mapped] {
            let locked = try examine(path)
            #expect(locked.state == "locked" && locked.isEncrypted && locked.summary.hasSuffix("can be checked only with the key."))
            #expect(locked.next == ["cairn doctor \(path) --key-file KEY"])
            let refused = try examine(path, "--passphrase-file", wrong)
            #expect(refused.state == "unavailable" && refused.status == 3 && refused.summary.contains(" key"), "\(refused.summary)")
        }
        let opened = try examine(objects, "--key-file", key)
        #expect(opened.state == "intact" && opened.facts["objects"] as? Int == 2)
        #expect(opened.next.first == "cairn objects info \(objects) --key-file \(key)")
        #expect(try examine(mapped, "--passphrase-file", passphrase).state == "intact")

        // Without the key, damage of the files is found all the same.
        try playground.flip(mapped, at: 100)
        let damaged = try examine(mapped)
        #expect(damaged.state == "damaged" && damaged.damage == ["one copy of the header is damaged; the other one was used"])

        // A key that is not needed is reported.
        let plain = try playground.mapped("plain.map", ["a": .int(1)])
        #expect(try examine(plain, "--key-file", key).notes == ["it is not encrypted; the key was not needed"])
        #expect(try cairn("doctor", plain, "--key-file", key, "--passphrase-file", passphrase).status == 2)
        #expect(try cairn("doctor", plain, "--key-file", passphrase).status == 4)
    }

    @Test func encryptedDatabases() throws {
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../CairnRocksEncryptionTests/Golden/version-1").standardizedFileURL
        let path = playground.path("secret")
        try FileManager.default.copyItem(at: golden, to: URL(fileURLWithPath: path))
        let locked = try examine(path)
        #expect(locked.kind == "rocksdb" && locked.state == "locked" && locked.isEncrypted, "\(locked)")
        let log = try #require(try playground.files(in: path).first { $0.contains("/MANIFEST-") })
        try playground.flip(path + "/CURRENT", at: 3)
        #expect(try examine(path).damage == ["CURRENT does not have the header of an encrypted file"])
        #expect(try examine(log).phrase == "a file of a RocksDB database")
    }

    /// Changes the header of an encrypted store; the format page says what is in it.
    private func changeHeader(of path: String, _ change: (inout [String: Any]) throws -> Void) throws {
        let db = try RocksDB(path: path)
        let header: String = try #require(try db.get([0, 4] as [UInt8]))
        var fields = try #require(try JSONSerialization.jsonObject(with: Data(header.utf8)) as? [String: Any])
        try change(&fields)
        try db.put(try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys), for: [0, 4] as [UInt8])
        try db.close()
    }

    @Test func whatIsLeftOfFormerDataIsNoted() throws {
        let path = playground.path("music")
        let key = try playground.file("key", String(repeating: "0f", count: 32))
        #expect(try cairn("objects", "import", path, "--create", "--key-file", key, stdin: Self.objects).status == 0)
        let note =
            "its files may still contain data or keys that were replaced or deleted; they are removed when a program opens it for writing; on etcd, once etcd is compacted"
        #expect(try !examine(path, "--key-file", key).notes.contains(note))
        try changeHeader(of: path) { $0["holdsFormer"] = true }
        #expect(try examine(path, "--key-file", key).notes.contains(note))
    }

    @Test func anUnfinishedChangeOfTheKey() throws {
        // A change is noted until it has ended.
        let path = playground.path("music")
        let key = try playground.file("key", String(repeating: "0f", count: 32))
        #expect(try cairn("objects", "import", path, "--create", "--key-file", key, stdin: Self.objects).status == 0)
        try changeHeader(of: path) { $0["change"] = ["cipher": try #require($0["cipher"]), "next": ""] }
        for answer in [try examine(path), try examine(path, "--key-file", key)] {
            #expect(answer.state == "unfinished" && answer.next == ["cairn objects rekey \(path)"], "\(answer)")
        }
    }

    // MARK: Beside other programs

    /// Locks a file that nobody has open any more, except that processes which other tests start have it, and so its lock, from fork to exec.
    private func exclusiveLock(of file: File) throws -> FileLock {
        for _ in 0..<1_000_000 {
            if let lock = try? FileLock(file, .exclusive) { return lock }
            sched_yield()
        }
        return try FileLock(file, .exclusive)
    }

    @Test func storesThatAnotherProgramHasOpen() throws {
        let process = ProcessInfo.processInfo.processIdentifier
        let path = playground.path("busy")
        // RocksDB writes them to the text log some seconds after opening: the more databases the process has opened, the later.
        var options = DatabaseOptions(createIfMissing: true)
        options.statsDumpPeriod = .zero
        let db = try RocksDB(path: path, options: options)
        try db.put("1", for: "a")
        let answer = try examine(path)
        #expect(answer.state == "intact" && answer.facts["entries"] as? Int == 1)
        #expect(answer.notes == ["process \(process) has it open; this is its state at that moment"])
        // Files that come and go are not damage.
        try db.put("2", for: "b")
        try db.flush()
        let sorted = try #require(try playground.files(in: path).first { $0.hasSuffix(".sst") })
        try playground.flip(sorted, at: 20)
        // A flush goes on to delete the log that it made obsolete; the pause waits for that.
        let state = try db.withBackgroundWorkPaused { try examine(path).state }
        #expect(state == "damaged")
        try db.close()
        #expect(try examine(path).notes.isEmpty)

        let mapped = try MappedStore(path: playground.path("busy.map"))
        try mapped.set(1, for: "a")
        #expect(try examine(mapped.path).state == "intact")
        try mapped.set(2, for: "b")
        try mapped.close()
        // While somebody has it alone, to bring it into order, nobody waits.
        let file = try File(mapped.path, [.read, .write])
        let lock = try exclusiveLock(of: file)
        let busy = try examine(mapped.path)
        #expect(busy.state == "unavailable" && busy.status == 3 && busy.summary.contains("Try again."))
        lock.release()
        #expect(try examine(mapped.path).state == "intact")
    }
}
