import BenchKit

extension ItemStores {
    /// Queries of a turn at most, and changes.
    private static let most = 1_000, changes = 200
    /// What the slowest side's turn should take.
    private static let turn = Duration.milliseconds(30)

    /// A query of a row that reads for each of its arguments; each round asks about others.
    func read(_ row: Row, as workload: Workload, _ harness: Harness) throws {
        let arguments = row.arguments(items, Self.most)
        for side in sides { try side.prepare(row, arguments) }
        let (repeats, isSlow) = try repeats(row)
        var event = Event(workload) { [sides] turn in
            let start = abs(turn.round) * repeats % (Self.most - repeats + 1)
            return try Outcome(operations: repeats, check: sides[turn.side].run(row, start..<start + repeats).check)
        }
        event.variant = "\(items.count)"
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(11), events: [event])
        contest.patience = .seconds(4)
        if isSlow { contest.warmUps = 0 }
        try harness.hold(contest)
    }

    /// So many that a turn takes a while, and few enough that it does not take long; whether one takes so long that no round should be spent on
    /// warming up.
    private func repeats(_ row: Row) throws -> (Int, isSlow: Bool) {
        func time(_ side: any ItemSide, _ place: Int) throws -> Duration {
            let start = ContinuousClock.now
            _ = try side.run(row, place..<place + 1)
            return ContinuousClock.now - start
        }
        var longest = Duration.nanoseconds(1)
        for side in sides {
            let first = try time(side, 0)
            longest = try max(longest, first > Self.turn ? first : time(side, 1))
        }
        return (max(1, min(Self.most, Int(Self.turn / longest))), longest > .seconds(1))
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
