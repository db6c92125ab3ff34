import ArgumentParser
import BenchKit

struct Gates: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts allocations, system calls, syncs and bytes, and fails where they are more than they were, or syncs are fewer.",
        discussion: "Counts do not depend on the clock, nor on what else the machine does."
    )

    @Option(help: "Count only what has this text in its name; may be given several times.")
    var filter: [String] = []

    func run() throws {
        var isPassed = true
        for gate in Suites.usual.flatMap(\.gates) where filter.isEmpty || filter.contains(where: gate.name.contains) {
            let verdict = try gate.judge()
            let value = verdict.value.map { fixed($0, 3) } ?? "not counted: the system does not allow it"
            printNow(
                row([(gate.name, 50)], [value, "\(gate.isExact ? "exactly" : "at most") \(fixed(gate.limit, 2))"], width: 14)
                    + "  \(verdict.isPassed ? "" : gate.isExact ? "NOT THAT MANY: " : "TOO MANY: ")\(gate.reason)"
            )
            isPassed = isPassed && verdict.isPassed
        }
        if !isPassed { throw ExitCode(1) }
    }
}
