import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct ConcurrencyTests {
    let scene = try! Scene()

    /// Eight threads read and write; a ninth makes, uses and drops column families; snapshots and cursors come and go.
    @Test func readersWritersAndColumnFamilies() async throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.maxBackgroundJobs = 2
        var families = ColumnFamilyOptions(mergeOperator: ModelAppend.mergeOperator)
        families["write_buffer_size"] = "65536"
        let db = try scene.open(families, options: options)
        let writing = Box(8)
        try await onThreads(9) { thread in
            guard thread < 8 else {
                // Once more after the others are done, whatever the order they ran in.
                repeat { try ConcurrencyTests.useColumnFamilies(of: db) } while writing.value > 0
                return
            }
            defer { writing.update { $0 -= 1 } }
            var generator = SeededGenerator(seed: UInt64(thread))
            for number in 0..<150 {
                // Each thread owns its keys, so it knows what it must find.
                let key = "\(thread)/\(number % 20)"
                try db.put("\(number)", for: key)
                try expect(db.text(key) == "\(number)", "get")
                switch generator.int(in: 0..<7) {
                case 0:
                    try db.write { batch in
                        batch.put("batch \(number)", for: key)
                        batch.put("batch \(number)", for: key + "'")
                    }
                    try expect(db.multiGet([key, key + "'"], as: String.self) == ["batch \(number)", "batch \(number)"], "batch")
                case 1:
                    try db.merge("more", for: key)
                    try expect(db.text(key) == "\(number)more", "merge")
                case 2:
                    try db.delete(key)
                    try expect(!db.contains(key), "delete")
                case 3:
                    let snapshot = try db.makeSnapshot()
                    try db.put("later", for: key)
                    try expect(snapshot.text(key) == "\(number)", "snapshot")
                case 4:
                    let keys = try db.keyTexts(.prefix("\(thread)/"))
                    try expect(keys == keys.sorted() && keys.contains(key), "scan")
                case 5:
                    var cursor = try db.makeCursor(.prefix("\(thread)/").reversed)
                    try db.delete(key)
                    try expect(cursor.perform(.seek(key)) == key, "cursor")
                default:
                    try expect(db.withValue(for: key) { $0.byteCount } == "\(number)".utf8.count, "withValue")
                }
            }
        }
        #expect(db.columnFamilyNames == ["default"])
        try db.verifyChecksums()
        try db.close()
    }

    private static func useColumnFamilies(of db: RocksDB) throws {
        let family = try db.createColumnFamily("temporary", options: .init(comparator: .reverseBytewise))
        let other = try db.columnFamily("other", createdWith: .init())
        try db.write { batch in
            batch.in(family).put("1", for: "a")
            batch.in(other).put("1", for: "b")
        }
        var cursor = try family.makeCursor()
        try expect(family.text("a") == "1" && other.keyTexts() == ["b"], "column family")
        try db.dropColumnFamily("temporary")
        try expect(cursor.perform(.next) == "a", "cursor of a dropped column family")
        try db.dropColumnFamily("other")
    }

    /// Writes that meet the drop of their column family succeed before it or are refused after it; they never stop the database.
    @Test func writingWhileDropping() async throws {
        let db = try scene.open()
        for _ in 0..<20 {
            let family = try db.createColumnFamily("a")
            try await onThreads(4) { thread in
                if thread == 0 { return try db.dropColumnFamily("a") }
                for number in 0..<50 {
                    let found =
                        thread == 1
                        ? code { try family.put("\(number)", for: "a") }
                        : code {
                            try db.write { batch in
                                batch.in(family).put("\(number)", for: "b")
                                batch.put("\(number)", for: "\(thread)")
                            }
                        }
                    try expect([nil, .columnFamilyDropped, .invalidArgument].contains(found), "\(String(describing: found))")
                }
            }
            try db.put("1", for: "alive")
        }
        try db.close()
        #expect(try scene.open().text("alive") == "1")
    }

    /// Every call works or throws `.closed`; closing succeeds or is `.busy`.
    @Test func closingWhileOthersWork() async throws {
        for round in 0..<8 {
            let db = try scene.open()
            try db.fill("a", "b")
            try await onThreads(6) { thread in
                if thread < 2 {
                    while !db.isClosed {
                        let found = code { try db.close() }
                        try expect([nil, .busy].contains(found), "close: \(String(describing: found))")
                    }
                    return
                }
                while true {
                    let calls: [() throws -> Void] = [
                        { try expect(db.text("a") == "a", "get") }, { try db.put("\(round)", for: "c") },
                        { try expect(db.keyTexts(.to("c")) == ["a", "b"], "scan") },
                        { try expect(db.multiGet(["a", "b"]) == [[97], [98]], "multiGet") },
                        { try db.withSnapshot { try expect($0.text("b") == "b", "snapshot") } }, { try db.write { $0.put("1", for: "d") } },
                        { _ = try db.property("rocksdb.stats") }, { try db.flush() }, { _ = try db.latestSequenceNumber() },
                    ]
                    let found = try calls.map { call in try codeOrMismatch(call) }
                    try expect(found.allSatisfy { $0 == nil || $0 == .closed }, "\(found)")
                    if found.contains(.closed) { return }
                }
            }
            #expect(db.isClosed)
            #expect(code { try db.get("a") } == .closed)
        }
    }

    @Test func columnFamiliesWhileClosing() async throws {
        for _ in 0..<8 {
            let db = try scene.open()
            try await onThreads(3) { thread in
                guard thread > 0 else { return try db.close() }
                for number in 0..<20 {
                    let name = "\(thread) \(number)"
                    let created = code { try db.createColumnFamily(name) }
                    try expect(created == nil || created == .closed || created == .invalidArgument, "create")
                    let dropped = code { try db.dropColumnFamily(name) }
                    try expect([nil, .closed, .columnFamilyNotFound].contains(dropped), "drop: \(String(describing: dropped))")
                }
            }
        }
    }

    /// Creating and dropping one name from many threads leaves the list as the database has it.
    @Test func oneNameManyThreads() async throws {
        let db = try scene.open()
        try await onThreads(4) { _ in
            for _ in 0..<25 {
                let family = try db.columnFamily("a", createdWith: .init())
                let put = code { try family.put("1", for: "a") }
                try expect([nil, .columnFamilyDropped].contains(put), "put")
                let dropped = code { try db.dropColumnFamily("a") }
                try expect([nil, .columnFamilyNotFound, .columnFamilyDropped].contains(dropped), "drop: \(String(describing: dropped))")
            }
        }
        let names = db.columnFamilyNames
        try db.close()
        #expect(try RocksDB.columnFamilyNames(path: scene.path) == names)
    }

    @Test func lastReferencesOnManyThreads() async throws {
        for _ in 0..<10 {
            let holders = Box<[RocksDB]>([])
            do {
                let db = try scene.open()
                holders.value = Array(repeating: db, count: 6)
            }
            try await onThreads(6) { thread in
                var mine: RocksDB?
                holders.update { mine = $0.popLast() }
                let cursor = try mine?.makeCursor()
                try mine?.put("\(thread)", for: "a")
                mine = nil
                _ = consume cursor
            }
        }
        #expect(try scene.open().contains("a"))
    }
}

/// Thrown rather than recorded: expectations belong to the test's own thread.
private func expect(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw Mismatch(what()) }
}

private func codeOrMismatch(_ body: () throws -> Void) throws -> RocksError.Code? {
    do {
        try body()
        return nil
    } catch {
        guard let error = error as? RocksError else { throw error }
        return error.code
    }
}

/// Appends operands to values.
enum ModelAppend {
    static let mergeOperator = MergeOperator(name: "test.concatenate") { _, existing, operand in
        guard let existing else { return [UInt8](copying: operand) }
        return [UInt8](copying: existing) + [UInt8](copying: operand)
    }
}
