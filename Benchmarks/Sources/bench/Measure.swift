import ArgumentParser
import BenchKit
import Foundation

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures (the default).")

    @Option(help: "Measure only workloads whose name contains this text; may be given several times.")
    var filter: [String] = []
    @Flag(help: "Take --filter as whole names.")
    var exact = false
    @Flag(help: "List the workloads with their goals, and measure nothing.")
    var list = false
    @Option(help: "Write all results to this file, as JSON.")
    var json: String?
    @Option(help: "Rows of the databases and records of the constant databases; at least 1,000.")
    var rows = 1_000_000
    @Option(help: "Operations of each round on mapped stores; at least 1,000.")
    var operations = 300_000
    @Option(help: "Objects of the simple programs; the others take a tenth as many, and a list for each hundred. At least 1,000.")
    var songs = 1_000_000
    @Option(help: "Texts that are searched; at least 1,000.")
    var names = 1_000_000
    @Option(help: "Items of a store that is queried, at least 1,000; may be given several times. By default 10,000 and 300,000.")
    var items: [Int] = []
    @Flag(help: "Query stores of 3,000,000 items too, whose making takes minutes and gigabytes.")
    var large = false
    @Option(help: "Rounds that count; by default each workload's own number.")
    var rounds: Int?
    @Flag(help: "Little of everything, once: whether it runs and all sides do the same. Its times say nothing.")
    var quick = false
    @Option(
        help: "What is measured: wall (time that passes) or processor (time of all threads of this process).",
        transform: { name in
            guard let clock = Clock(rawValue: name) else { throw ValidationError("--clock takes wall or processor") }
            return clock
        }
    )
    var clock = Clock.wall
    @Flag(help: "Let the first rival run against itself: how far the ratios are from 1 is the error of the method.")
    var null = false
    @Option(help: "Where to make the stores; by default the directory for temporary files.")
    var path: String?

    private var suites: [any Suite] { Suites.usual }

    private var settings: Settings {
        var settings = Settings()
        let small = quick ? 20_000 : Int.max
        settings.rows = min(rows, small)
        settings.operations = min(operations, small)
        settings.songs = min(songs, small)
        settings.names = min(names, small)
        let sizes = (items.isEmpty ? settings.items : items) + (large ? [3_000_000] : [])
        settings.items = quick ? [2_000] : sizes
        settings.rounds = quick ? rounds ?? 3 : rounds
        settings.clock = clock
        settings.isNull = null
        settings.filter = filter
        settings.isExact = exact
        settings.path = path
        return settings
    }

    func validate() throws {
        for (name, value) in [("rows", rows), ("operations", operations), ("songs", songs), ("names", names)] + items.map({ ("items", $0) })
        {
            guard (1_000...100_000_000).contains(value) else { throw ValidationError("--\(name) takes 1000 to 100000000") }
        }
        guard (1...10_000).contains(rounds ?? 1) else { throw ValidationError("--rounds takes 1 to 10000") }
        guard suites.contains(where: { $0.workloads.contains { settings.isSelected($0.name) } }) else {
            throw ValidationError("no workload matches --filter; --list has them all")
        }
    }

    func run() throws {
        let settings = settings
        if list { return printList(settings) }
        let harness = try Harness(settings) { printNow(Table.line($0)) }
        defer { harness.folder.remove() }
        var libraries: [String: String] = [:]
        for suite in suites { libraries.merge(suite.libraries) { first, _ in first } }
        if let version = Self.versionOfGRDB, libraries["SQLite"] != nil { libraries["GRDB"] = version }
        for line in suites.flatMap(\.absent) + Suites.absent { harness.note(line) }
        let machine = Machine(libraries: libraries)
        print(machine.description)
        for line in harness.notes { print(line) }
        print(settings.description)
        printNow("\n" + Table.header)
        let start = ContinuousClock.now
        for suite in suites { try suite.run(harness) }
        let report = Report(harness, machine: machine)
        let minutes = (ContinuousClock.now - start) / .seconds(60)
        print("\n\(quick ? "nothing was measured that says anything" : Table.summary(report)); \(fixed(minutes, 1)) minutes")
        if let json { try report.write(to: json) }
    }

    private func printList(_ settings: Settings) {
        for workload in suites.flatMap(\.workloads) where settings.isSelected(workload.name) {
            let goals = workload.goals.map(\.description).joined(separator: ", ")
            print(row([(workload.name, 30), (workload.summary, 60)], [], width: 0) + (goals.isEmpty ? "" : "goal " + goals))
        }
        for line in suites.flatMap(\.absent) + Suites.absent { print(line) }
    }

    /// The version that was resolved for this package, passed on by `scripts/bench`: GRDB does not know its own.
    private static var versionOfGRDB: String? {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { var version: String? }
                var identity: String
                var state: State
            }
            var pins: [Pin]
        }
        let path = ProcessInfo.processInfo.environment["BENCH_RESOLVED"]
        let data = path.flatMap { try? Data(contentsOf: URL(filePath: $0)) }
        let resolved = data.flatMap { try? JSONDecoder().decode(Resolved.self, from: $0) }
        return resolved?.pins.first { $0.identity == "grdb.swift" }?.state.version
    }
}
