import ArgumentParser
import BenchKit
import Foundation

struct Scale: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the same workloads in stores of 10,000 to 10,000,000 objects, rows and keys: how their cost grows.",
        discussion: "The sizes up to 1,000,000 take about five minutes together; 10,000,000 takes gigabytes. Text ends at 1,000,000."
    )

    @Option(help: "Write the results to this file, as JSON.")
    var json: String?
    @Option(help: "The largest store: 100000, 1000000 or 10000000.")
    var largest = 10_000_000
    @Option(help: "Measure only workloads whose name contains this text; may be given several times.")
    var filter: [String] = []
    @Option(help: "Where to make the stores; by default the directory for temporary files.")
    var path: String?

    private var sizes: [Int] { [10_000, 100_000, 1_000_000, 10_000_000].filter { $0 <= largest } }

    func validate() throws {
        guard sizes.count > 1 else { throw ValidationError("--largest takes 100000 or more") }
    }

    func run() throws {
        let names = ScaleChart.workloads.map(\.name).filter { name in filter.isEmpty || filter.contains { name.contains($0) } }
        guard !names.isEmpty else {
            let all = ScaleChart.workloads.map(\.name).joined(separator: ", ")
            throw ValidationError("no workload matches --filter: \(all)")
        }
        var libraries: [String: String] = [:]
        for suite in Suites.scaled { libraries.merge(suite.libraries) { first, _ in first } }
        let machine = Machine(libraries: libraries)
        print(machine.description)
        printNow("\n" + Table.header)
        var runs: [ScaleReport.Run] = []
        for size in sizes {
            let harness = try Harness(settings(size, names)) { printNow(Table.line($0)) }
            defer { harness.folder.remove() }
            for suite in Suites.scaled { try suite.run(harness) }
            runs.append(ScaleReport.Run(size: size, results: harness.results))
            // After each size: a run may end for want of space.
            if let json { try ScaleReport(runs, machine: machine).write(to: json) }
        }
        print("\n" + ScaleMarkdown.table(ScaleReport(runs, machine: machine)).joined(separator: "\n"))
    }

    private func settings(_ size: Int, _ names: [String]) -> Settings {
        var settings = Settings()
        (settings.rows, settings.songs, settings.keys, settings.items) = (size, size, size, [size])
        settings.names = min(size, 1_000_000)
        settings.filter = names.filter { size <= 1_000_000 || !$0.hasPrefix("text/") }
        settings.isExact = true
        // Small stores take milliseconds.
        settings.rounds = size > 1_000_000 ? 2 : size < 1_000_000 ? 9 : 5
        settings.path = path
        return settings
    }
}
