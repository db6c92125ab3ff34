public import BenchKit

/// An object is put into the middle of an ordered list, a commit each: beside SQLite, whose entries behind it get other positions.
///
/// CairnObjects writes the list anew, which decision 0017 gives the reasons for.
public struct ListSuite: Suite {
    private static let sizes = [1_000, 10_000, 100_000]

    private let insert = Workload(
        "objects/list-insert",
        "put an object into the middle of a list, a commit each",
        goals: [.ratio(1, to: "SQLite")]
    )

    public init() {}

    public var workloads: [Workload] { [insert] }

    public func run(_ harness: Harness) throws {
        guard harness.settings.isSelected(insert.name) else { return }
        for size in Self.sizes { try measure(size, harness) }
    }

    private func measure(_ size: Int, _ harness: Harness) throws {
        let sides = self.sides(harness)
        let count = max(5, 100_000 / size)
        var event = Event(insert) { turn in
            let side = sides[turn.side]
            for number in 0..<count { try side.insert(number, at: (size + number) / 2) }
            turn.stop()
            return try Outcome(operations: count, check: side.sum().check)
        }
        event.variant = "\(size)"
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(5), events: [event])
        contest.beginRound = { _ in for side in sides { try side.make(harness.folder.makePlace(), size) } }
        contest.endRound = { _ in for side in sides { try side.close() } }
        try harness.hold(contest)
    }

    private func sides(_ harness: Harness) -> [any ListSide] {
        #if SQLite
        [harness.settings.isNull ? SQLiteList(name: "SQLite too") : CairnList(), SQLiteList()]
        #else
        [CairnList()]
        #endif
    }
}
