import CairnTestSupport
import Testing

@testable import CairnCrashKit

/// Children that write are killed, and what they leave is verified: the rounds of `make crash`, as few as show that they test something. `make check`
/// runs more of them, `make thorough` many.
@Suite struct CrashRoundTests {
    /// Subjects with rounds of many seconds are left to `make check`.
    private static let subjects = CrashSubjects.all.filter { Thorough.isOn || $0.roundCost < 10 }.map { $0.name }

    @Test(.checking, arguments: subjects) func nothingIsLost(name: String) async throws {
        let subject = try #require(CrashSubjects.named(name))
        try await withSeeds("crash rounds of \(name)", count: 1) { random in
            var supervisor = CrashSupervisor(subject, executable: "cairn-crash", random: random)
            let rounds = Thorough.count(1, of: max(1, 20 / subject.roundCost))
            try supervisor.run(rounds: rounds)
            try supervisor.run(rounds: 1, at: .midway)
            let report = supervisor.report
            #expect(report.losses == [])
            #expect(report.killCount > rounds && report.kills["at midway", default: 0] > 0 && report.shortcoming == nil, "\(report)")
            #expect(report.rounds - report.lateRounds > rounds, "\(report)")
        }
    }

    @Test(.checking, arguments: CrashRound.Point.allCases) func namedPoints(point: CrashRound.Point) async throws {
        try await withSeeds("crashes at \(point)", count: 1) { random in
            var supervisor = CrashSupervisor(RocksSubject.self, executable: "cairn-crash", random: random, point: point)
            try supervisor.run(rounds: 2)
            #expect(supervisor.report.losses == [])
            #expect(supervisor.report.kills["at \(point)", default: 0] >= 2 && supervisor.report.shortcoming == nil)
        }
    }

    /// Subjects that break a promise are caught. Kills at random instants find half an operation in one of ten rounds or so; `make thorough` waits for
    /// that, `aTornOperationIsFoundMidway` does not have to.
    @Test(.checking, arguments: CrashSubjects.wrong.map { $0.name }.filter { Thorough.isOn || !$0.hasSuffix("-torn") })
    func wrongSubjectsLose(name: String) async throws {
        let subject = try #require(CrashSubjects.named(name))
        try await withSeeds("crash rounds of \(name)", count: 1) { random in
            var supervisor = CrashSupervisor(subject, executable: "cairn-crash", random: random)
            // Few rounds suffice. Where processes take turns on a busy processor, a skew may take some more.
            for _ in 0..<200 where supervisor.report.losses.isEmpty { try supervisor.run(rounds: 1) }
            let loss = try #require(supervisor.report.losses.first)
            // A skew shows in many ways: two desks at one place, a unique value given twice, a guest that is gone.
            if name != "objects-sqlite-skewed" { #expect(loss.contains("must be there, but")) }
        }
    }

    /// Rounds that kill nobody, or in which nothing was acknowledged, are not a success.
    @Test func whatTestsNothingIsAnError() throws {
        var report = CrashReport(subject: "rocks")
        #expect(report.shortcoming == "no process was killed")
        report.acknowledged = 1
        #expect(report.shortcoming == "no process was killed")
        report.kills["writing"] = 1
        #expect(report.shortcoming == nil)
        report.acknowledged = 0
        #expect(report.shortcoming == "no operation was acknowledged")
        let none = try runTool("cairn-crash", ["--rounds", "0"])
        #expect(none.status == 64 && none.standardError.contains("--rounds must be at least 1"))
    }

    /// As `make crash` runs them: some rounds end midway, whatever the rest do.
    @Test func theToolEndsWritersMidway() throws {
        let result = try runTool("cairn-crash", ["--subject", "cdb", "--rounds", "1"])
        #expect(result.status == 0 && result.standardOutput.contains("at midway"), "\(result)")
    }

    /// A kill may come when its writer has ended. Such a round does not count.
    @Test func lateKillsAreMadeUpFor() async throws {
        try await withSeeds("late kills", count: 1) { random in
            var supervisor = CrashSupervisor(CDBSubject.self, executable: "cairn-crash", random: random)
            var rounds = 0
            // One of five is to be killed while it closes.
            for _ in 0..<400 where supervisor.report.lateRounds == 0 {
                // Children that are to be killed while they close get so much time that most end before, however slow the machine is.
                supervisor.closing = .seconds(60)
                try supervisor.run(rounds: 1)
                rounds += 1
            }
            let report = supervisor.report
            #expect(report.losses == [] && report.lateRounds > 0 && report.rounds - report.lateRounds >= rounds, "\(report)")
        }
    }

    @Test(arguments: CrashSubjects.wrong.map { $0.name }.filter { $0.hasSuffix("-torn") })
    func aTornOperationIsFoundMidway(name: String) async throws {
        let torn = try #require(CrashSubjects.named(name))
        try await withSeeds("torn operations", count: 1) { random in
            var supervisor = CrashSupervisor(torn, executable: "cairn-crash", random: random, point: .midway)
            for _ in 0..<40 where supervisor.report.losses.isEmpty { try supervisor.run(rounds: 1) }
            #expect(supervisor.report.losses.first?.contains("ended midway") == true)
        }
    }
}
