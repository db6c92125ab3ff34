import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Processes that commit small and large are killed, and each commit is there whole or not at all.
@Suite struct EngineKillTests {
    /// A round commits a generation of pages, sometimes few, sometimes many, and each page says to which generation it belongs.
    private static func commit(_ generation: Int) -> EngineCommit {
        var commit = EngineCommit()
        let isLarge = generation.isMultiple(of: 3)
        // The tail of a large generation goes with the next.
        commit.deleteRange(KeyRange(prefix: "tail/"))
        for number in 0..<(isLarge ? 400 : 20) { commit.put("\(generation)", for: "page/\(number % 20)/\(isLarge ? 0 : number)") }
        for number in 0..<20 { commit.put("\(generation) " + String(repeating: "x", count: 500), for: "record/\(number)") }
        for number in 0..<(isLarge ? 2000 : 3) { commit.put("\(generation)", for: "tail/\(number)") }
        commit.put("\(generation)", for: "generation")
        return commit
    }

    private static var options: RocksEngineOptions {
        var options = RocksEngineOptions()
        // So that every third commit is a sorted file.
        options.largeCommitSize = .kibibytes(16)
        return options
    }

    /// The generation that the store holds; throws where parts of it belong to others.
    private static func generation(_ engine: RocksEngine) throws -> Int {
        let view = try engine.makeView()
        guard let text = try view.get("generation").map({ String(decoding: $0, as: UTF8.self) }) else {
            try #require(view.entries().isEmpty, "there is data of a commit that is not there")
            return 0
        }
        let generation = try #require(Int(text))
        var records = 0
        try view.scan(KeyRange(prefix: "record/")) { _, value in
            records += 1
            #expect(String(decoding: [UInt8](copying: value), as: UTF8.self).hasPrefix(text + " "), "a record is of another commit")
            return true
        }
        #expect(records == 20)
        let tail = try view.entries(KeyRange(prefix: "tail/"))
        #expect(tail.count == (generation.isMultiple(of: 3) ? 2000 : 3), "a deleted range, or part of a commit, is missing")
        #expect(tail.allSatisfy { $0.value == Array(text.utf8) }, "the tail is of another commit")
        return generation
    }

    @Test func `a killed process leaves each commit whole or not at all`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        let progress = directory.path("progress")
        let rounds = Thorough.count(3, of: 12)
        try await withSeeds("killed engines", count: 1) { random in
            var last = 0
            for _ in 0..<rounds {
                let delay = random.int(in: 1000..<150_000)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, progress = progress as String, delay = delay as Int] in
                    let engine = try RocksEngine(path: path, options: EngineKillTests.options)
                    let first = try EngineKillTests.generation(engine)
                    var generation = first
                    while true {
                        generation += 1
                        try engine.commit(EngineKillTests.commit(generation))
                        // What was acknowledged must be there afterwards.
                        try Data("\(generation)".utf8).write(to: URL(filePath: progress), options: .atomic)
                        // Not before something was done, however slow the machine is.
                        guard generation == first + 2 else { continue }
                        Thread {
                            usleep(UInt32(delay))
                            kill(getpid(), SIGKILL)
                        }.start()
                    }
                }
                let engine = try RocksEngine(path: path, options: Self.options)
                let found = try Self.generation(engine)
                let acknowledged = (try? String(contentsOfFile: progress, encoding: .utf8)).flatMap { Int($0) } ?? last
                #expect(
                    found >= acknowledged && found <= max(acknowledged, last) + 1,
                    "generation \(found) was found, \(acknowledged) was acknowledged"
                )
                #expect(((try? FileManager.default.contentsOfDirectory(atPath: path + "/incoming")) ?? []).isEmpty)
                last = found
                try engine.close()
            }
            #expect(last >= rounds * 2)
        }
    }
}
