import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

struct CompactionFilterTests {
    let scene = try! Scene()

    private func options(_ filter: CompactionFilter) -> ColumnFamilyOptions {
        var options = ColumnFamilyOptions()
        options.compactionFilter = filter
        return options
    }

    /// What to do stands in the value: "remove", "change:text", "skip:key".
    private static func obey(_ value: RawSpan) -> CompactionFilter.Decision {
        guard let text = try? String(copying: value) else { return .keep }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch parts[0] {
        case "remove": return .remove
        case "change": return .change(Array(parts[1].utf8))
        case "skip": return .removeAndSkipUntil(Array(parts[1].utf8))
        default: return .keep
        }
    }
    private static let obedient = CompactionFilter(name: "test.obedient") { _, value, _ in obey(value) }

    @Test func keepRemoveChange() throws {
        let db = try scene.open(options(Self.obedient))
        for (key, value) in [("a", "1"), ("b", "remove"), ("c", "change:3"), ("d", "change:"), ("e", "remove"), ("f", "6")] {
            try db.put(value, for: key)
        }
        try db.flush()
        // Nothing happens before a compaction.
        #expect(try db.keyTexts() == ["a", "b", "c", "d", "e", "f"])
        try db.compact()
        #expect(try db.pairTexts() == ["a=1", "c=3", "d=", "f=6"])
        #expect(try db.get("b") == nil && db.get("d") == [])
        try db.compact()
        #expect(try db.pairTexts() == ["a=1", "c=3", "d=", "f=6"])
        try db.verifyChecksums()
    }

    @Test func skipping() throws {
        let db = try scene.open(options(Self.obedient))
        for key in ["a", "b", "c", "d", "e", "f"] { try db.put(key == "b" ? "skip:e" : "1", for: key) }
        try db.compact()
        #expect(try db.keyTexts() == ["a", "e", "f"])
        // To the end, over files.
        for key in ["g", "h", "i"] {
            try db.put(key == "g" ? "skip:zzz" : "1", for: key)
            try db.flush()
        }
        try db.compact()
        #expect(try db.keyTexts() == ["a", "e", "f"])
    }

    /// RocksDB compacts a level into the next one, without the files there whose keys are all before or behind: a skip does not reach them.
    @Test func skipsStayWithinTheFilesOfACompaction() throws {
        var options = options(Self.obedient)
        options.disableAutoCompactions = true
        let db = try scene.open(options)
        try db.put("1", for: "m")
        try db.compact()
        for (key, value) in [("a", "skip:z"), ("b", "1")] { try db.put(value, for: key) }
        try db.compact()
        #expect(try db.keyTexts() == ["m"])
        for (key, value) in [("a", "skip:z"), ("x", "1")] { try db.put(value, for: key) }
        try db.compact()
        #expect(try db.keyTexts() == [])
    }

    /// A skip that leads nowhere keeps the entry; RocksDB must not go round in circles, nor trip over it.
    @Test(arguments: ["", "a", "b", "b\0"]) func skipsThatDoNotAdvance(until: String) throws {
        let db = try scene.open(options(Self.obedient))
        for key in ["a", "b", "c"] { try db.put(key == "b" ? "skip:\(until)" : "1", for: key) }
        try db.flush()
        try db.compact()
        #expect(try db.keyTexts() == (until == "b\0" ? ["a", "c"] : ["a", "b", "c"]))
    }

    @Test func skippingInADescendingOrder() throws {
        var options = options(Self.obedient)
        options.comparator = .reverseBytewise
        let db = try scene.open(options)
        for key in ["a", "b", "c", "d"] { try db.put(key == "c" ? "skip:a" : key == "a" ? "skip:b" : "1", for: key) }
        try db.compact()
        #expect(try db.keyTexts() == ["d", "a"])
    }

    @Test func context() throws {
        let seen = Box<Set<CompactionFilter.Context>>([])
        let filter = CompactionFilter(name: "test.context", stages: [.flush, .compaction, .recovery]) { _, _, context in
            seen.update { $0.insert(context) }
            return .keep
        }
        var db: RocksDB? = try scene.open(options(filter))
        let family = try #require(try db?.createColumnFamily("other", options: options(filter)))
        try family.put("1", for: "a")
        try family.flush()
        let flushed = try #require(seen.value.first)
        #expect(seen.value.count == 1 && flushed.stage == .flush && flushed.columnFamilyID == family.id && !flushed.isManualCompaction)
        seen.value = []
        try family.put("2", for: "b")
        try family.compact()
        let compacted = seen.value.filter { $0.stage == .compaction }
        #expect(compacted.allSatisfy { $0.isManualCompaction && $0.isFullCompaction && $0.level >= 0 && $0.columnFamilyID == family.id })
        #expect(!compacted.isEmpty)
        // In the log only, until the next opening.
        try family.put("3", for: "c")
        try db?.close()
        seen.value = []
        db = try scene.open(options(filter), ["other": options(filter)])
        #expect(seen.value.map(\.stage) == [.recovery])
    }

