public import BenchKit
public import StoreEngines

/// A long ordered list: objects are put into its middle, appended, moved and taken out, a commit each, and its last ones are read. Beside SQLite in
/// C and records of GRDB, whose entries behind a new one get other positions.
///
/// CairnObjects writes one or two chunks of the list, which decision 0020 gives the reasons for.
public struct ListSuite: Suite {
    private static let sizes = [1_000, 10_000, 100_000]
    /// Appending costs a row of SQLite too, so that longer lists can be compared.
    private static let longSizes = sizes + [1_000_000]

    private let engine: StoreEngine
    private let insert, append, move, remove, tail, slice: Workload

    public init(_ engine: StoreEngine = .rocks) {
        self.engine = engine
        insert = engine.workload(
            Workload(
                "objects/list-insert",
                "put an object into the middle of a list, a commit each",
                goals: [.ratio(1, to: "SQLite")]
            ),
            goals: [.ratio(0.8, to: "SQLite"), .ratio(0.5, to: "GRDB")]
        )
        append = engine.workload(
            Workload("objects/list-append", "append an object to a list, a commit and a context each"),
            goals: [.ratio(0.5, to: "GRDB")]
        )
        move = engine.workload(Workload("objects/list-move", "move an object of a list, a commit and a context each"))
        remove = engine.workload(
            Workload("objects/list-remove", "take an object out of the middle of a list, a commit and a context each")
        )
        tail = engine.workload(Workload("objects/list-tail", "read the last 50 objects of a list, a context each"))
        slice = engine.workload(Workload("objects/list-slice", "read 50 objects in the middle of a list, a context each"))
    }

    public var workloads: [Workload] { [insert, append, move, remove, tail, slice] }

    public func run(_ harness: Harness) throws {
        for size in Self.sizes {
            try measure(insert, size, max(5, 100_000 / size), harness, sides(harness)) { side, number in
                try side.insert(number, at: (size + number) / 2)
            }
        }
        for size in Self.longSizes {
            try measure(append, size, 200, harness, sides(harness)) { side, number in try side.append(number) }
            try measure(move, size, 200, harness, [CairnList(engine)]) { side, number in
                try side.move(from: number * 7919 % size, to: number * 104_729 % size)
            }
            try measure(remove, size, 200, harness, [CairnList(engine)]) { side, number in try side.remove(at: size / 2 - number) }
            try measure(tail, size, 200, harness, [CairnList(engine)]) { side, _ in try side.read(size - 50..<size) }
            try measure(slice, size, 200, harness, [CairnList(engine)]) { side, number in
                try side.read(size / 2 + number..<size / 2 + number + 50)
            }
        }
    }

    private func measure<Side>(
        _ workload: Workload,
        _ size: Int,
        _ count: Int,
        _ harness: Harness,
        _ sides: [Side],
        _ body: @escaping (Side, Int) throws -> Void
    ) throws {
        guard harness.settings.isSelected(workload.name) else { return }
        let all = sides.compactMap { $0 as? any ListSide }
        var event = Event(workload) { turn in
            for number in 0..<count { try body(sides[turn.side], number) }
            turn.stop()
            return try Outcome(operations: count, check: all[turn.side].sum().check)
        }
        event.variant = "\(size)"
        var contest = Contest(sides: all.map(\.name), rounds: harness.settings.rounds(5), events: [event])
        contest.beginRound = { _ in for side in all { try side.make(harness.folder.makePlace(), size) } }
        contest.endRound = { _ in for side in all { try side.close() } }
        try harness.hold(contest)
    }

    private func sides(_ harness: Harness) -> [any ListSide] {
        #if SQLite
        [harness.settings.isNull ? SQLiteList(name: "SQLite too") : CairnList(engine), SQLiteList(), GRDBList()]
        #else
        [CairnList(engine)]
        #endif
    }
}
