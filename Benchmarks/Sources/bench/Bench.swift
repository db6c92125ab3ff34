import ArgumentParser
import BenchKit

@main
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures CairnRocks beside the same program in C++, on the same library in the same process.",
        discussion: "Workloads: " + Workload.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ") + "."
    )

    @Option(help: "Measure only workloads whose name contains this text; may be given several times.")
    var filter: [String] = []
    @Flag(help: "Take --filter as whole names.")
    var exact = false
    @Option(help: "Rows in each database; at least 1,000.")
    var rows = 1_000_000
    @Option(help: "Rounds that count, beside one to warm up; at least 5.")
    var rounds = 100
    @Option(help: "What is measured: wall (time that passes) or processor (time the calling thread uses).")
    var clock = Clock.wall
    @Flag(help: "Let the rival run against itself: how far the ratios are from 1 is the error of the method.")
    var null = false
    @Flag(help: "Print one JSON object a line.")
    var json = false
    @Option(help: "Where to make the databases; by default the directory for temporary files.")
    var path: String?

    func validate() throws {
        guard (1_000...100_000_000).contains(rows) else { throw ValidationError("--rows takes 1000 to 100000000") }
        guard (5...10_000).contains(rounds) else { throw ValidationError("--rounds takes 5 to 10000") }
        guard !selected.isEmpty else {
            throw ValidationError("no workload matches --filter; there are " + Workload.all.map(\.name).joined(separator: ", "))
        }
    }

    private var selected: [Workload] {
        Workload.all.filter { workload in filter.isEmpty || filter.contains { exact ? workload.name == $0 : workload.name.contains($0) } }
    }

    func run() throws {
        let report = Report(json: json, subjectName: null ? "C++ too" : "CairnRocks")
        let shares = Shares(rowCount: rows, rounds: rounds + 1)
        let databases = try Databases(parent: path, rowCount: rows, null: null)
        defer { try? databases.remove() }
        report.begin(Machine(), rows: rows, rounds: rounds, clock: clock)

        var filled: Sides?
        var all: [Measurement] = []
        for workload in selected {
            let measured: Measurement
            switch workload.target {
            case .fresh:
                let sides = try databases.fresh(workload.ours)
                measured = try measure(workload, shares, sides)
                guard try sides.subject.scan() == sides.rival.scan() else {
                    throw Disagreement("\(workload.name): the sides wrote different rows")
                }
                try sides.subject.close()
                try sides.rival.close()
            case .filled:
                let sides = try filled ?? databases.filled((0..<UInt32(rows)).map { $0 })
                filled = sides
                measured = try measure(workload, shares, sides)
            }
            report.add(measured)
            all.append(measured)
        }
        try filled?.subject.close()
        try filled?.rival.close()
        report.end(all)
        if all.contains(where: { $0.workload.mustNotAllocate && !$0.allocatesNothing }) { throw ExitCode(1) }
    }

    /// Rounds in which each side goes first in turn; the first is dropped.
    private func measure(_ workload: Workload, _ shares: Shares, _ sides: Sides) throws -> Measurement {
        var measured = Measurement(workload: workload)
        for round in 0...rounds {
            let (share, operations) = shares.share(of: workload, round: round)
            measured.rows += operations
            var samples: [Role: Sample] = [:]
            for role in round.isMultiple(of: 2) ? [Role.subject, .rival] : [.rival, .subject] {
                samples[role] = try sample(role, clock: clock, operations: operations) {
                    switch role {
                    case .subject: try workload.run(sides.subject, share)
                    case .rival: try workload.run(sides.rival, share)
                    }
                }
            }
            guard let subject = samples[.subject], let rival = samples[.rival], subject.checksum == rival.checksum else {
                throw Disagreement("\(workload.name), round \(round): the sides read different values")
            }
            guard round > 0 else { continue }
            measured.subject.append(subject)
            measured.rival.append(rival)
        }
        return measured
    }
}

extension Clock: ExpressibleByArgument {}
