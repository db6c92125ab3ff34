import CairnHistoryKit
import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// Several engines in one process.
@Suite(.endsWhenItHangs) struct SQLiteSharedTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test func `engines see each other's commits at once`() throws {
        let (one, other) = (try scene.open(), try scene.open())
        #expect(one.isShared)
        for number in 1...20 {
            let writer = number.isMultiple(of: 2) ? one : other
            let reader = number.isMultiple(of: 2) ? other : one
            let version = try writer.put("\(number)", "a")
            #expect(version == EngineVersion(rawValue: UInt64(number)))
            #expect(reader.latestVersion == version)
            let view = try reader.makeView()
            #expect(try view.version == version && view.text("a") == "\(number)")
        }
        try one.close()
        #expect(try other.get("a") == "20")
        try other.close()
    }

    @Test func `reads that another engine changed conflict, and others do not`() throws {
        let (one, other) = (try scene.open(), try scene.open())
        try one.put("1", "a")
        let view = try one.makeView()
        try other.put("1", "b")
        var commit = EngineCommit()
        commit.read("a", in: view)
        commit.read(KeyRange(prefix: "c"), in: view)
        commit.put("1", for: "result")
        try one.commit(commit)
        for (key, range) in [("a", KeyRange(prefix: "x")), ("d", KeyRange(prefix: "c"))] {
            let view = try one.makeView()
            var commit = EngineCommit()
            commit.read("a", in: view)
            commit.read(KeyRange(prefix: "c"), in: view)
            try other.put("2", key == "a" ? "a" : "c1")
            #expect(code { () throws(EngineError) in try one.commit(commit) } == .conflict, "\(range)")
            commit.put("2", for: "result")
            #expect(code { () throws(EngineError) in try one.commit(commit) } == .conflict, "\(range)")
        }
        #expect(try one.get("result") == "1")
    }

    @Test func `followers get the commits of all engines in order`() async throws {
        let (one, other) = (try scene.open(), try scene.open())
        let start = try one.makeView().version
        var live = try one.changes().makeAsyncIterator()
        for number in 0..<30 {
            try (number.isMultiple(of: 3) ? one : other).put("1", "key \(number)")
            // Some are waited for, others come together.
            if number % 7 == 0 {
                while live.version < EngineVersion(rawValue: UInt64(number + 1)) { _ = try await live.next() }
            }
        }
        var iterator = try one.changes(after: start).makeAsyncIterator()
        for number in 0..<30 {
            let change = try #require(try await iterator.next())
            #expect(change.version == EngineVersion(rawValue: UInt64(number + 1)))
            #expect(!change.isEverything && change.keys.count == 1 && change.touches("key \(number)"))
        }
        // A view that is newer than what the follower's engine has read.
        let version = try other.put("1", "last")
        var later = try one.changes(after: version).makeAsyncIterator()
        let next = try other.put("1", "later")
        #expect(try await later.next()?.version == next)
        try one.close()
        try other.close()
        #expect(try await later.next() == nil)
    }

    @Test func `a follower that waits is woken by another engine`() async throws {
        let (one, other) = (try scene.open(), try scene.open())
        let changes = try one.changes()
        let (arrivals, arrival) = AsyncStream.makeStream(of: Bool.self)
        let follower = Task {
            var count = 0
            for try await change in changes {
                arrival.yield(change.touches("a \(count)"))
                count += 1
            }
            return count
        }
        var iterator = arrivals.makeAsyncIterator()
        // Each is committed when the follower has most likely begun to wait for it.
        for number in 0..<20 {
            try other.put("1", "a \(number)")
            #expect(await iterator.next() == true)
        }
        try one.close()
        #expect(try await follower.value == 20)
        try other.close()
    }

    @Test func `commits are reported in order while others look for them`() async throws {
        let engine = try scene.open()
        let start = try engine.changes()
        // Not more than are kept.
        let count = Thorough.count(500, of: 5000)
        let isOver = Atomic(false)
        try await onThreads(3) { number in
            guard number == 0 else {
                while !isOver.load(ordering: .relaxed) { _ = try engine.changes() }
                return
            }
            defer { isOver.store(true, ordering: .relaxed) }
            for _ in 0..<count {
                let version = try engine.put("1", "a")
                // What was known once stays known.
                try #require(engine.changes().makeAsyncIterator().version >= version)
            }
        }
        try engine.close()
        var versions: [UInt64] = []
        for try await change in start { versions.append(change.version.rawValue) }
        #expect(versions == Array(1...UInt64(count)))
    }

    @Test func `deleted ranges reach other engines`() async throws {
        let (one, other) = (try scene.open(), try scene.open())
        let changes = try one.changes()
        var commit = EngineCommit()
        commit.deleteRange(KeyRange(prefix: "a"))
        commit.deleteRange(KeyRange(lowerBound: Array("x".utf8), upperBound: nil))
        commit.put("1", for: "b")
        try other.commit(commit)
        var iterator = changes.makeAsyncIterator()
        let change = try #require(try await iterator.next())
        #expect(change.deletedRanges == [KeyRange(prefix: "a"), KeyRange(lowerBound: Array("x".utf8), upperBound: nil)])
        #expect(change.keys.count == 1 && change.touches("b") && !change.touches("c"))
        try one.close()
        try other.close()
    }

    @Test func `commits that are no longer kept are everything`() async throws {
        let (one, other) = (try scene.open(), try scene.open())
        let start = try one.makeView()
        // A large one, many of middle size, and a small one.
        func commit(_ count: Int, _ name: String) throws -> EngineVersion {
            var commit = EngineCommit()
            for number in 0..<count { commit.put("", for: String(repeating: name, count: 100) + "\(number)") }
            return try other.commit(commit)
        }
        let large = try commit(2000, "l")
        var iterator = try one.changes(after: start.version).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.isEverything && first.version == large)
        for number in 0..<200 { _ = try commit(100, "\(number)") }
        let size = try scene.sqlite("SELECT sum(length(change)) FROM commits")
        #expect(try #require(Int(size)) < 1_100_000)
        let last = try commit(1, "s")
        var found: [EngineChange] = []
        while found.last?.version != last { found.append(try #require(try await iterator.next())) }
        #expect(found[0].isEverything && found.count < 110 && found.last?.isEverything == false)
        var old = EngineCommit()
        old.read("a", in: start)
        old.put("1", for: "b")
        try one.commit(old)
    }

    // MARK: Waiting

    /// A view whose key is compared by doing something else.
    private final class OtherView: EngineView {
        let version = EngineVersion(rawValue: 0)
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
            self.body()
            return false
        }

        func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {}
        func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {}
    }

    /// Runs `body` in the middle of a commit.
    private func whileCommitting(to engine: SQLiteEngine, _ body: @escaping @Sendable () -> Void) throws {
        var commit = EngineCommit()
        commit.read("missing", in: OtherView(body))
        commit.put("1", for: "slow")
        try engine.commit(commit)
    }

    @Test func `waiting for another engine ends`() throws {
        let one = try scene.open()
        let other = try scene.open { $0.busyTimeout = .milliseconds(20) }
        try whileCommitting(to: one) {
            let error = failure { () throws(EngineError) in try other.put("1", "a") }
            #expect(error?.code == .busy && error?.message.contains("0.02 seconds") == true, "\(String(describing: error))")
            #expect(error?.cause is SQLiteError)
            #expect(code { () throws(EngineError) in try other.compact() } == .busy)
            // Reading waits for nobody.
            #expect(code { () throws(EngineError) in _ = try other.get("a") } == nil)
            #expect(other.latestVersion == EngineVersion(rawValue: 0))
        }
        try other.put("2", "a")
        #expect(try one.get("a") == "2" && one.get("slow") == "1")
        try one.close()
        try other.close()
    }

    @Test func `no update is lost between engines and threads`() async throws {
        let engines = [try scene.open(), try scene.open(), try scene.open()]
        let rounds = Thorough.count(60, of: 1000)
        try await onThreads(6) { number in
            let engine = engines[number % 3]
            for _ in 0..<rounds {
                while true {
                    let view = try engine.makeView()
                    var commit = EngineCommit()
                    commit.read("sum", in: view)
                    commit.put("\(Int(try view.text("sum") ?? "0")! + 1)", for: "sum")
                    guard let error = failure({ () throws(EngineError) in try engine.commit(commit) }) else { break }
                    try #require(error.code == .conflict, "\(error)")
                }
            }
        }
        #expect(try engines[0].get("sum") == "\(6 * rounds)")
        for engine in engines { try engine.close() }
    }

    /// Views in the bodies of others, which a commit of another thread compares meanwhile.
    @Test func `nobody waits for what a view lends`() async throws {
        let engine = try scene.open()
        for number in 0..<20 { try engine.put("\(number)", "key \(number)") }
        let view = try engine.makeView()
        try await onThreads(4) { number in
            for _ in 0..<20 {
                try view.scan { key, _ in
                    var commit = EngineCommit()
                    commit.read(KeyRange(prefix: "key"), in: view)
                    commit.put("1", for: "other \(number)")
                    try engine.commit(commit)
                    return try view.contains(key)
                }
            }
        }
        #expect(try engine.makeView().entries().count == 24)
    }

    // MARK: Views

    /// Others commit between what a view knows of the log and the beginning of its transaction.
    @Test func `a view has the version of what it sees, also while another engine commits`() async throws {
        let engines = [try scene.open(), try scene.open()]
        let count = Thorough.count(3000, of: 30_000)
        try await onThreads(2) { number in
            guard number == 0 else {
                for value in 1...count { try engines[1].put("\(value)", "value") }
                return
            }
            var version = 0
            while version < count {
                let view = try engines[0].makeView()
                version = Int(view.version.rawValue)
                try #require(try view.text("value") == (version == 0 ? nil : "\(version)"))
            }
        }
        for engine in engines { try engine.close() }
    }

    @Test func `views of any age see what they saw while others write`() async throws {
        try await withSeeds("old views", count: Thorough.count(1, of: 10)) { random in
            let scene = try Scene()
            let engines = [try scene.open(), try scene.open { $0.cacheSize = .kibibytes(64) }]
            var model: [String: String] = [:]
            var held: [(view: any EngineView, model: [String: String])] = []
            for round in 0..<Thorough.count(600, of: 3000) {
                var commit = EngineCommit()
                for _ in 0..<random.int(in: 1..<20) {
                    let key = "key \(random.int(in: 0..<2000))"
                    let value = random.oneIn(4) ? nil : String(repeating: "\(round) ", count: random.int(in: 1..<300))
                    model[key] = value
                    if let value { commit.put(value, for: key) } else { commit.delete(key) }
                }
                try engines[random.int(in: 0..<2)].commit(commit)
                if random.oneIn(20) { held.append((try engines[random.int(in: 0..<2)].makeView(), model)) }
                if held.count > 12 { held.remove(at: random.int(in: 0..<held.count)) }
            }
            for (view, model) in held {
                let entries = try view.entries().map {
                    (String(decoding: $0.key, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
                }
                #expect(Dictionary(uniqueKeysWithValues: entries) == model)
            }
            held = []
            for engine in engines { try engine.close() }
        }
    }
}
