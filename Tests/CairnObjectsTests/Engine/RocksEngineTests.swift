import CairnObjects
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

@Suite struct RocksEngineTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    private func code(_ body: () throws -> Void) -> EngineError.Code? { failure(body)?.code }

    private func failure(_ body: () throws -> Void) -> EngineError? {
        do {
            try body()
            return nil
        } catch {
            return error as? EngineError
        }
    }

    private func put(_ value: String, _ key: String, in engine: RocksEngine) throws {
        var commit = EngineCommit()
        commit.put(value, for: key)
        try engine.commit(commit)
    }

    @Test func `a store that is open cannot be opened again, and the message says why`() throws {
        let engine = try RocksEngine(path: path)
        let error = try #require(failure { _ = try RocksEngine(path: path) })
        #expect(error.code == .locked)
        #expect(error.message.contains(path) && error.message.contains("already open"))
        #expect(error.cause is RocksError)
        try engine.close()
        try RocksEngine(path: path).close()
    }

    @Test func `a store that another process has open cannot be opened`() async throws {
        let engine = try RocksEngine(path: path)
        await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
            do throws(EngineError) { _ = try RocksEngine(path: path) } catch { exit(error.code == .locked ? 42 : 1) }
        }
        try engine.close()
    }

    @Test func `a store is opened by RocksDB, and says so`() throws {
        let db = try RocksDB(path: path, options: .init(createIfMissing: true))
        #expect(code { _ = try RocksEngine(path: path) } == .locked)
        try db.close()
    }

    @Test func `reading only sees the store as it was and refuses to write`() throws {
        let engine = try RocksEngine(path: path)
        try put("1", "a", in: engine)
        var options = RocksEngineOptions()
        options.readOnly = true
        let reader = try RocksEngine(path: path, options: options)
        #expect(reader.isReadOnly && !engine.isReadOnly)
        try put("2", "a", in: engine)
        #expect(try reader.makeView().get("a") == Array("1".utf8))
        #expect(code { try put("3", "a", in: reader) } == .readOnly)
        #expect(code { try reader.commit(EngineCommit()) } == .readOnly)
        try reader.close()
        try engine.close()
    }

    @Test func `what is missing is not made unless asked for`() throws {
        var options = RocksEngineOptions()
        options.createIfMissing = false
        let error = try #require(failure { _ = try RocksEngine(path: path, options: options) })
        #expect(error.code == .notFound && error.message.contains("there is no store"))
        options.readOnly = true
        #expect(code { _ = try RocksEngine(path: path, options: options) } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `bad options are refused`() throws {
        var options = RocksEngineOptions()
        options.memoryBudget = .bytes(1)
        #expect(code { _ = try RocksEngine(path: path, options: options) } == .invalidArgument)
    }

    @Test func `what a killed process left of a large commit is cleared away`() throws {
        try RocksEngine(path: path).close()
        let left = path + "/incoming/7.sst"
        try FileManager.default.createDirectory(atPath: path + "/incoming", withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: URL(filePath: left))
        var options = RocksEngineOptions()
        options.readOnly = true
        try RocksEngine(path: path, options: options).close()
        #expect(FileManager.default.fileExists(atPath: left))
        try RocksEngine(path: path).close()
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test func `a large commit leaves no file behind, and is one file of the database`() throws {
        var options = RocksEngineOptions()
        options.largeCommitSize = .kibibytes(100)
        let engine = try RocksEngine(path: path, options: options)
        func names(_ path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }
        for (count, files) in [(10, 0), (200, 1)] {
            var commit = EngineCommit()
            for number in 0..<count { commit.put(Array(repeating: 7, count: 1000), for: "\(number)") }
            try engine.commit(commit)
            #expect(try names(path).count { $0.hasSuffix(".sst") } >= files)
            if files == 0 { #expect(try !names(path).contains { $0.hasSuffix(".sst") }) }
        }
        #expect(try names(path + "/incoming").isEmpty)
        try engine.close()
        #expect(try !names(path).contains("incoming"))
    }

    @Test func `deleting without an end reaches the last key, in large commits too`() throws {
        for threshold in [ByteCount.zero, .gibibytes(1)] {
            var options = RocksEngineOptions()
            options.largeCommitSize = threshold
            let engine = try RocksEngine(path: directory.path("\(threshold)"), options: options)
            for key in [[1], [2], [2, 0xFF], [0xFF, 0xFF, 0xFF]] as [[UInt8]] {
                var commit = EngineCommit()
                commit.put("1", for: key)
                try engine.commit(commit)
            }
            var commit = EngineCommit()
            commit.deleteRange(KeyRange(lowerBound: [2], upperBound: nil))
            commit.put("2", for: [2, 7])
            try engine.commit(commit)
            #expect(try engine.makeView().entries().map(\.key) == [[1], [2, 7]])
            try engine.close()
        }
    }

    @Test func `a damaged store is refused, or says so when it is read`() throws {
        var options = RocksEngineOptions()
        options.largeCommitSize = .zero
        let engine = try RocksEngine(path: path, options: options)
        var commit = EngineCommit()
        for number in 0..<2000 { commit.put(Array(repeating: UInt8(truncatingIfNeeded: number), count: 100), for: "\(number)") }
        try engine.commit(commit)
        try engine.close()
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasSuffix(".sst") })
        let file = URL(filePath: path + "/" + name)
        var data = try Data(contentsOf: file)
        for index in stride(from: 0, to: data.count / 2, by: 500) { data[index] ^= 0xFF }
        try data.write(to: file)
        let error = failure {
            let engine = try RocksEngine(path: path)
            _ = try engine.makeView().entries()
        }
        #expect(error?.code == .corruption)
        #expect((error?.cause as? RocksError)?.code == .corruption)
    }

    /// Beyond a size no file can grow, which is as if the disk failed.
    @Test func `what cannot be written leaves nothing behind`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            var options = RocksEngineOptions()
            options.largeCommitSize = .kibibytes(400)
            options.compression = .none
            var engine = try RocksEngine(path: directory.path("store"), options: options)
            func commit(_ count: Int, _ value: UInt8) -> EngineCommit {
                var commit = EngineCommit()
                for number in 0..<count { commit.put(Array(repeating: value, count: 1000), for: "\(number)") }
                return commit
            }
            func mustBe(_ value: UInt8, _ count: Int) throws {
                let entries = try engine.makeView().entries()
                precondition(entries.count == count && entries.allSatisfy { $0.value == Array(repeating: value, count: 1000) })
            }
            func mustFail(_ commit: EngineCommit) throws {
                do throws(EngineError) {
                    try engine.commit(commit)
                } catch {
                    precondition(error.code == .ioError && error.cause is RocksError, "\(error)")
                    return try mustBe(1, 1000)
                }
                preconditionFailure("a commit succeeded that cannot have been written")
            }
            try engine.commit(commit(1000, 1))
            let unlimited = limitFileSize(to: 100_000)
            // A file that cannot be written is given up.
            try mustFail(commit(1000, 2))
            limitFileSize(to: unlimited)
            try engine.commit(commit(1000, 1))
            // After a failure of the log nothing can be trusted but the log itself.
            limitFileSize(to: 100_000)
            try mustFail(commit(300, 3))
            limitFileSize(to: unlimited)
            try mustFail(commit(300, 3))
            try? engine.close()
            engine = try RocksEngine(path: directory.path("store"), options: options)
            try mustBe(1, 1000)
            try engine.commit(commit(1000, 4))
            try engine.commit(commit(300, 4), durability: .synced)
            try mustBe(4, 1000)
            try engine.close()
        }
    }

    /// Behind a range, within it, and instead of it: one cursor for all ranges gives up there.
    @Test func severalRangesAmongManyDeletedEntries() throws {
        let engine = try RocksEngine(path: directory.path("deleted"))
        func key(_ number: Int) -> [UInt8] { Array("\(10_000 + number)".utf8) }
        var fill = EngineCommit()
        for number in 0..<3000 { fill.put("\(number)", for: key(number)) }
        try engine.commit(fill)
        var thin = EngineCommit()
        for number in 0..<3000 where number % 500 > 10 && number % 500 != 250 { thin.delete(key(number)) }
        try engine.commit(thin)
        let view = try engine.makeView()
        let ranges = [(0, 5), (5, 12), (0, 600), (20, 240), (700, 760), (2990, 3010), (1000, 1001), (2, 2), (0, 3000)].map {
            KeyRange(lowerBound: key($0.0), upperBound: key($0.1))
        }
        var expected: [(Int, [UInt8])] = []
        try view.lendOneByOne(ranges, reverse: false) { index, key, _ in
            expected.append((index, [UInt8](copying: key)))
            return true
        }
        #expect(expected.count > 100)
        for limit in [Int.max, 8, 16, 20, 60] {
            var found: [(Int, [UInt8])] = []
            try view.lendEntries(inEach: ranges, reverse: false) { index, key, _ in
                found.append((index, [UInt8](copying: key)))
                return found.count < limit
            }
            #expect(found.elementsEqual(expected.prefix(limit)) { $0 == $1 }, "up to \(limit)")
        }
    }
}
