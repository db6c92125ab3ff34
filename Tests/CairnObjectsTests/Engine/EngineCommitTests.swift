import CairnCore
import CairnObjects
import CairnTestSupport
import Testing

@Suite struct EngineCommitTests {
    private func text(_ commit: EngineCommit) -> [String] {
        let writes = commit.ordered()
        let ranges = writes.deletedRanges.map { range in
            let end = range.upperBound.map { String(decoding: $0, as: UTF8.self) } ?? "end"
            return "delete \(String(decoding: range.lowerBound, as: UTF8.self))..<\(end)"
        }
        return ranges
            + (0..<writes.count).map { index in
                let key = String(decoding: [UInt8](copying: writes.key(at: index)), as: UTF8.self)
                guard let value = writes.value(at: index) else { return "delete \(key)" }
                return "\(key)=\(String(decoding: [UInt8](copying: value), as: UTF8.self))"
            }
    }

    @Test func `writes come out sorted, each key once, the last of them`() {
        var commit = EngineCommit()
        for (key, value) in [("b", "1"), ("a", "2"), ("b", "3"), ("", "4"), ("aa", "5"), ("a", "6")] { commit.put(value, for: key) }
        commit.delete("aa")
        commit.delete("c")
        commit.put("7", for: "c")
        #expect(text(commit) == ["=4", "a=6", "delete aa", "b=3", "c=7"])
    }

    @Test func `keys that come in order are left as they are`() {
        var commit = EngineCommit()
        for number in 0..<10 { commit.put("v", for: "\(number)") }
        #expect(text(commit).count == 10)
        commit.put("w", for: "9")
        #expect(text(commit).count == 10 && text(commit).last == "9=w")
    }

    @Test func `ranges take away what was put before them`() {
        var commit = EngineCommit()
        commit.put("1", for: "a")
        commit.put("1", for: "b")
        commit.deleteRange(KeyRange(prefix: "a"))
        commit.put("2", for: "ab")
        commit.deleteRange(KeyRange(lowerBound: Array("ac".utf8), upperBound: Array("b".utf8)))
        commit.deleteRange(KeyRange(lowerBound: Array("x".utf8), upperBound: Array("x".utf8)))
        commit.put("3", for: "ac")
        #expect(text(commit) == ["delete a..<b", "ab=2", "ac=3", "b=1"])
        commit.deleteRange(.all)
        #expect(text(commit) == ["delete ..<end"])
        commit.put("4", for: "a")
        #expect(text(commit) == ["delete ..<end", "a=4"])
    }