    @Test func duringFlushes() throws {
        let filter = CompactionFilter(name: "test.flush", stages: .flush) { _, value, _ in Self.obey(value) }
        let db = try scene.open(options(filter))
        for (key, value) in [("a", "1"), ("b", "remove"), ("c", "change:3"), ("d", "skip:f"), ("e", "1"), ("f", "1")] {
            try db.put(value, for: key)
        }
        try db.flush()
        #expect(try db.pairTexts() == ["a=1", "c=3", "f=1"])
    }

    /// Snapshots do not protect entries, as RocksDB requires and the documentation says.
    @Test func snapshotsLoseToo() throws {
        let db = try scene.open(options(Self.obedient))
        for key in ["a", "b", "c"] { try db.put(key == "a" ? "1" : "remove", for: key) }
        try db.flush()
        let snapshot = try db.makeSnapshot()
        try db.put("2", for: "c")
        try db.compact()
        #expect(try snapshot.text("a") == "1" && snapshot.get("b") == nil)
        #expect(try db.pairTexts() == ["a=1", "c=2"])
        snapshot.close()
    }

    @Test(arguments: [false, true]) func mergeOperands(asked: Bool) throws {
        let filter =
            asked
            ? CompactionFilter(name: "test.operands", mergeOperands: { _, value, _ in Self.obey(value) }) { _, _, _ in .keep }
            : CompactionFilter(name: "test.values") { _, value, _ in Self.obey(value) }
        var options = options(filter)
        options.mergeOperator = try .appendText()
        options.disableAutoCompactions = true
        let db = try scene.open(options)
        // Files apart, so that nothing combines them before.
        let operands = [("a", "x"), ("a", "remove"), ("a", "change:y"), ("b", "remove"), ("c", "skip:d"), ("cc", "1"), ("d", "1")]
        for (key, operand) in operands {
            try db.merge(operand, for: key)
            try db.flush()
        }
        try db.compact()
        if asked {
            #expect(try db.pairTexts() == ["a=x,y", "d=1"])
        } else {
            #expect(try db.pairTexts() == ["a=x,remove,change:y", "b=remove", "c=skip:d", "cc=1", "d=1"])
        }
        guard asked else { return }
        // Operands that a snapshot sees are kept.
        try db.merge("remove", for: "e")
        let snapshot = try db.makeSnapshot()
        try db.compact()
        #expect(try snapshot.text("e") == "remove" && db.text("e") == "remove")
        snapshot.close()
    }

    @Test func largeValuesInBlobFiles() throws {
        var options = options(
            CompactionFilter(name: "test.blobs") { key, value, _ in
                value.byteCount < 1_000 ? .keep : key.byteCount == 1 ? .remove : .change([UInt8](repeating: 7, count: 2_000))
            }
        )
        options.enableBlobFiles = true
        options.minBlobSize = .bytes(1_000)
        let db = try scene.open(options)
        try db.put([UInt8](repeating: 1, count: 5_000), for: "a")
        try db.put([UInt8](repeating: 1, count: 5_000), for: "bb")
        try db.put("small", for: "c")
        try db.compact()
        #expect(try db.keyTexts() == ["bb", "c"])
        #expect(try db.get("bb") == [UInt8](repeating: 7, count: 2_000) && db.text("c") == "small")
    }

    /// A plain table cannot be sought, so entries are asked about one by one.
    @Test func skippingInPlainTables() throws {
        var options = options(Self.obedient)
        options["table_factory"] = "PlainTable"
        options.prefixExtractor = .fixed(1)
        let db = try scene.open(options)
        for key in ["ab", "ac", "ad", "b1"] { try db.put(key == "ab" ? "skip:b" : key == "ad" ? "remove" : "1", for: key) }
        try db.flush()
        try db.compact()
        #expect(try ["ab", "ac", "ad", "b1"].map { try db.text($0) } == [nil, "1", nil, "1"])
    }

    @Test func withRangesDeletedAndOtherOperations() throws {
        let db = try scene.open(options(Self.obedient))
        for key in ["a", "b", "c", "d", "e", "f"] { try db.put(key == "b" ? "skip:e" : "1", for: key) }
        try db.flush()
        try db.deleteRange(from: "c", to: "f")
        try db.singleDelete("a")
        try db.put("remove", for: "g")
        try db.flush()
        try db.compact()
        #expect(try db.keyTexts() == ["f"])
    }

