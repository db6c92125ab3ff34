import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct EnvironmentTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.path("db") }

    private func options(_ environment: Environment) -> DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.environment = environment
        return options
    }

    @Test func inMemory() throws {
        let memory = try Environment.inMemory(), options = options(memory)
        var db = try RocksDB(path: path, options: options)
        try db.createColumnFamily("a").put("2", for: "b")
        try db.put("1", for: "a")
        try db.flush()
        try db.put("2", for: "b")
        #expect(code { try RocksDB(path: path, options: options) } == .locked)
        try db.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("")).isEmpty)
        // Closed and opened again, in the same environment.
        #expect(try RocksDB.columnFamilyNames(path: path, environment: memory) == ["a", "default"])
        db = try RocksDB(path: path, options: options)
        #expect(try db.pairTexts() == ["a=1", "b=2"] && db.columnFamily("a").text("b") == "2")
        try db.compact()
        try db.verifyChecksums()
        try db.makeCheckpoint(at: "/copy")
        let copy = try RocksDB(path: "/copy", options: options)
        #expect(try copy.pairTexts() == ["a=1", "b=2"])
        try copy.close()
        try db.close()
        #expect(try RocksDB(path: path, options: options, mode: .readOnly).pairTexts() == ["a=1", "b=2"])
        try RocksDB.destroy(path: path, environment: memory)
        #expect(code { try RocksDB.columnFamilyNames(path: path, environment: memory) } == .notFound)
        // Another environment is another file system.
        var missing = self.options(try .inMemory())
        missing.createIfMissing = false
        #expect(code { try RocksDB(path: "/copy", options: missing) } == .notFound)
    }

    @Test func databasesKeepTheirEnvironment() throws {
        var db: RocksDB? = try RocksDB(path: "/db", options: options(.inMemory()))
        try db?.put("1", for: "a")
        try db?.flush()
        #expect(try db?.text("a") == "1")
        let family = try db!.columnFamily("default")
        db = nil
        #expect(try family.text("a") == "1")
    }

    @Test func repairInMemory() throws {
        let memory = try Environment.inMemory(), db = try RocksDB(path: "/db", options: options(memory))
        try db.put("1", for: "a")
        try db.flush()
        try db.close()
        try RocksDB.repair(path: "/db", environment: memory)
        #expect(try RocksDB(path: "/db", options: options(memory)).pairTexts() == ["a=1"])
    }

    /// A cipher for tests: the key stream is made of key, nonce and place by multiplication.
    struct Toy: FileCipher {
        let key: UInt64
        var calls: Box<Int>?
        var fails: Box<Bool>?
        func apply(to bytes: inout MutableRawSpan, nonce: RawSpan, offset: UInt64) throws {
            struct Failure: Error {}
            if fails?.value == true { throw Failure() }
            calls?.update { $0 += 1 }
            let seed = [UInt8](copying: nonce).reduce(key) { $0 &* 31 &+ UInt64($1) }
            unsafe bytes.withUnsafeMutableBytes { bytes in
                for index in bytes.indices {
                    let mixed = ((offset + UInt64(index)) &* 0x9E37_79B9_7F4A_7C15) ^ seed
                    unsafe bytes[index] ^= UInt8(truncatingIfNeeded: (mixed &* 0xBF58_476D_1CE4_E5B9) >> 56)
                }
            }
        }
    }

    @Test func encryptedByACipher() throws {
        let calls = Box(0), environment = try Environment.encrypted(by: Toy(key: 7, calls: calls))
        var db = try RocksDB(path: path, options: options(environment))
        try db.put("secret value", for: "secret key")
        try db.flush()
        try db.put("secret value", for: "secret log")
        #expect(calls.value > 0)
        try db.close()
        db = try RocksDB(path: path, options: options(environment))
        #expect(try db.pairTexts() == ["secret key=secret value", "secret log=secret value"])
        try db.close()

        for (name, wrong) in [("another key", try Environment.encrypted(by: Toy(key: 8))), ("none", Environment.default)] {
            let before = try contents()
            #expect(code { try RocksDB(path: path, options: options(wrong)) } == .wrongKey, "\(name)")
            #expect(code { try RocksDB.columnFamilyNames(path: path, environment: wrong) } == .wrongKey, "\(name)")
            #expect(code { try RocksDB.destroy(path: path, environment: wrong) } == .wrongKey, "\(name)")
            #expect(code { try RocksDB.repair(path: path, environment: wrong) } == .wrongKey, "\(name)")
            #expect(try contents() == before, "\(name)")
        }
        #expect(try RocksDB(path: path, options: options(environment)).count() == 2)
    }

    @Test func plainDatabasesAreNotOpenedEncrypted() throws {
        let db = try RocksDB(path: path, options: options(.default))
        try db.put("1", for: "a")
        try db.close()
        #expect(code { try RocksDB(path: path, options: options(.encrypted(by: Toy(key: 7)))) } == .wrongKey)
        #expect(try RocksDB(path: path, options: options(.default)).text("a") == "1")
    }

    /// The log has marks of prepared transactions, at which RocksDB ends the process unless it expects them.
    @Test(arguments: [false, true]) func preparedTransactionsAreFoundInEveryEnvironment(encrypted: Bool) throws {
        let environment = encrypted ? try Environment.encrypted(by: Toy(key: 7)) : try .inMemory()
        var db = try RocksDB(path: path, options: options(environment), mode: .transactions())
        var transaction: Transaction? = try db.makeTransaction()
        try transaction?.setName("x")
        try transaction?.put("1", for: "a")
        try transaction?.prepare()
        transaction = nil
        try db.close()
        for mode in [RocksDB.OpenMode.readOnly, .readWrite, .optimisticTransactions()] {
            db = try RocksDB(path: path, options: options(environment), mode: mode)
            #expect(try db.get("a") == nil)
            try db.close()
        }
        db = try RocksDB(path: path, options: options(environment), mode: .transactions())
        try db.preparedTransactions().first?.commit()
        #expect(try db.text("a") == "1")
    }

    /// What hands files out or takes them in knows plain files on the disk.
    @Test(arguments: [false, true]) func filesStayInTheirEnvironment(encrypted: Bool) throws {
        let environment = encrypted ? try Environment.encrypted(by: Toy(key: 7)) : try .inMemory()
        let db = try RocksDB(path: path, options: options(environment))
        try db.put("1", for: "a")
        try db.flush()
        let outside = directory.path("outside"), file = directory.path("file.sst")
        let writer = try SSTFileWriter(path: file)
        try writer.put("2", for: "b")
        _ = try writer.finish()
        let plain = try RocksDB(path: directory.path("plain"), options: options(.default))
        try plain.put("3", for: "c")
        try plain.flush()
        try plain.exportColumnFamily("default", to: directory.path("export"))
        let refused: [(String, () throws -> Void)] = [
            ("backup", { _ = try BackupEngine(path: outside).createBackup(of: db) }),
            ("export", { try db.exportColumnFamily("default", to: outside) }),
            ("import", { _ = try db.importColumnFamily("c", from: directory.path("export")) }),
            ("ingest", { try db.ingest([file]) }),
        ]
        for (name, call) in refused { #expect(code(call) == .notSupported, "\(name)") }
        #expect(try db.pairTexts() == ["a=1"] && db.columnFamilyNames == ["default"])
    }

    @Test func failingCiphers() throws {
        let fails = Box(false), environment = try Environment.encrypted(by: Toy(key: 7, fails: fails))
        let db = try RocksDB(path: path, options: options(environment))
        try db.put("1", for: "a")
        try db.flush()
        fails.value = true
        #expect(code { try db.put("2", for: "b") } == .ioError)
        fails.value = false
        _ = code { try db.close() }
        #expect(try RocksDB(path: path, options: options(environment)).text("a") == "1")
    }

    /// RocksDB's own encrypted file system asserts that every file has a whole header.
    @Test func damagedFiles() async throws {
        try await withSeeds("damaged encrypted files", count: Thorough.count(1, of: 2)) { generator in
            let environment = try Environment.encrypted(by: Toy(key: 7))
            var opened = 0
            for round in 0..<Thorough.count(12, of: 40) {
                let directory = try TemporaryDirectory(), path = directory.path("db")
                let db = try RocksDB(path: path, options: options(environment))
                for key in 0..<50 { try db.put("value", for: "\(key)") }
                try db.flush()
                try db.put("1", for: "logged")
                try db.close()
                let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                // Each in turn: without those that RocksDB only writes, all is there.
                let file = path + "/" + names[round % names.count]
                var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
                guard !bytes.isEmpty else { continue }
                if generator.int(in: 0..<2) == 0 {
                    bytes.removeLast(generator.int(in: 1..<bytes.count + 1))
                } else {
                    bytes[generator.int(in: 0..<min(bytes.count, 6_000))] ^= 0x10
                }
                try Data(bytes).write(to: URL(filePath: file))
                // An error or a database: never the end of the process, never another value.
                guard let again = try? RocksDB(path: path, options: options(environment)) else { continue }
                opened += 1
                if let entries = try? again.entries(as: (String.self, String.self)) {
                    #expect(entries.allSatisfy { $0.value == "value" || $0.value == "1" })
                }
                _ = code { try again.put("2", for: "more") }
                _ = code { try again.close() }
            }
            #expect(opened > 0)
        }
    }

    @Test func closingInACipher() throws {
        let db = Box<RocksDB?>(nil), result = Box<RocksError.Code?>(nil)
        struct Closing: FileCipher {
            let db: Box<RocksDB?>, result: Box<RocksError.Code?>
            func apply(to bytes: inout MutableRawSpan, nonce: RawSpan, offset: UInt64) throws {
                guard let db = db.value, result.value == nil else { return }
                result.value = code { try db.close() }
            }
        }
        db.value = try RocksDB(path: path, options: options(.encrypted(by: Closing(db: db, result: result))))
        try db.value?.put("1", for: "a")
        #expect(result.value == .busy)
        // The last reference must not go while the box is locked.
        let last = db.value
        db.value = nil
        withExtendedLifetime(last) {}
    }

    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            contents[name] = try Data(contentsOf: URL(filePath: path + "/" + name))
        }
        return contents
    }
}
