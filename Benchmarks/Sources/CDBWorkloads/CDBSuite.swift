public import BenchKit
import Foundation

#if CDB
import RivalCDB
#endif

/// CairnCDB beside libcdb (tinycdb), in the same process on the same files.
public struct CDBSuite: Suite {
    public init() {}

    public var workloads: [Workload] { Task.all.map(\.workload) }

    #if CDB
    public var libraries: [String: String] { ["tinycdb": unsafe String(cString: rival_cdb_version())] }

    public func run(_ harness: Harness) throws {
        let tasks = Task.all.filter { harness.settings.isSelected($0.workload.name) }
        guard !tasks.isEmpty else { return }
        for kind in KeyKind.allCases {
            let path = harness.folder.path("\(kind.rawValue).cdb")
            let all = Keys(kind, 0..<harness.settings.rows)
            // Both sides read the same file, which libcdb made.
            guard unsafe rival_cdb_create(path, all.bytes, all.count, Values.template, false) else {
                throw Disagreement("libcdb cannot make \(path)")
            }
            let rival = try RivalSide(path: path)
            defer { rival.close() }
            let subject: any Side = harness.settings.isNull ? rival : try CairnSide(path: path)
            let scene = Scene(kind: kind, rows: harness.settings.rows, all: all, created: harness.folder.path("created.cdb"))
            for task in tasks { try measure(task, scene, [subject, rival], harness) }
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private func measure(_ task: Task, _ scene: Scene, _ sides: [any Side], _ harness: Harness) throws {
        var input = scene.all
        var event = Event(task.workload) { turn in
            if let beforeTurn = task.beforeTurn {
                try beforeTurn(scene)
                turn.restart()
            }
            let check = try task.run(sides[turn.side], scene, input)
            turn.stop()
            try task.tidy(scene)
            return Outcome(operations: task.operations(scene, input), check: [check])
        }
        event.variant = scene.kind.rawValue
        let rounds = harness.settings.rounds(15), warmUps = 1
        let names = [harness.settings.isNull ? "libcdb too" : "CairnCDB", "libcdb"]
        var contest = Contest(sides: names, rounds: rounds, events: [event])
        contest.warmUps = warmUps
        contest.beginRound = { input = task.prepare(scene, $0 + warmUps) }
        try harness.hold(contest)
    }
    #else
    public var absent: [String] { ["cdb: left out, since libcdb (tinycdb) is not installed: scripts/deps bench"] }

    public func run(_ harness: Harness) throws {}
    #endif
}