    /// Random decisions beside a dictionary, over many files and levels.
    @Test func agreesWithADictionary() async throws {
        try await withSeeds("compaction filter", count: Thorough.count(1, of: 4)) { generator in
            let scene = try Scene()
            var options = ColumnFamilyOptions()
            options.compactionFilter = Self.obedient
            options.writeBufferSize = .kibibytes(64)
            options.targetFileSizeBase = .kibibytes(32)
            options.disableAutoCompactions = true
            let db = try scene.open(options)
            var model: [String: String] = [:]
            for _ in 0..<6 {
                // At both ends, so that each compaction has all files.
                for key in ["0", "~"] {
                    try db.put("1", for: key)
                    model[key] = "1"
                }
                for _ in 0..<200 {
                    let key = "\(100 + generator.int(in: 0..<900))"
                    let value = generator.pick(["1", "2", "remove", "change:new", "skip:\(100 + generator.int(in: 0..<1_000))"])
                    try db.put(value, for: key)
                    model[key] = value
                }
                try db.flush()
                try db.compact()
                var until = ""
                for key in model.keys.sorted() {
                    let value = model[key] ?? ""
                    if key < until || value == "remove" {
                        model[key] = nil
                    } else if value == "change:new" {
                        model[key] = "new"
                    } else if value.hasPrefix("skip:") {
                        let target = String(value.dropFirst(5))
                        guard target > key else { continue }
                        until = target
                        model[key] = nil
                    }
                }
                #expect(try db.pairTexts() == model.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
            }
            try db.verifyChecksums()
            try db.close()
        }
    }

    @Test func decoded() throws {
        let tidy = CompactionFilter(name: "test.typed", keys: .ordered, values: .utf8) { (key: Int, text: String, context) in
            #expect(context.stage == .compaction)
            switch text {
            case "": return .remove
            case "skip": return .removeAndSkipUntil(key + 10)
            default: return key % 2 == 0 ? .change(text.uppercased()) : .keep
            }
        }
        let definition = TableDefinition("t", key: Int.self, value: String.self, codec: .utf8, options: options(tidy))
        let table = try RocksDB(path: scene.path, tables: [definition]).table(definition)
        for (key, text) in [(1, "a"), (2, "b"), (3, ""), (4, "skip"), (13, "gone"), (14, "c")] { try table.put(text, for: key) }
        try table.space.put("\u{1}", for: "no such key")
        try table.space.compact()
        #expect(try table.get(1) == "a" && table.get(2) == "B" && table.get(3) == nil && table.get(4) == nil)
        #expect(try table.get(13) == nil && table.get(14) == "C")
        #expect(try table.space.contains("no such key"))
    }

    @Test(arguments: ["", "rocksdb.mine", "cairn.mine", "a;b", "a=b", "a{b", "a\0b", "a\nb"]) func namesThatCannotBe(name: String) throws {
        #expect(code { try scene.open(options(CompactionFilter(name: name) { _, _, _ in .keep })) } == .invalidArgument)
    }

    @Test func besideOneOfRocksDBItself() throws {
        var options = options(Self.obedient)
        options["compaction_filter"] = "RemoveEmptyValueCompactionFilter"
        #expect(code { try scene.open(options) } == .invalidOption)
    }

    @Test func closingFromWithin() throws {
        let target = Box<RocksDB?>(nil), codes = Box<Set<RocksError.Code>>([])
        let filter = CompactionFilter(name: "test.closing") { _, _, _ in
            if let db = target.value, let code = code({ try db.close() }) { codes.update { $0.insert(code) } }
            return .remove
        }
        let db = try scene.open(options(filter))
        target.value = db
        try db.fill("a", "b")
        try db.compact()
        #expect(codes.value == [.busy])
        #expect(try db.keys().isEmpty)
        target.value = nil
    }

    /// Another one, or none, each time; the closure lives as long as the database.
    @Test func retentionAndReopening() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let captured = Witness()
            witness = captured
            var db: RocksDB? = try scene.open(
                options(CompactionFilter(name: "test.witness") { _, _, _ in withExtendedLifetime(captured) { .keep } })
            )
            try db?.fill("a", "b")
            try db?.compact()
            #expect(try db?.keyTexts() == ["a", "b"])
            db = nil
        }
        #expect(witness == nil)
        let db = try scene.open(options(CompactionFilter(name: "test.other") { key, _, _ in .remove }))
        try db.compact(options: .init(bottommostLevel: .force))
        #expect(try db.keys().isEmpty)
        try db.close()
        #expect(try scene.open().keys().isEmpty)
    }
}
