import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// `WriteBatch(data:)` with bytes that are no batch, or one for another database.
struct BatchDataTests {
    let scene = try! Scene()

    /// A batch with every kind of operation, in the column families 0 and 1.
    private func batch(_ db: RocksDB, _ family: ColumnFamily) -> [UInt8] {
        let batch = db.makeBatch()
        batch.put("value", for: "put")
        batch.in(family).put("", for: "")
        batch.delete("put 2")
        batch.in(family).singleDelete("once")
        batch.deleteRange(from: "r1", to: "r9")
        batch.in(family).deleteRange(from: "", to: "r")
        batch.merge("operand", for: "merged")
        batch.in(family).merge("operand", for: "merged")
        batch.putLogData("blob")
        batch.put([UInt8](repeating: 3, count: 300), for: "long")
        return batch.data
    }

    @Test func noBatch() throws {
        for bytes in [[], [1], [UInt8](repeating: 0, count: 11), [UInt8](repeating: 0xFF, count: 12), Array("not a batch at all".utf8)] {
            #expect(code { try WriteBatch(data: bytes) } == .corruption, "\(bytes)")
        }
        #expect(try WriteBatch(data: [UInt8](repeating: 0, count: 12)).count == 0)
    }

    /// Cut at every length, a batch is refused, and the error says what is missing.
    @Test func cutBatches() throws {
        let merging = try ColumnFamilyOptions(mergeOperator: MergeOperator(named: "stringappend"))
        let db = try scene.open(merging), family = try db.createColumnFamily("a", options: merging)
        // Before RocksDB 8, a column family cannot have both merges and entities.
        let entities = try db.createColumnFamily("entities").makeBatch()
        entities.putEntity(["a": "1", "b": "2"], for: "entity")
        entities.putEntity(["": "3"], for: "another")
        var cuts: [String: Int] = [:]
        for (bytes, count) in [(batch(db, family), 10), (entities.data, 2)] {
            #expect(try WriteBatch(data: bytes).data == bytes)
            var between = 0
            for length in bytes.indices {
                let error = failure { try WriteBatch(data: Array(bytes[..<length])) }
                #expect(error?.code == .corruption, "\(length) of \(bytes.count) bytes")
                let reasons = ["a batch has at least 12 bytes", "the last record of the batch is truncated", "wrong count"]
                let reason = try #require(reasons.first { error?.message.contains($0) == true }, "\(length): \(String(describing: error))")
                cuts[reason, default: 0] += 1
                if reason == "wrong count" { between += 1 }
            }
            // Only the number of records shows a cut between two of them.
            #expect(between == count)
        }
        #expect(
            cuts["a batch has at least 12 bytes"] == 24 && cuts["the last record of the batch is truncated", default: 0] > 400,
            "\(cuts)"
        )
    }

    /// Thousands of damaged batches: each is refused, when it is read or when it is written, or it is a batch and can be written.
    /// Whatever happens, the database still works and opens again.
    @Test func damagedBatches() async throws {
        try await withSeeds("damaged batches", count: Thorough.count(1, of: 4)) { generator in
            let scene = try Scene()
            let merging = try ColumnFamilyOptions(mergeOperator: MergeOperator(named: "stringappend"))
            var fixedPrefix = merging
            fixedPrefix["prefix_extractor"] = "fixed:3"
            fixedPrefix["memtable_factory"] = "prefix_hash:16"
            var options = DatabaseOptions(createIfMissing: true)
            options["allow_concurrent_memtable_write"] = "false"
            options.createMissingColumnFamilies = true
            // Damage may mix single deletions with others, for which RocksDB would refuse to flush.
            options["enforce_single_del_contracts"] = "false"
            let db = try scene.open(merging, ["a": fixedPrefix], options: options)
            let whole = batch(db, try db.columnFamily("a"))
            var read = 0, written = 0
            for _ in 0..<1_000 {
                guard let batch = try? WriteBatch(data: mutate(whole, &generator)) else { continue }
                read += 1
                if code({ try db.write(batch) }) == nil { written += 1 }
                #expect(code { try db.put("1", for: "alive") } == nil)
            }
            // The damage must reach all stages.
            #expect(read > 0 && read < 1_000 && written > 0 && written < read)
            let expected = try db.entries().map { [$0.key, $0.value] }
            try db.close()
            let again = try scene.open(merging, ["a": fixedPrefix], options: options)
            #expect(try again.entries().map { [$0.key, $0.value] } == expected)
            try again.flush()
            try again.columnFamily("a").flush()
            #expect(try again.entries().map { [$0.key, $0.value] } == expected)
        }
    }

    private func mutate(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...generator.int(in: 0..<3) {
            guard !bytes.isEmpty else { break }
            let place = generator.int(in: 0..<bytes.count)
            switch generator.int(in: 0..<5) {
            case 0: bytes[place] ^= 1 << UInt8(generator.int(in: 0..<8))
            // The type of an operation, or a length.
            case 1: bytes[place] = UInt8(generator.int(in: 0..<0x18))
            case 2: bytes.removeSubrange(place..<min(place + generator.int(in: 1..<9), bytes.count))
            case 3: bytes.insert(contentsOf: generator.bytes(generator.int(in: 1..<9)), at: place)
            default: bytes.replaceSubrange(place..., with: generator.bytes(bytes.count - place))
            }
        }
        return bytes
    }

    @Test func randomBytes() async throws {
        try await withSeeds("random batches", count: Thorough.count(1, of: 4)) { generator in
            let scene = try Scene(), db = try scene.open()
            var read = 0, written = 0
            for _ in 0..<1_000 {
                var bytes = generator.bytes(generator.int(in: 0..<60))
                // A plausible count, else nothing gets far.
                if bytes.count >= 12 { bytes.replaceSubrange(8..<12, with: [UInt8(generator.int(in: 0..<4)), 0, 0, 0]) }
                // In a quarter, one key and its value, else hardly any is a batch.
                if bytes.count >= 12, generator.int(in: 0..<4) == 0 {
                    bytes = Array(bytes.prefix(8)) + [1, 0, 0, 0, 1]
                    for count in [generator.int(in: 0..<9), generator.int(in: 0..<9)] { bytes += [UInt8(count)] + generator.bytes(count) }
                }
                guard let batch = try? WriteBatch(data: bytes) else { continue }
                read += 1
                if code({ try db.write(batch) }) == nil { written += 1 }
            }
            #expect(read < 1_000 && written > 0)
            try db.put("1", for: "a")
            #expect(try db.text("a") == "1")
        }
    }

    @Test func columnFamiliesThatDoNotExist() throws {
        let other = try Scene(), db = try scene.open(), stranger = try other.open()
        let batch = db.makeBatch()
        batch.put("1", for: "before")
        batch.in(try stranger.createColumnFamily("a").with()).put("1", for: "a")
        #expect(batch.failure?.code == .invalidArgument)

        let foreign = try stranger.columnFamily("a").makeBatch()
        foreign.put("1", for: "a")
        let data = try WriteBatch(data: foreign.data)
        data.put("1", for: "b")
        #expect(code { try db.write(data) } == .invalidArgument)
        var options = WriteOptions()
        options.ignoresMissingColumnFamilies = true
        try db.write(data, options: options)
        try db.put("1", for: "c")
        try db.close()
        #expect(try scene.open().pairTexts() == ["b=1", "c=1"])
    }

    @Test func whatTheColumnFamilyCannotTake() throws {
        let db = try scene.open()
        let inverted = WriteBatch()
        inverted.deleteRange(from: "b", to: "a")
        #expect(code { try db.write(WriteBatch(data: inverted.data)) } == .invalidArgument)
        let merge = WriteBatch()
        merge.merge("1", for: "a")
        #expect(code { try db.write(WriteBatch(data: merge.data)) } == .notSupported)
        try db.put("1", for: "c")
        try db.close()
        #expect(try scene.open().pairTexts() == ["c=1"])
    }
}
