import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct HistoryTests {
    let scene = try! Scene()
    static let keeping: ColumnFamilyOptions = {
        var options = ColumnFamilyOptions()
        options.keepsHistory = true
        return options
    }()

    private func open(mode: RocksDB.OpenMode = .readWrite) throws -> RocksDB {
        var options = DatabaseOptions(createIfMissing: mode == .readWrite)
        options.createMissingColumnFamilies = mode == .readWrite
        return try RocksDB(path: scene.path, options: options, columnFamilies: ["prices": Self.keeping], mode: mode)
    }

    @Test(arguments: [false, true]) func readsAtATime(flushed: Bool) throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(10).put("1", for: "apple")
        try prices.at(20).put("2", for: "apple")
        try prices.with(writeOptions: .synced).at(20).put("7", for: "pear")
        try prices.at(30).delete("apple")
        if flushed { try prices.flush() }
        #expect(try prices.at(9).text("apple") == nil && prices.at(10).text("apple") == "1" && prices.at(19).text("apple") == "1")
        #expect(try prices.at(25).text("apple") == "2" && prices.at(30).text("apple") == nil && prices.latest.text("pear") == "7")
        #expect(try prices.at(20).pairTexts() == ["apple=2", "pear=7"] && prices.latest.pairTexts() == ["pear=7"])
        #expect(try prices.at(20).pairTexts(.all.reversed) == ["pear=7", "apple=2"])
        #expect(try prices.at(20).pairTexts(.prefix("a")) == ["apple=2"] && prices.at(20).pairTexts(.from("b")) == ["pear=7"])
        #expect(try prices.at(20).pairTexts(.from("pear", to: "apple").reversed) == ["pear=7"])
        #expect(try prices.at(15).multiGet(["pear", "apple"], as: String.self) == [nil, "1"])
        var keys: KeyList = ["apple", "pear"]
        keys.isSorted = true
        #expect(try prices.at(20).multiGet(keys).count == 2)
        #expect(try prices.at(20).keyMayExist("apple"))
        #expect(try prices.approximateSize(from: "a", to: "z") >= .zero)
        let versions = try prices.latest.versions(of: "apple")
        #expect(versions.map(\.time) == [30, 20, 10] && versions.map(\.value) == [nil, Array("2".utf8), Array("1".utf8)])
        #expect(try prices.at(15).versions(of: "apple").map(\.time) == [10] && prices.latest.versions(of: "plum").isEmpty)
        #expect(try prices.historySpan() == (0, 30))
    }

    @Test func oneTimeTwice() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(1).put("1", for: "a")
        try prices.at(1).put("2", for: "a")
        try prices.at(1).put("", for: "")
        #expect(try prices.at(1).text("a") == "2" && prices.latest.versions(of: "a").count == 1 && prices.at(1).text("") == "")
    }

    /// RocksDB ends the process in a compaction over versions that were written in another order than that of their times.
    @Test func timeGoesForward() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(10).put("1", for: "a")
        try prices.at(20).put("2", for: "a")
        #expect(code { try prices.at(19).put("3", for: "a") } == .invalidArgument)
        #expect(code { try prices.at(19).put("3", for: "another key") } == .invalidArgument)
        let batch = prices.makeBatch().at(21)
        batch.put("4", for: "a")
        batch.at(20).put("5", for: "a")
        #expect(code { try db.write(batch) } == .invalidArgument)
        #expect(try prices.historySpan().latest == 20)
        try db.close()
        // Also after opening, from the log and from files.
        for _ in 0..<2 {
            let again = try open(), prices = try again.columnFamily("prices")
            #expect(try prices.historySpan().latest == 20)
            #expect(code { try prices.at(19).put("3", for: "a") } == .invalidArgument)
            try prices.forgetHistory(before: 20)
            try prices.compact()
            #expect(try prices.latest.versions(of: "a").first?.value == Array("2".utf8))
            try again.close()
        }
    }

    /// Nothing could be written after it.
    @Test func nothingIsWrittenAtTheLastTime() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(1).put("1", for: "a")
        let error = failure { try prices.latest.put("2", for: "a") }
        #expect(error?.code == .invalidArgument && error?.message.contains("`at(_:)`") == true, "\(String(describing: error))")
        #expect(code { try prices.latest.delete("a") } == .invalidArgument)
        #expect(code { try prices.at(.max).put("2", for: "a") } == .invalidArgument)
        let table = prices.table(key: String.self, value: String.self, codec: .utf8)
        #expect(code { try table.at(.max).put("2", for: "a") } == .invalidArgument)
        #expect(code { try table.at(.max).delete("a") } == .invalidArgument)
        for add: (WriteBatch) -> Void in [{ $0.put("2", for: "a") }, { $0.delete("a") }] {
            let batch = db.makeBatch()
            batch.in(prices).at(2).put("2", for: "a")
            batch.setSavePoint()
            add(batch.in(prices).at(.max))
            #expect(code { try db.write(batch) } == .invalidArgument)
            try batch.rollbackToSavePoint()
            try db.write(batch)
        }
        // As bytes, in which only the lowest byte of the time differs.
        let last = db.makeBatch()
        last.in(prices).at(.max - 1).put("2", for: "a")
        let data = last.data.map { $0 == 0xFE ? 0xFF : $0 }
        #expect(data != last.data && code { try db.write(WriteBatch(data: data)) } == .invalidArgument)
        #expect(code { try prices.forgetHistory(before: .max) } == .invalidArgument)
        // Reads stay, and so do later writes.
        #expect(try prices.historySpan() == (0, 2) && prices.latest.text("a") == "2")
        try prices.at(.max - 1).put("3", for: "a")
        #expect(try prices.latest.text("a") == "3" && prices.latest.versions(of: "a").map(\.time) == [UInt64.max - 1, 2, 1])
        // Other errors come first.
        #expect(code { try db.latest.put("1", for: "a") } == .notSupported)
        let batch = db.makeBatch()
        batch.at(.max).put("1", for: "a")
        #expect(code { try db.write(batch) } == .notSupported)
        try db.close()
        #expect(code { try prices.latest.put("1", for: "a") } == .closed)
    }

    @Test func batches() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try db.write { batch in
            batch.put("1", for: "plain")
            batch.in(prices).at(5).put("2", for: "a")
            batch.in(prices).at(6).delete("a")
        }
        #expect(try prices.at(5).text("a") == "2" && prices.at(6).text("a") == nil && db.text("plain") == "1")
        let batch = prices.makeBatch().at(7)
        batch.put("3", for: "a")
        try db.write(WriteBatch(data: batch.data))
        #expect(try prices.at(7).text("a") == "3")
        // Without a time, of an operation that a history cannot take, and of a column family without one.
        for add: (WriteBatch) -> Void in [
            { $0.in(prices).put("1", for: "a") }, { $0.in(prices).at(9).merge("1", for: "a") },
            { $0.in(prices).at(9).singleDelete("a") }, { $0.in(prices).at(9).deleteRange(from: "a", to: "b") },
            { $0.in(prices).putEntity(["a": "1"], for: "a") }, { $0.at(9).put("1", for: "a") },
        ] {
            let batch = db.makeBatch()
            add(batch)
            #expect(code { try db.write(batch) } == .notSupported)
        }
        try db.put("alive", for: "b")
    }

    /// Data for a column family with a history whose keys have no times: RocksDB ends the process over them.
    @Test func batchesWithoutTimes() throws {
        let db = try RocksDB(path: scene.path, options: .init(createIfMissing: true), columnFamilyOptions: Self.keeping)
        for key in ["k", "long enough for a time"] {
            let batch = WriteBatch()
            batch.put("1", for: key)
            #expect(code { try db.write(batch) } == .invalidArgument)
        }
        let short = WriteBatch()
        short.put("1", for: "k")
        #expect(code { try db.write(WriteBatch(data: short.data)) } == .invalidArgument)
        let range = WriteBatch()
        range.deleteRange(from: "aaaaaaaaaa", to: "bbbbbbbbbb")
        #expect(code { try db.write(WriteBatch(data: range.data)) } == .notSupported)
        let entity = try db.makeBatchWithEntity()
        #expect(code { try db.write(WriteBatch(data: entity)) } == .notSupported)
        try db.at(1).put("1", for: "a")
        #expect(try db.at(1).keyTexts() == ["a"])
    }

    /// Nobody could read it.
    @Test func nothingIsWrittenBeforeWhatIsForgotten() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(5).put("1", for: "a")
        let batch = prices.makeBatch()
        batch.at(50).put("2", for: "a")
        try prices.forgetHistory(before: 100)
        #expect(try prices.historySpan() == (100, 100))
        #expect(code { try db.write(batch) } == .invalidArgument)
        try prices.at(100).put("3", for: "a")
        #expect(try prices.latest.text("a") == "3")
    }

    /// Whatever does not say a time is an error, and so is a time where there is no history; each of these could end the process.
    @Test func timesWhereTheyBelong() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(1).put("1", for: "a")
        let snapshot = try prices.makeSnapshot()
        let without: [(String, () throws -> Void)] = [
            ("get", { _ = try prices.get("a") }), ("multiGet", { _ = try prices.multiGet(["a", "b"]) }),
            ("entity", { _ = try prices.entity(for: "a") }), ("keyMayExist", { _ = try prices.keyMayExist("a") }),
            ("cursor", { _ = try prices.makeCursor() }), ("put", { try prices.put("1", for: "a") }), ("delete", { try prices.delete("a") }),
            ("singleDelete", { try prices.singleDelete("a") }), ("merge", { try prices.merge("1", for: "a") }),
            ("deleteRange", { try prices.deleteRange(from: "a", to: "b") }), ("putEntity", { try prices.putEntity([:], for: "a") }),
            ("snapshot", { _ = try snapshot.get("a") }), ("at merge", { try prices.at(2).merge("1", for: "a") }),
            ("at entity", { _ = try prices.at(2).entity(for: "a") }), ("at putEntity", { try prices.at(2).putEntity([:], for: "a") }),
            ("at singleDelete", { try prices.at(2).singleDelete("a") }),
            ("at deleteRange", { try prices.at(2).deleteRange(from: "a", to: "b") }),
            ("plain get", { _ = try db.at(1).get("a") }), ("plain put", { try db.at(1).put("1", for: "a") }),
            ("plain cursor", { _ = try db.at(1).makeCursor() }), ("plain multiGet", { _ = try db.at(1).multiGet(["a"]) }),
            ("plain versions", { _ = try db.at(1).versions(of: "a") }), ("plain forget", { try db.forgetHistory(before: 1) }),
            ("plain span", { _ = try db.historySpan() }), ("snapshot put", { try snapshot.at(1).put("1", for: "a") }),
        ]
        for (name, verb) in without { #expect(code(verb) == .notSupported, "\(name)") }
        var tailing = ReadOptions()
        tailing.tailing = true
        #expect(code { try prices.at(1).makeCursor(.all, options: tailing) } == .invalidArgument)
        // What has nothing to do with keys still works.
        try prices.setColumnFamilyOptions { $0.writeBufferSize = .mebibytes(32) }
        try prices.at(3).put("3", for: "c")
        try prices.flush()
        let files = try prices.metadata().files.map(\.name)
        _ = try prices.compactFiles(files, to: 2)
        #expect(code { try prices.promoteLevelZero(to: 99) } == .invalidArgument)
        #expect(try prices.latest.keyTexts() == ["a", "c"])
        #expect(try prices.intProperty("rocksdb.estimate-num-keys") != nil)
        try prices.flush()
        try prices.compact(.from("a", to: "b"))
        try db.verifyChecksums()
        #expect(try prices.at(1).text("a") == "1" && !prices.currentColumnFamilyOptions().isEmpty)
        snapshot.close()
        try db.dropColumnFamily("prices")
        #expect(code { try prices.at(1).get("a") } == .columnFamilyDropped)
    }

    @Test func snapshots() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        try prices.at(1).put("1", for: "a")
        let snapshot = try prices.makeSnapshot()
        try prices.at(2).put("2", for: "a")
        #expect(try snapshot.at(9).text("a") == "1" && prices.at(9).text("a") == "2")
        #expect(try snapshot.at(9).pairTexts() == ["a=1"])
        let moment = snapshot.at(9)
        snapshot.close()
        #expect(code { try moment.get("a") } == .closed)
        try db.close()
        #expect(code { try prices.at(1).get("a") } == .closed && code { try prices.at(3).put("1", for: "a") } == .closed)
    }

    @Test func forgetting() throws {
        let db = try open(), prices = try db.columnFamily("prices")
        for time in 1...5 as ClosedRange<UInt64> { try prices.at(time * 10).put("\(time)", for: "a") }
        try prices.forgetHistory(before: 35)
        #expect(code { try prices.forgetHistory(before: 30) } == .invalidArgument)
        #expect(code { try prices.at(34).get("a") } == .invalidArgument && code { try prices.at(34).makeCursor() } == .invalidArgument)
        try prices.flush()
        try prices.compact(options: CompactOptions(bottommostLevel: .force))
        // What is left of the times before may have lost its own.
        let left = try prices.latest.versions(of: "a")
        #expect(left.map(\.value) == [Array("5".utf8), Array("4".utf8), Array("3".utf8)] && [0, 30].contains(left.last?.time), "\(left)")
        #expect(try prices.at(35).text("a") == "3")
        try db.close()
        let again = try open(), reopened = try again.columnFamily("prices")
        #expect(try reopened.historySpan() == (35, 50))
        #expect(code { try reopened.at(34).get("a") } == .invalidArgument)
        try again.close()
        let frozen = try open(mode: .readOnly)
        #expect(try frozen.columnFamily("prices").at(40).text("a") == "4")
        #expect(code { try frozen.columnFamily("prices").forgetHistory(before: 40) } == .readOnly)
        #expect(code { try frozen.columnFamily("prices").at(60).put("1", for: "a") } == .readOnly)
    }

    @Test func trimming() throws {
        var db = try open()
        try db.put("kept", for: "plain")
        for time in 1...5 as ClosedRange<UInt64> { try db.columnFamily("prices").at(time * 10).put("\(time)", for: "a") }
        try db.columnFamily("prices").at(60).delete("a")
        try db.close()
        db = try open(mode: .trimmingHistory(after: 25))
        let prices = try db.columnFamily("prices")
        #expect(try prices.latest.versions(of: "a").map(\.time) == [20, 10] && prices.latest.text("a") == "2")
        #expect(try db.text("plain") == "kept")
        try prices.at(26).put("new", for: "a")
        try prices.flush()
        try prices.compact(options: CompactOptions(bottommostLevel: .force))
        try db.close()
        #expect(try open().columnFamily("prices").latest.text("a") == "new")
        #expect(throws: RocksError.self) { try RocksDB(path: scene.directory.path("none"), mode: .trimmingHistory(after: 1)) }
    }

    @Test func optionsThatDoNotFit() throws {
        let db = try open()
        let changes: [(inout ColumnFamilyOptions) -> Void] = [
            { $0.comparator = .bytewise }, { $0.mergeOperator = try? MergeOperator(named: "max") }, { $0.enableBlobFiles = true },
            { $0["comparator"] = "leveldb.BytewiseComparator" }, { $0.inPlaceUpdateSupport = true }, { $0.tableFormat = .plain() },
            { $0["merge_operator"] = "max" },
        ]
        for change in changes {
            var options = Self.keeping
            change(&options)
            #expect(code { try db.createColumnFamily("x", options: options) } == .invalidOption)
        }
        try db.close()
        // Without, the order is another.
        #expect(code { try scene.open() } == .invalidArgument)
    }

    @Test func typedTables() throws {
        let db = try open()
        let table = try db.columnFamily("prices").table(key: String.self, value: Int.self, codec: .json)
        try table.at(1).put(5, for: "a")
        try table.at(2).put(6, for: "a")
        #expect(try table.at(1).get("a") == 5 && table.at(9).get("a") == 6)
        #expect(code { try table.get("a") } == .notSupported)
    }

    /// A model: writes at growing times, read back at random ones, also after reopening.
    @Test func model() async throws {
        try await withSeeds("history", count: Thorough.count(1, of: 3)) { generator in
            let scene = try Scene()
            func open() throws -> RocksDB {
                try RocksDB(path: scene.path, options: .init(createIfMissing: true), columnFamilyOptions: Self.keeping)
            }
            var db = try open()
            var expected: [(time: UInt64, key: String, value: String?)] = []
            var time: UInt64 = 1
            for step in 0..<Thorough.count(150, of: 600) {
                time += UInt64(generator.int(in: 0..<3))
                let key = "k\(generator.int(in: 0..<8))"
                switch generator.int(in: 0..<12) {
                case 0: try db.flush()
                case 1 where step.isMultiple(of: 5):
                    try db.close()
                    db = try open()
                case 2: try db.compact()
                case 3, 4:
                    try db.at(time).delete(key)
                    expected.append((time, key, nil))
                default:
                    try db.at(time).put("v\(step)", for: key)
                    expected.append((time, key, "v\(step)"))
                }
                let past = UInt64(generator.int(in: 0..<Int(time) + 2))
                let asked = "k\(generator.int(in: 0..<8))"
                #expect(try db.at(past).text(asked) == expected.last { $0.key == asked && $0.time <= past }?.value ?? nil)
            }
            for past in [0, time / 3, time / 2, time] {
                var state: [String: String] = [:]
                for write in expected where write.time <= past { state[write.key] = write.value }
                #expect(try db.at(past).pairTexts() == state.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
            }
        }
    }

    @Test func manyThreads() async throws {
        let db = try open(), prices = try db.columnFamily("prices")
        let clock = Box<UInt64>(0)
        try await onThreads(4) { thread in
            for _ in 0..<200 {
                let time = clock.value + 1
                clock.value = max(clock.value, time)
                // Late ones are refused.
                _ = code { try prices.at(time).put("\(thread)", for: "k\(time % 5)") }
            }
        }
        try prices.forgetHistory(before: clock.value)
        try prices.flush()
        try prices.compact(options: CompactOptions(bottommostLevel: .force))
        #expect(try prices.latest.count() <= 5)
    }
}

extension RocksDB {
    /// The data of a batch with an entity for the default column family of another database.
    fileprivate func makeBatchWithEntity() throws -> [UInt8] {
        let scene = try Scene(), other = try scene.open(), batch = other.makeBatch()
        batch.putEntity(["a": "1"], for: "long enough for a time")
        return batch.data
    }
}
