import ArgumentParser
import BenchKit

struct Gates: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Counts allocations, system calls, syncs and bytes, and fails where they are more than they were, or syncs are fewer.",
        discussion: """
            Counts do not depend on the clock, nor on what else the machine does. Where the system has no way to count, nothing fails: the last lines say \
            what was not counted, and why.
            """
    )

    @Option(help: "Count only what has this text in its name; may be given several times.")
    var filter: [String] = []

    func run() throws {
        var isPassed = true
        let gates = Suites.usual.flatMap(\.gates).filter { gate in filter.isEmpty || filter.contains(where: gate.name.contains) }
        var uncounted: [(reason: String, name: String)] = []
        for gate in gates {
            let verdict = try gate.judge()
            if let reason = verdict.whyNot { uncounted.append((reason, gate.name)) }
            let value = verdict.value.map { fixed($0, 3) } ?? "NOT COUNTED"
            printNow(
                row([(gate.name, 50)], [value, "\(gate.isExact ? "exactly" : "at most") \(fixed(gate.limit, 2))"], width: 14)
                    + "  \(verdict.isPassed ? "" : gate.isExact ? "NOT THAT MANY: " : "TOO MANY: ")\(gate.reason)"
            )
            isPassed = isPassed && verdict.isPassed
        }
        for (reason, those) in Dictionary(grouping: uncounted, by: \.reason).sorted(by: { $0.key < $1.key }) {
            let names = those.map(\.name).joined(separator: ", ")
            print("WARNING: \(those.count) of \(gates.count) gates were not counted, since \(reason): \(names)")
        }
        if !isPassed { throw ExitCode(1) }
    }
}
