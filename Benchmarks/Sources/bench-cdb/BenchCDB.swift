import ArgumentParser
import BenchKit
import Foundation

@main
struct BenchCDB: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-cdb",
        abstract: "Measures CairnCDB beside libcdb (tinycdb), in the same process on the same files.",
        discussion: "Workloads: " + Workload.all.map { "\($0.name) (\($0.summary))" }.joined(separator: ", ") + "."
    )

    @Option(help: "Measure only workloads whose name contains this text; may be given several times.")
    var filter: [String] = []
    @Option(help: "Records in each file; at least 1,000.")
    var rows = 1_000_000
    @Option(help: "Rounds that count, beside one to warm up; at least 5.")
    var rounds = 15
    @Flag(help: "Let libcdb run against itself: how far the ratios are from 1 is the error of the method.")
    var null = false
    @Flag(help: "Print one JSON object a line.")
    var json = false
    @Option(help: "Where to make the files; by default the directory for temporary files.")
    var path: String?

    func validate() throws {
        guard (1_000...10_000_000).contains(rows) else { throw ValidationError("--rows takes 1000 to 10000000") }
        guard (5...10_000).contains(rounds) else { throw ValidationError("--rounds takes 5 to 10000") }
        guard !selected.isEmpty else {
            throw ValidationError("no workload matches --filter; there are " + Workload.all.map(\.name).joined(separator: ", "))
        }
    }

    private var selected: [Workload] {
        Workload.all.filter { workload in filter.isEmpty || filter.contains { workload.name.contains($0) } }
    }

    func run() throws {
        let parent = path.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let directory = parent.appending(path: "cairn-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        if !json {
            print("\(rows) records, 16-byte keys, 100-byte values; \(rounds) rounds, sides in turn; wall time, ns per record")
            line("workload", "keys", ["CairnCDB", "min", "libcdb", "min", "ratio", "by round", "goal"])
        }
        for kind in KeyKind.allCases {
            let path = directory.appending(path: "\(kind.rawValue).cdb").path()
            let all = Keys(kind, 0..<rows)
            // Both sides read the same file, which libcdb made.
            guard createWithRival(path, all) else { throw Disagreement("libcdb cannot make \(path)") }
            let rival = try RivalSide(path: path)
            defer { rival.close() }
            let subject: any Side = null ? rival : try CairnSide(path: path)
            let scene = Scene(kind: kind, rows: rows, all: all, directory: directory)
            for workload in selected { try measure(workload, scene, subject, rival) }
        }
    }

    private func measure(_ workload: Workload, _ scene: Scene, _ subject: any Side, _ rival: any Side) throws {
        var times: (subject: [Double], rival: [Double]) = ([], [])
        for round in 0...rounds {
            let input = workload.prepare(scene, round)
            var sums: [UInt64] = [0, 0]
            for side in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let start = ContinuousClock.now
                sums[side] = try workload.run(side == 0 ? subject : rival, scene, input)
                let time = (ContinuousClock.now - start) / .nanoseconds(1) / Double(workload.operations(scene, input))
                if round > 0 {
                    if side == 0 { times.subject.append(time) } else { times.rival.append(time) }
                }
                try workload.tidy(scene)
            }
            guard sums[0] == sums[1] else { throw Disagreement("\(workload.name), round \(round): the sides read different values") }
        }
        let ratio = times.subject.median / times.rival.median
        let byRound = zip(times.subject, times.rival).map { $0 / $1 }.median
        if json {
            printNow(
                "{\"workload\":\"cdb-\(workload.name)\",\"keys\":\"\(scene.kind.rawValue)\",\"subject\":\"CairnCDB\",\"rival\":\"libcdb\","
                    + "\"ratio\":\(fixed(ratio, 4)),\"round_ratio\":\(fixed(byRound, 4)),\"subject_ns\":\(fixed(times.subject.median, 2)),"
                    + "\"rival_ns\":\(fixed(times.rival.median, 2)),\"goal\":\(fixed(workload.goal, 1)),\"rounds\":\(rounds)}"
            )
        } else {
            line(
                workload.name,
                scene.kind.rawValue,
                [times.subject.median, times.subject.min() ?? 0, times.rival.median, times.rival.min() ?? 0].map { fixed($0, 1) }
                    + [fixed(ratio, 3), fixed(byRound, 3), workload.goal > 0 ? fixed(workload.goal, 1) : "-"]
            )
        }
    }

    private func line(_ name: String, _ keys: String, _ columns: [String]) {
        printNow(row([(name, 16), (keys, 8)], columns, width: 10))
    }
}
