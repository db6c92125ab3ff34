public import BenchKit
import CairnRocks

/// CairnRocks beside the same program in C++, on the same library in the same process.
public struct RocksSuite: Suite {
    public init() {}

    public var workloads: [Workload] { Task.all.map(\.workload) }
    public var libraries: [String: String] { ["RocksDB": RocksDB.libraryVersion] }

    public func run(_ harness: Harness) throws {
        let databases = try Databases(harness)
        var filled: Sides?
        for task in Task.all where harness.settings.isSelected(task.workload.name) {
            switch task.target {
            case .fresh:
                try databases.withFresh(task.ours) { sides in
                    try measure(task, sides, harness)
                    guard try sides.subject.scan() == sides.rival.scan() else {
                        throw Disagreement("\(task.workload.name): the sides wrote different rows")
                    }
                }
            case .followed:
                try databases.withFollowed { sides, written in try measure(task, sides, harness) { try written.put($0) } }
            case .filled:
                let sides = try filled ?? databases.filled((0..<UInt32(harness.settings.rows)).map { $0 })
                filled = sides
                try measure(task, sides, harness)
            }
        }
        try filled?.subject.close()
        try filled?.rival.close()
    }

    /// - Parameter prepare: what happens to the rows of a round before it.
    private func measure(_ task: Task, _ sides: Sides, _ harness: Harness, prepare: @escaping ([UInt32]) throws -> Void = { _ in }) throws {
        let rounds = harness.settings.rounds(task.usualRounds)
        let shares = Shares(rowCount: harness.settings.rows, rounds: rounds + 1)
        var share = (rows: [UInt32](), operations: 0)
        let event = Event(task.workload) { turn in
            let check = try task.run(turn.side == 0 ? sides.subject : sides.rival, share.rows)
            return Outcome(operations: share.operations, check: [check])
        }
        var contest = Contest(sides: [harness.settings.isNull ? "C++ too" : "CairnRocks", "C++"], rounds: rounds, events: [event])
        contest.beginRound = {
            share = shares.share(of: task, round: $0 + 1)
            try prepare(share.rows)
        }
        try harness.hold(contest)
    }
}
