import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// The log of a database that is open elsewhere, read from its files.
struct LogReaderTests {
    let scene = try! Scene()

    private func reader(since number: UInt64 = 0, skippingGaps: Bool = false) throws -> LogReader {
        try LogReader(path: scene.path, since: number, skippingGaps: skippingGaps)
    }

    private func logs(_ directory: String = "db") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.directory.path(directory)).filter { $0.hasSuffix(".log") }.sorted()
    }

    /// All that `reader` has, without the names of column families, which it does not know.
    private func rest(of reader: LogReader) throws -> [ChangeBatch] {
        var batches: [ChangeBatch] = []
        while let batch = try reader.next() { batches.append(batch) }
        return batches
    }

    private var keepingLogs: DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.walTTL = .seconds(3_600)
        return options
    }

    @Test func whatIsWrittenCanBeReadAtOnce() throws {
        let db = try scene.open()
        let songs = try db.createColumnFamily("songs")
        let reader = try reader()
        #expect(try reader.next() == nil && reader.lastSequenceNumber == 0)
        try db.put("1", for: "a")
        let first = try #require(try reader.next())
        #expect(first.sequenceNumber == 1 && first.lastSequenceNumber == 1)
        #expect(first.operations.map(\.kind) == [.put] && first.operations[0].key == Array("a".utf8))
        #expect(try reader.next() == nil)
        try db.write { batch in
            batch.putLogData("note")
            batch.in(songs).put("2", for: "b")
            batch.delete("c")
            batch.in(songs).deleteRange(from: "d", to: "e")
        }
        let second = try #require(try reader.next())
        #expect(second.sequenceNumber == 2 && second.lastSequenceNumber == 4)
        #expect(second.operations.map(\.kind) == [.logData, .put, .delete, .deleteRange])
        #expect(second.operations.map(\.columnFamilyID) == [0, songs.id, 0, songs.id])
        #expect(second.operations.allSatisfy { $0.columnFamilyName == nil })
        #expect(try reader.next() == nil && reader.lastSequenceNumber == 4)
        // From the middle of a batch it comes whole; from its end not at all.
        #expect(try self.reader(since: 2).next() == second)
        #expect(try self.reader(since: 4).next() == nil)
        #expect(code { try self.reader(since: .max) } == .invalidArgument)
        #expect(code { try LogReader(path: scene.directory.path("none"), since: 0) } == .notFound)
    }

    /// The same as RocksDB's own reader has, over sizes around a block's, and many files.
    @Test func theSameAsTheDatabaseReads() async throws {
        let keepingLogs = keepingLogs
        try await withSeeds("following the log", count: Thorough.count(1, of: 3)) { random in
            let scene = try Scene()
            let db = try scene.open(options: keepingLogs)
            let follower = try LogReader(path: scene.path, since: 0)
            var followed: [ChangeBatch] = []
            for _ in 0..<120 {
                let size = random.pick([0, 10, 1_000, random.int(in: 32_650..<32_780), 100_000])
                try db.write { batch in
                    for key in 0...random.int(in: 0..<4) { batch.put([UInt8](repeating: UInt8(key), count: size), for: "\(key)") }
                }
                if random.oneIn(10) { try db.flush() }
                if random.oneIn(3) { followed += try rest(of: follower) }
            }
            followed += try rest(of: follower)
            let reader = try db.makeChangeReader(since: 0)
            var expected: [ChangeBatch] = []
            while let batch = try reader.next() { expected.append(batch) }
            #expect(followed.map(\.data) == expected.map(\.data))
            #expect(followed.map(\.lastSequenceNumber) == expected.map(\.lastSequenceNumber))
            // And from anywhere on.
            let middle = expected[expected.count / 2]
            #expect(try LogReader(path: scene.path, since: middle.lastSequenceNumber).next()?.data == expected[expected.count / 2 + 1].data)
            try db.close()
        }
    }

    @Test func whatIsGoneIsTold() throws {
        let db = try scene.open()
        let early = try reader()
        try db.fill("a")
        #expect(try early.next()?.lastSequenceNumber == 1)
        // The file that is being read stays readable.
        try db.fill("b")
        try db.flush()
        #expect(try early.next()?.lastSequenceNumber == 2)
        try db.put("3", for: "c", options: .unlogged)
        try db.fill("d")
        for _ in 0..<2 {
            let error = failure { try early.next() }
            #expect(error?.code == .logTruncated && error?.message.contains("from number 3 to 3") == true)
        }
        #expect(early.lastSequenceNumber == 2)
        #expect(code { try self.reader(since: 0).next() } == .logTruncated)
        #expect(try reader(since: 3).next()?.sequenceNumber == 4)
        let skipping = try reader(skippingGaps: true)
        #expect(try skipping.next()?.sequenceNumber == 4 && skipping.next() == nil)
    }

    @Test func logsThatAreUsedAgain() throws {
        var options = keepingLogs
        options.walTTL = .zero
        options["recycle_log_file_num"] = "2"
        let db = try scene.open(options: options)
        let follower = try reader()
        for number in 1...40 {
            try db.put(String(repeating: "x", count: number * 977 % 40_000), for: "\(number)")
            if number % 5 == 0 { try db.flush() }
            #expect(try follower.next()?.sequenceNumber == UInt64(number))
            #expect(try follower.next() == nil)
        }
    }

    @Test func elsewhereAndAfterACrash() throws {
        var options = keepingLogs
        options.walDirectory = scene.directory.path("log")
        let db = try scene.open(options: options)
        try db.fill("a", "b", "c")
        try db.flush()
        try db.fill("d")
        func numbers() throws -> [UInt64] {
            try rest(of: LogReader(path: scene.path, since: 0, walDirectory: scene.directory.path("log"))).map(\.sequenceNumber)
        }
        #expect(try numbers() == [1, 2, 3, 4])
        try db.close()
        // A torn write is not there yet, or never will be.
        let last = scene.directory.path("log/" + (try #require(try logs("log").last)))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: last))
        for size in 0..<bytes.count {
            try bytes.prefix(size).write(to: URL(fileURLWithPath: last))
            #expect(try numbers() == [1, 2, 3])
        }
        options["avoid_flush_during_recovery"] = "true"
        let again = try scene.open(options: options)
        try again.fill("d")
        #expect(try numbers() == [1, 2, 3, 4])
    }

    @Test func damageIsFoundOrEndsTheLog() async throws {
        do {
            let db = try scene.open(options: keepingLogs)
            for number in 0..<20 { try db.put(String(repeating: "\(number)", count: number * 400), for: "\(number)") }
            try db.close()
        }
        let path = scene.path + "/" + (try #require(try logs().last))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path)), expected = try rest(of: reader())
        #expect(expected.count == 20)
        try await withSeeds("damaged logs", count: Thorough.count(40, of: 200)) { random in
            var damaged = whole
            for _ in 0...random.int(in: 0..<3) { damaged[random.int(in: 0..<whole.count)] ^= UInt8(1 << random.int(in: 0..<8)) }
            try damaged.write(to: URL(fileURLWithPath: path))
            let follower = try LogReader(path: scene.path, since: 0)
            var found: [ChangeBatch] = []
            let error = failure { while let batch = try follower.next() { found.append(batch) } }
            #expect(found == Array(expected.prefix(found.count)))
            #expect(error == nil || error?.code == .corruption || error?.code == .logTruncated)
            #expect(found.count < 20 || damaged == whole)
        }
    }

    @Test func whatCannotBeRead() throws {
        var options = keepingLogs
        options["wal_compression"] = "kZSTD"
        do {
            let db = try scene.open(options: options)
            try db.fill("a")
            #expect(code { try self.reader().next() } == .notSupported)
            try db.close()
        }
        let other = try Scene()
        let db = try RocksDB(path: other.path, options: keepingLogs, mode: .transactions())
        try db.fill("a")
        let reader = try LogReader(path: other.path, since: 0)
        // Until something is prepared, all is as usual.
        #expect(try reader.next()?.operations.map(\.kind) == [.put] && reader.next() == nil)
        let transaction = try db.makeTransaction()
        try transaction.put("1", for: "b")
        try transaction.setName("t")
        try transaction.prepare()
        #expect(code { try reader.next() } == .notSupported)
        try transaction.commit()
        try db.close()
    }

    @Test func readWhileWritten() async throws {
        let db = try scene.open()
        let isDone = Box(0)
        try await onThreads(4) { thread in
            switch thread {
            case 0, 1:
                for number in 0..<Thorough.count(400, of: 2_000) {
                    try db.put(String(repeating: "x", count: number % 700), for: "\(thread)")
                }
                isDone.update { $0 += 1 }
            case 2: while isDone.value < 2 { try db.flush() }
            default:
                let reader = try LogReader(path: scene.path, since: 0, skippingGaps: true)
                var last: UInt64 = 0
                while true {
                    let isLast = isDone.value == 2
                    while let batch = try reader.next() {
                        #expect(batch.sequenceNumber > last)
                        last = batch.lastSequenceNumber
                    }
                    if isLast { break }
                }
            }
        }
        try db.close()
    }
}