    @Test func `any sequence of writes comes to what a dictionary comes to`() async throws {
        try await withSeeds("ordered commits", count: Thorough.count(50, of: 300)) { random in
            var commit = EngineCommit()
            var model: [[UInt8]: [UInt8]?] = [:]
            let alphabet: [UInt8] = [0, 0x61, 0xFF]
            // Some have long beginnings in common.
            let beginning = Array(repeating: UInt8(0), count: random.pick([0, 6, 14]))
            let length = random.pick([3, 12])
            func key(_ random: inout SeededGenerator) -> [UInt8] {
                beginning + (0..<random.int(in: 0..<length)).map { _ in random.pick(alphabet) }
            }
            var deleted: [KeyRange] = []
            for _ in 0..<random.int(in: 0..<60) {
                switch random.int(in: 0..<8) {
                case 0:
                    let range = KeyRange(lowerBound: key(&random), upperBound: random.oneIn(8) ? nil : key(&random))
                    commit.deleteRange(range)
                    deleted.append(range)
                    model = model.filter { !range.contains($0.key) }
                case 1, 2:
                    let key = key(&random)
                    commit.delete(key)
                    model.updateValue(nil, forKey: key)
                default:
                    let key = key(&random)
                    let value = random.bytes(random.int(in: 0..<5))
                    commit.put(value, for: key)
                    model.updateValue(value, forKey: key)
                }
            }
            let writes = commit.ordered()
            let sorted = model.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            try #require(writes.count == sorted.count)
            for (index, (key, value)) in sorted.enumerated() {
                #expect([UInt8](copying: writes.key(at: index)) == key)
                if let written = writes.value(at: index) { #expect([UInt8](copying: written) == value) } else { #expect(value == nil) }
            }
            for _ in 0..<50 {
                let key = key(&random)
                #expect(writes.deletedRanges.contains { $0.contains(key) } == deleted.contains { $0.contains(key) })
            }
            for (one, next) in zip(writes.deletedRanges, writes.deletedRanges.dropFirst()) {
                #expect(try #require(one.upperBound).lexicographicallyPrecedes(next.lowerBound))
            }
        }
    }

    @Test func `sizes count what is written and read`() throws {
        let engine = MemoryEngine()
        let view = try engine.makeView()
        var commit = EngineCommit()
        #expect(commit.isEmpty && commit.size == 0 && commit.operationCount == 0)
        commit.read("key", in: view)
        commit.read(KeyRange(lowerBound: [1], upperBound: [2, 3]), in: view)
        #expect(commit.isEmpty && commit.operationCount == 2 && commit.size == 6)
        commit.put("value", for: "long key")
        commit.delete("d")
        commit.deleteRange(KeyRange(lowerBound: [1], upperBound: nil))
        #expect(!commit.isEmpty && commit.operationCount == 5 && commit.size == 6 + 13 + 1 + 1)
        #expect(commit.largestKeySize == 8 && commit.largestValueSize == 5 && !commit.hasEmptyKey && commit.deletesRanges)
        #expect(commit.reads.count == 1)
        commit.read("", in: try engine.makeView())
        #expect(commit.reads.count == 2 && commit.hasEmptyKey)
    }

    @Test func `limits tell both sizes`() throws {
        var limits = EngineLimits()
        limits.maximumCommitOperations = 2
        var commit = EngineCommit()
        for key in ["a", "b", "a", "b"] { commit.put("1", for: key) }
        try limits.check(commit)
        commit.delete("c")
        let error = #expect(throws: EngineError.self) { try limits.check(commit) }
        #expect(
            error?.code == .tooLarge && error?.message.contains("has 3 operations") == true
                && error?.message.contains("allows only 2") == true
        )
    }

    /// Reads in a view that cannot be read any more are a conflict: only reading again helps.
    @Test func `an expired view is a conflict`() throws {
        final class ExpiredView: EngineView {
            let version = EngineVersion(rawValue: 1)
            func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool { throw EngineError(.expired, "gone") }
            func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) { throw EngineError(.expired, "gone") }
            func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
                throw EngineError(.expired, "gone")
            }
        }
        let engine = MemoryEngine()
        for isRange in [false, true] {
            var commit = EngineCommit()
            if isRange { commit.read(.all, in: ExpiredView()) } else { commit.read("a", in: ExpiredView()) }
            commit.put("1", for: "a")
            let error = #expect(throws: EngineError.self) { try engine.commit(commit) }
            #expect(error?.code == .conflict && (error?.cause as? EngineError)?.code == .expired)
        }
        #expect(try engine.makeView().entries().isEmpty)
    }

    @Test func `reads have a limit of their own`() throws {
        var limits = EngineLimits()
        limits.maximumCommitOperations = 2
        let view = try MemoryEngine().makeView()
        var commit = EngineCommit()
        for key in ["a", "b"] { commit.put("1", for: key) }
        for key in ["a", "b", "c"] { commit.read(key, in: view) }
        // Counted together, and apart.
        #expect(throws: EngineError.self) { try limits.check(commit) }
        limits.maximumCommitReads = 3
        try limits.check(commit)
        commit.read(KeyRange(prefix: "d"), in: view)
        let error = #expect(throws: EngineError.self) { try limits.check(commit) }
        #expect(error?.code == .tooLarge && error?.message == "the commit has 4 reads, but the engine allows only 3")
    }
}
