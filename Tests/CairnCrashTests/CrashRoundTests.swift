import CairnCrashKit
import CairnTestSupport
import Testing

/// Children that write are killed, and what they leave is verified: the rounds of `make crash`, a few of them.
@Suite struct CrashRoundTests {
    @Test(arguments: CrashSubjects.all.map { $0.name }) func nothingIsLost(name: String) async throws {
        let subject = try #require(CrashSubjects.named(name))
        try await withSeeds("crash rounds of \(name)", count: 1) { random in
            var supervisor = CrashSupervisor(subject, executable: "cairn-crash", random: random)
            let rounds = max(1, Thorough.count(2, of: 20) / subject.roundCost)
            try supervisor.run(rounds: rounds)
            // All of a few may have been killed before anything was written.
            for _ in 0..<16 where supervisor.report.acknowledged == 0 || supervisor.report.kills.isEmpty { try supervisor.run(rounds: 1) }
            let report = supervisor.report
            #expect(report.losses == [])
            #expect(report.kills.values.reduce(0, +) >= max(1, rounds / 4) && report.acknowledged > 0, "\(report)")
        }
    }

    @Test(arguments: CrashRound.Point.allCases) func namedPoints(point: CrashRound.Point) async throws {
        try await withSeeds("crashes at \(point)", count: 1) { random in
            var supervisor = CrashSupervisor(RocksSubject.self, executable: "cairn-crash", random: random, point: point)
            try supervisor.run(rounds: 2)
            #expect(supervisor.report.losses == [])
            #expect(supervisor.report.kills["at \(point)"] == 2)
        }
    }

    /// Subjects that break a promise are caught.
    @Test(arguments: CrashSubjects.wrong.map { $0.name }) func wrongSubjectsLose(name: String) async throws {
        let subject = try #require(CrashSubjects.named(name))
        try await withSeeds("crash rounds of \(name)", count: 1) { random in
            var supervisor = CrashSupervisor(subject, executable: "cairn-crash", random: random)
            for _ in 0..<40 where supervisor.report.losses.isEmpty { try supervisor.run(rounds: 1) }
            let loss = try #require(supervisor.report.losses.first)
            #expect(loss.contains("must be there, but"))
        }
    }

    @Test func aTornOperationIsFoundMidway() async throws {
        let torn = try #require(CrashSubjects.named("rocks-torn"))
        try await withSeeds("torn operations", count: 1) { random in
            var supervisor = CrashSupervisor(torn, executable: "cairn-crash", random: random, point: .midway)
            for _ in 0..<40 where supervisor.report.losses.isEmpty { try supervisor.run(rounds: 1) }
            #expect(supervisor.report.losses.first?.contains("ended midway") == true)
        }
    }
}
