public import BenchKit

/// What an object costs in stores of 10,000 to 10,000,000, which must not grow. Takes minutes and gigabytes: only when asked for.
public struct CurveSuite: Suite {
    private static let sizes = [10_000, 100_000, 1_000_000, 10_000_000]

    public init() {}

    public var workloads: [Workload] {
        [Program.simpleInsert, .simpleFetch].map { Workload("curve/\($0.rawValue)", "\($0.workload().summary), for each object") }
    }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let sides = Sides.all(isNull: harness.settings.isNull)
        for songs in Self.sizes {
            let programs = Programs(songs: songs)
            var places: [String] = []
            let events = zip([Program.simpleInsert, .simpleFetch], workloads).map { program, workload in
                let due = programs.due(program)
                var event = Event(workload) { turn in
                    let sum = try programs.run(program, sides[turn.side], at: places[turn.side]) {}
                    turn.stop()
                    guard sum == due else { throw Disagreement("\(sides[turn.side].name): \(sum); due are \(due)") }
                    return Outcome(operations: songs, check: sum.check)
                }
                event.variant = "\(songs)"
                return event
            }
            // Small stores take a few milliseconds and are measured more often, the largest once.
            let rounds = songs > 1_000_000 ? 1 : songs < 1_000_000 ? max(11, harness.settings.rounds(5)) : harness.settings.rounds(5)
            var contest = Contest(sides: sides.map(\.name), rounds: rounds, events: events)
            contest.warmUps = songs > 1_000_000 ? 0 : 1
            contest.beginRound = { _ in places = try sides.map { _ in try harness.folder.makePlace() } }
            contest.endRound = { _ in for place in places { harness.folder.removePlace(place) } }
            try harness.hold(contest)
        }
    }
}
