import CairnObjects
import CairnTestSupport
import Testing

@Suite struct EngineChangesTests {
    private func commit(_ key: String, size: Int = 1, count: Int = 1) -> EngineCommit {
        var commit = EngineCommit()
        for number in 0..<count { commit.put("1", for: "\(key)\(number)" + String(repeating: "k", count: size)) }
        return commit
    }

    @Test func `a reader that is too slow is notified once that anything may have changed`() async throws {
        let engine = MemoryEngine()
        var changes = try engine.changes().makeAsyncIterator()
        try engine.commit(commit("first"))
        _ = try await changes.next()
        // More keys than are kept.
        for number in 0..<3000 { try engine.commit(commit("\(number)", size: 1000)) }
        let newest = try engine.makeView().version
        let change = try #require(try await changes.next())
        #expect(change.isEverything && change.version == newest && change.touches("anything"))
        try engine.commit(commit("last"))
        let next = try #require(try await changes.next())
        #expect(!next.isEverything && next.keys.count == 1 && next.version > newest)
    }

    @Test func `what is kept reaches back, as far as it does`() async throws {
        let engine = MemoryEngine()
        var versions: [EngineVersion] = []
        for number in 0..<3000 { versions.append(try engine.commit(commit("\(number)", size: 1000))) }
        var near = try engine.changes(after: versions[2900]).makeAsyncIterator()
        #expect(try await near.next()?.version == versions[2901])
        var far = try engine.changes(after: versions[10]).makeAsyncIterator()
        #expect(try await far.next()?.isEverything == true)
    }

    @Test func `a commit of very many keys is not reported key by key`() async throws {
        let engine = MemoryEngine()
        var changes = try engine.changes().makeAsyncIterator()
        let version = try engine.commit(commit("many", count: 100_000))
        let change = try #require(try await changes.next())
        #expect(change.isEverything && change.version == version)
        try engine.commit(commit("one"))
        #expect(try await changes.next()?.isEverything == false)
    }

    @Test func `what was written lately is known unless a commit is missing`() {
        func version(_ number: UInt64) -> EngineVersion { EngineVersion(rawValue: number) }
        let log = EngineLog(after: version(10))
        var keys = KeyList()
        keys.append("a1")
        log.append(EngineChange(version: version(11), keys: keys, deletedRanges: [KeyRange(prefix: "c")]))
        func mayHaveTouched(_ prefix: String, after: UInt64, upTo end: UInt64) -> Bool {
            log.mayHaveTouched(KeyRange(prefix: prefix), after: version(after), upTo: version(end))
        }
        #expect(["a", "b", "c"].map { mayHaveTouched($0, after: 10, upTo: 11) } == [true, false, true])
        #expect(!mayHaveTouched("a", after: 11, upTo: 11))
        // Before what is known, and after it.
        #expect(mayHaveTouched("b", after: 9, upTo: 11) && mayHaveTouched("b", after: 10, upTo: 12))
        log.appendUnknown(upTo: version(13))
        #expect(mayHaveTouched("b", after: 10, upTo: 13) && !mayHaveTouched("b", after: 13, upTo: 13))
    }

    /// Runs a job at once, on the thread that resumes it.
    private final class ImmediateExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    @Test func `a follower that learns of a commit finds it in place`() async throws {
        let engine = MemoryEngine()
        let changes = try engine.changes()
        // Runs within the commit, as soon as that wakes it.
        let follower = Task(executorPreference: ImmediateExecutor()) {
            var iterator = changes.makeAsyncIterator()
            let change = try await iterator.next()
            return engine.latestVersion == change?.version
        }
        try engine.commit(commit("key"))
        #expect(try await follower.value)
    }

    @Test func `iterators of one sequence each get everything`() async throws {
        let engine = MemoryEngine()
        let changes = try engine.changes()
        let versions = [try engine.commit(commit("a")), try engine.commit(commit("b"))]
        for _ in 0..<2 {
            var iterator = changes.makeAsyncIterator()
            #expect(try await [iterator.next()?.version, iterator.next()?.version] == versions)
            #expect(iterator.version == versions[1])
        }
    }

    @Test func `a sequence does not keep its engine, and ends with it`() async throws {
        var engine: MemoryEngine? = MemoryEngine()
        let changes = try #require(try engine?.changes())
        weak let held = engine
        engine = nil
        #expect(held == nil)
        for try await _ in changes { Issue.record("nobody committed anything") }
    }
}
