import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Operations of batches, and the log followed.
struct ChangesTests {
    let scene = try! Scene()

    /// "default put a=1"
    private func describe(_ operations: [BatchOperation]) -> [String] {
        operations.map { operation in
            let key = String(decoding: operation.key, as: UTF8.self), value = String(decoding: operation.value, as: UTF8.self)
            return "\(operation.columnFamilyName ?? "\(operation.columnFamilyID)") \(operation.kind) \(key)=\(value)"
        }
    }

    private func fillBatch(_ batch: WriteBatch, _ songs: ColumnFamily) {
        batch.put("1", for: "a")
        batch.in(songs).merge("2", for: "b")
        batch.putLogData("note")
        batch.delete("c")
        batch.in(songs).singleDelete("d")
        batch.in(songs).deleteRange(from: "e", to: "f")
        batch.put([UInt8](), for: [UInt8]())
    }

    @Test func operationsOfABatch() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs", options: ColumnFamilyOptions(mergeOperator: MergeOperator(named: "max")))
        let batch = db.makeBatch()
        #expect(try batch.operations().isEmpty)
        fillBatch(batch, songs)
        let expected = [
            "0 put a=1", "1 merge b=2", "0 logData =note", "0 delete c=", "1 singleDelete d=", "1 deleteRange e=f", "0 put =",
        ]
        #expect(try describe(batch.operations()) == expected)
        #expect(try describe(WriteBatch(data: batch.data).operations()) == expected)
        #expect(try batch.operations()[0].entity() == Entity(value: "1"))
        #expect(try batch.operations()[1].entity() == nil)
    }

    @Test func thePastAndWhatFollows() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs", options: ColumnFamilyOptions(mergeOperator: MergeOperator(named: "max")))
        let reader = try db.makeChangeReader(since: 0)
        #expect(try reader.next() == nil && reader.lastSequenceNumber == 0)
        try db.put("1", for: "a")
        try db.write { fillBatch($0, songs) }
        let first = try #require(try reader.next())
        #expect(first.sequenceNumber == 1 && first.lastSequenceNumber == 1 && describe(first.operations) == ["default put a=1"])
        let second = try #require(try reader.next())
        #expect(second.sequenceNumber == 2 && second.lastSequenceNumber == 7)
        #expect(
            describe(second.operations) == [
                "default put a=1", "songs merge b=2", "default logData =note", "default delete c=", "songs singleDelete d=",
                "songs deleteRange e=f", "default put =",
            ]
        )
        #expect(try reader.next() == nil && reader.next() == nil && reader.lastSequenceNumber == 7)
        #expect(try db.latestSequenceNumber() == 7)
        // From the middle of a batch it comes whole; from its end not at all.
        #expect(try db.makeChangeReader(since: 4).next() == second)
        #expect(try db.makeChangeReader(since: 7).next() == nil)
        #expect(code { try db.makeChangeReader(since: 8) } == .invalidArgument)
        #expect(code { try db.makeChangeReader(since: .max) } == .invalidArgument)
        try db.put("3", for: "c")
        #expect(try reader.next()?.sequenceNumber == 8)
        try db.dropColumnFamily("songs")
        #expect(try db.makeChangeReader(since: 1).next().map { describe($0.operations)[1] } == "1 merge b=2")
    }

    @Test func appliedToACopy() throws {
        let db = try scene.open(options: keepingLogs), copy = try RocksDB(path: scene.directory.path("copy"), options: .creating)
        try db.fill("a", "b", "c")
        try db.delete("b")
        try db.flush()
        try db.write { batch in for number in 0..<100 { batch.put("\(number)", for: "\(number)") } }
        let reader = try db.makeChangeReader(since: 0)
        while let batch = try reader.next() { try copy.write(WriteBatch(data: batch.data)) }
        #expect(try copy.pairTexts() == db.pairTexts() && copy.latestSequenceNumber() == db.latestSequenceNumber())
    }

    private var keepingLogs: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.walTTL = .seconds(3_600)
        return options
    }

    @Test func overManyLogFilesAndReopening() throws {
        do {
            let db = try scene.open(options: keepingLogs)
            let reader = try db.makeChangeReader(since: 0)
            for number in 1...50 {
                try db.put("\(number)", for: "a")
                if number % 7 == 0 { try db.flush() }
                if number % 3 == 0 {
                    for expected in number - 2...number { #expect(try reader.next()?.sequenceNumber == UInt64(expected)) }
                }
            }
        }
        let db = try scene.open(options: keepingLogs)
        let reader = try db.makeChangeReader(since: 0)
        for number in 1...50 { #expect(try reader.next()?.operations.first?.value == Array("\(number)".utf8)) }
        #expect(try reader.next() == nil)
    }

    @Test func deletedLogs() throws {
        let db = try scene.open()
        let early = try db.makeChangeReader(since: 0)
        try db.fill("a", "b")
        try db.flush()
        #expect(code { try early.next() } == .logTruncated)
        try db.fill("c")
        let error = failure { try early.next() }
        #expect(error?.code == .logTruncated && error?.message.contains("number 1") == true)
        #expect(code { try db.makeChangeReader(since: 0).next() } == .logTruncated)
        #expect(try db.makeChangeReader(since: 2).next()?.sequenceNumber == 3)
        let skipping = try db.makeChangeReader(since: 0, skippingGaps: true)
        #expect(try skipping.next()?.sequenceNumber == 3 && skipping.next() == nil)
        try db.flush()
        try db.fill("d")
        #expect(try skipping.next()?.sequenceNumber == 4)
    }

    @Test func whatGoesPastTheLog() throws {
        let db = try scene.open(options: keepingLogs)
        try db.fill("a")
        try db.put("2", for: "b", options: .unlogged)
        try db.put("3", for: "c", options: .unlogged)
        let reader = try db.makeChangeReader(since: 0), skipping = try db.makeChangeReader(since: 0, skippingGaps: true)
        #expect(try reader.next()?.sequenceNumber == 1)
        let error = failure { try reader.next() }
        #expect(error?.code == .logTruncated && error?.message.contains("number 2") == true)
        try db.fill("d")
        #expect(failure { try reader.next() }?.message.contains("up to number 3") == true)
        #expect(reader.lastSequenceNumber == 1)
        #expect(try skipping.next()?.sequenceNumber == 1 && skipping.next()?.sequenceNumber == 4 && skipping.next() == nil)
        try db.put("5", for: "e", options: .unlogged)
        #expect(try skipping.next() == nil && skipping.lastSequenceNumber == 5)
        // Ingested files use numbers, and are not in the log.
        let writer = try SSTFileWriter(path: scene.directory.path("a.sst"))
        try writer.put("6", for: "a")
        try writer.finish()
        try db.ingest([scene.directory.path("a.sst")])
        try db.fill("g")
        #expect(try skipping.next()?.operations.first?.key == Array("g".utf8))
    }

    @Test func logsOnlyFlushedByHand() throws {
        var options = DatabaseOptions(createIfMissing: true)
        options.manualWALFlush = true
        let db = try scene.open(options: options)
        let reader = try db.makeChangeReader(since: 0)
        for number in 1...3 {
            try db.fill("a")
            #expect(try reader.next()?.sequenceNumber == UInt64(number))
            #expect(try reader.next() == nil)
        }
    }

    @Test func whereThereIsNothingToFollow() throws {
        do { try scene.open().fill("a") }
        #expect(code { try RocksDB(path: scene.path, mode: .readOnly).makeChangeReader(since: 0) } == .notSupported)
        var options = DatabaseOptions()
        options.allowTwoPhaseCommit = true
        #expect(code { try RocksDB(path: scene.path, options: options).makeChangeReader(since: 0) } == .notSupported)
    }

    /// What was prepared is in the archive, and the database does not know of it any more.
    @Test func archivedTransactionsWithTwoPhases() throws {
        do {
            let db = try RocksDB(path: scene.path, options: keepingLogs, mode: .transactions())
            try db.fill("a")
            let transaction = try db.makeTransaction()
            try transaction.setName("t")
            try transaction.put("1", for: "b")
            try transaction.prepare()
            try transaction.commit()
            try db.fill("c")
            try db.flush()
            try db.close()
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: scene.path) where name.hasPrefix("OPTIONS-") {
            try FileManager.default.removeItem(atPath: scene.path + "/" + name)
        }
        let db = try scene.open(options: keepingLogs)
        try db.fill("d")
        let reader = try db.makeChangeReader(since: 0)
        #expect(try reader.next()?.sequenceNumber == 1)
        for _ in 0..<2 { #expect(code { try reader.next() } == .notSupported) }
        let latest = try db.latestSequenceNumber()
        #expect(try db.makeChangeReader(since: latest - 1).next()?.operations.first?.key == Array("d".utf8))
    }

    @Test func closingEndsReaders() async throws {
        let db = try scene.open()
        let reader = try db.makeChangeReader(since: 0), waiting = try db.makeChangeReader(since: 0)
        let outcome = Box<Bool?>(nil)
        try await onThreads(2) { thread in
            if thread == 0 {
                while try waiting.waitForNext() != nil {}
                outcome.value = true
            } else {
                try db.fill("a")
                _ = try reader.next()
                try db.close()
            }
        }
        #expect(outcome.value == true)
        #expect(code { try reader.next() } == .closed)
        #expect(try reader.waitForNext() == nil)
        #expect(code { try db.makeChangeReader(since: 0) } == .closed)
    }

    @Test func followedAsynchronously() async throws {
        let db = try scene.open()
        try db.fill("past")
        let task = Task { () throws -> [String] in
            var keys: [String] = []
            for try await batch in db.changes(since: 0) {
                keys += batch.operations.map { String(decoding: $0.key, as: UTF8.self) }
                if keys.last == "end" { break }
            }
            return keys
        }
        let numbers = (0..<500).map { "\($0)" }
        await Task.detached {
            for number in numbers {
                try? db.fill(number)
                if number.hasSuffix("9") { await Task.yield() }
            }
            try? db.fill("end")
        }.value
        #expect(try await task.value == ["past"] + numbers + ["end"])
        // Here, not on a thread of the sequence while the process ends.
        try db.close()
    }

    @Test func endsOfTheSequence() async throws {
        let db = try scene.open()
        let reached = AsyncStream<Void>.makeStream()
        let cancelled = Task { () throws -> Int in
            var count = 0
            for try await _ in db.changes(since: 0) {
                count += 1
                reached.continuation.yield()
            }
            return count
        }
        let closed = Task { () throws -> Int in
            var count = 0
            for try await _ in db.changes(since: 0) { count += 1 }
            return count
        }
        try db.fill("a")
        for await _ in reached.stream { break }
        cancelled.cancel()
        #expect(try await cancelled.value == 1)
        try db.close()
        #expect(try await closed.value <= 1)
        var iterator = db.changes(since: 0).makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test func errorsOfTheSequence() async throws {
        let db = try scene.open()
        try db.fill("a")
        var future = db.changes(since: 2).makeAsyncIterator()
        do {
            _ = try await future.next()
            Issue.record("a change of the future")
        } catch { #expect(error.code == .invalidArgument) }
        try db.flush()
        var past = db.changes(since: 0).makeAsyncIterator()
        do {
            _ = try await past.next()
            Issue.record("a change that is gone")
        } catch { #expect(error.code == .logTruncated) }
        try db.close()
    }

    /// Readers race with logged and unlogged writes, flushes and the deletion of logs, over which RocksDB would assert.
    @Test func readWhileWritten() async throws {
        let db = try scene.open()
        let isDone = Box(0)
        try await onThreads(6) { thread in
            switch thread {
            case 0, 1:
                for number in 0..<Thorough.count(400, of: 2_000) { try db.put("\(number)", for: "\(thread)") }
                isDone.update { $0 += 1 }
            case 2:
                for number in 0..<Thorough.count(100, of: 500) { try db.put("\(number)", for: "unlogged", options: .unlogged) }
                isDone.update { $0 += 1 }
            case 3:
                while isDone.value < 3 { try db.flush() }
            default:
                let reader = try db.makeChangeReader(since: 0, skippingGaps: true)
                var last: UInt64 = 0
                while true {
                    let isLast = isDone.value == 3
                    while let batch = try reader.next() {
                        #expect(batch.sequenceNumber > last)
                        last = batch.lastSequenceNumber
                    }
                    if isLast { break }
                }
                #expect(try reader.lastSequenceNumber == db.latestSequenceNumber())
            }
        }
        // Here, not on one of the threads while the process ends.
        try db.close()
    }
}
