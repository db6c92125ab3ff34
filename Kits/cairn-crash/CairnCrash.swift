import ArgumentParser
import CairnCrashKit
import CairnTestSupport
import Foundation

/// Kills writing processes and verifies what they leave.
@main
struct CairnCrash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cairn-crash",
        abstract: "Kills processes that write to a store, and verifies that nothing is lost.",
        subcommands: [Run.self, Write.self, Move.self, MoveChild.self],
        defaultSubcommand: Run.self
    )
}

extension CrashRound.Point: ExpressibleByArgument {}

/// The supervisor.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run rounds of writing, killing and verifying. The default.")

    @Option(
        help:
            "How many rounds, for each subject, and a quarter as many that end midway; fewer where rounds take long, unless the subject is named."
    )
    var rounds = 100

    @Option(help: "Repeats the operations of an earlier run: the number it printed.")
    var seed: String?

    @Option(help: "One store, by its name: \(CrashSubjects.names). By default all, but for those that are wrong on purpose.")
    var subject: String?

    @Option(help: "Where every child ends, instead of at random.")
    var point: CrashRound.Point?

    @Flag(help: "Leave stores in which something was lost on the disk.")
    var keep = false

    func run() throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1: without kills, nothing is tested.") }
        let seed = try chosenSeed()
        show("seed 0x\(String(seed, radix: 16))")
        var failed = false
        for type in try chosenSubjects() {
            var supervisor = CrashSupervisor(
                type,
                executable: Bundle.main.executablePath ?? CommandLine.arguments[0],
                random: SeededGenerator(seed: seed),
                point: point,
                keepsFailures: keep
            )
            var shown = 0
            let rounds = subject == nil ? max(1, rounds / type.roundCost) : rounds
            func showProgress(_ report: CrashReport) {
                for loss in report.losses[shown...] { show("LOST in \(loss)") }
                shown = report.losses.count
                if report.rounds.isMultiple(of: 100) { show("\(report.rounds) rounds") }
            }
            let time = try ContinuousClock().measure {
                try supervisor.run(rounds: rounds, progress: showProgress)
                // Half an operation is rarely what a kill at any instant leaves.
                if point == nil { try supervisor.run(rounds: (rounds + 3) / 4, at: .midway, progress: showProgress) }
            }
            show("\(supervisor.report)\n  in \(time.formatted(.units(allowed: [.minutes, .seconds])))")
            if let shortcoming = supervisor.report.shortcoming { show("NOTHING TESTED of \(type.name): \(shortcoming)") }
            failed = failed || !supervisor.report.losses.isEmpty || supervisor.report.shortcoming != nil
        }
        if failed { throw ExitCode(1) }
    }

    /// Prints a line at once, also into a pipe.
    private func show(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func chosenSeed() throws -> UInt64 {
        guard let text = seed else { return .random(in: .min ... .max) }
        guard let seed = text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text) else {
            throw ValidationError("'\(text)' is not a seed; give a number, decimal or hexadecimal after 0x.")
        }
        return seed
    }

    private func chosenSubjects() throws -> [any CrashSubject.Type] {
        guard let subject else { return CrashSubjects.all }
        guard let type = CrashSubjects.named(subject) else {
            throw ValidationError("There is no subject '\(subject)'; --help lists them.")
        }
        return [type]
    }
}

/// A child, which the supervisor starts and kills.
struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)

    @Argument(help: "The round, as JSON.")
    var round: String

    func run() throws { try CrashChild(json: round).run() }
}
