import BenchKit

extension ItemStores {
    /// Queries of a turn at most, and changes.
    private static let most = 1_000, changes = 200
    /// What the slowest side's turn should take.
    private static let turn = Duration.milliseconds(30)
    /// How long a side is asked before that.
    private static let warming = Duration.milliseconds(250)

    /// A query of a row that reads for each of its arguments; rounds ask about others, all of which were asked before.
    func read(_ row: Row, as workload: Workload, _ harness: Harness) throws {
        let arguments = row.arguments(items, Self.most)
        for side in sides { try side.prepare(row, arguments) }
        let (warm, time) = try warm(row)
        let repeats = max(1, min(warm, Int(Self.turn / time)))
        var event = Event(workload) { [sides] turn in
            let start = turn.round * repeats % (warm - repeats + 1)
            return try Outcome(operations: repeats, check: sides[turn.side].run(row, start..<start + repeats).check)
        }
        event.variant = "\(items.count)"
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(11), events: [event])
        contest.warmUps = 0
        contest.patience = .seconds(4)
        try harness.hold(contest)
    }

    /// Asks all sides for a while. Returns how many arguments all of them have seen, and what a query of the slowest takes.
    private func warm(_ row: Row) throws -> (Int, time: Duration) {
        var places = Self.most, longest = Duration.nanoseconds(1)
        for side in sides {
            let start = ContinuousClock.now
            var asked = 0
            while asked == 0 || asked < Self.most && ContinuousClock.now - start < Self.warming {
                _ = try side.run(row, asked..<asked + 1)
                asked += 1
            }
            places = min(places, asked)
            longest = max(longest, (ContinuousClock.now - start) / asked)
        }
        return (places, longest)
    }

    /// Rounds of all changes: what a round inserts it deletes again.
    func change(as workload: (Row) -> Workload, _ harness: Harness) throws {
        let events = Row.changes.map { row in
            let arguments = row.arguments(items, Self.changes)
            var event = Event(workload(row)) { [sides] turn in
                let side = sides[turn.side]
                try side.prepare(row, arguments)
                turn.restart()
                return try Outcome(operations: Self.changes, check: side.run(row, 0..<Self.changes).check)
            }
            event.variant = "\(items.count)"
            return event
        }
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(7), events: events)
        contest.patience = .seconds(8)
        try harness.hold(contest)
    }
}
