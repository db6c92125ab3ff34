public import BenchKit
import Foundation

/// Relationships that grow, beside SQLite in C and records of GRDB: what an operation takes must not depend on how much is there.
public struct GrowthSuite: Suite {
    private static let sizes = [1_000, 10_000, 100_000]
    /// Of an object whose name changes.
    private static let contents = 64 << 20

    let append = Workload(
        "queries/list-append",
        "append an object to a list, a commit each",
        goals: [.ratio(1, to: "GRDB"), .value(100_000)]
    )
    private let bytes = Workload("queries/list-append-bytes", "what that writes", goals: [.ratio(1, to: "GRDB")])
    private let growth = Workload("queries/list-append-growth", "that, as the list grows", goals: [.value(1.5)])
    let tail = Workload("queries/list-tail", "the last 50 objects of a list", goals: Self.goals)
    let labelled = Workload("queries/leads-to", "the first 50 objects that lead to another, by a predicate", goals: Self.goals)
    let add = Workload(
        "queries/set-add",
        "make an object of an inverse set, a commit each",
        goals: [.ratio(1, to: "GRDB")]
    )
    let insert = Workload(
        "queries/set-insert",
        "insert into an inverse set, a commit each",
        goals: [.ratio(1, to: "GRDB")]
    )
    let count = Workload("queries/set-count", "the number of objects of a set", goals: Self.goals)
    let contains = Workload("queries/set-contains", "whether a set has an object", goals: Self.goals)
    let delete = Workload("queries/set-delete", "delete the owner of a set, one commit", goals: [.ratio(1, to: "GRDB")])
    private let rename = Workload(
        "queries/rename-large",
        "rename an object with 64 MiB of data, a commit each",
        goals: [.ratio(1, to: "GRDB")]
    )
    private static let goals = [Goal.ratio(4, to: "SQLite"), .ratio(1, to: "GRDB")]

    /// What appending gives besides its time.
    private var appended: [Workload] { [bytes, growth] }

    public init() {}

    public var workloads: [Workload] { [append] + appended + [tail, labelled, add, insert, count, contains, delete, rename] }

    public func run(_ harness: Harness) throws {
        if workloads.dropLast().contains(where: { harness.settings.isSelected($0.name) }) {
            let largest = harness.settings.items.max() ?? 0
            for size in Self.sizes + [1_000_000] where size <= largest { try grow(size, harness) }
        }
        harness.addGrowth(growth, of: append, from: Self.sizes[0], to: Self.sizes[2])
        if harness.settings.isSelected(rename.name) { try measureRename(harness) }
    }

    private func grow(_ size: Int, _ harness: Harness) throws {
        let sides = sides(harness)
        let made = try sides.map { side in
            let place = try harness.folder.makePlace()
            try side.build(size, at: place)
            return place
        }
        var places: [String] = []
        let written = WrittenBytes(sides: sides.count)
        let events = events(sides, size, written).filter { event in
            let name = event.workload.name
            return harness.settings.isSelected(name) || name == append.name && appended.contains { harness.settings.isSelected($0.name) }
        }
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(5), events: events)
        contest.patience = .seconds(15)
        contest.beginRound = { _ in
            places = try made.map(harness.folder.copyPlace)
            for (side, place) in zip(sides, places) { try side.open(place) }
        }
        contest.endRound = { _ in
            for side in sides { try side.close() }
            for place in places { harness.folder.removePlace(place) }
        }
        try harness.hold(contest)
        for place in made { harness.folder.removePlace(place) }
        compare(written.each.map(\.median), sides, size, harness)
    }

    private func compare(_ bytes: [Double], _ sides: [any GrowthSide], _ size: Int, _ harness: Harness) {
        guard bytes[0].isFinite else { return }
        let own = Measured(self.bytes, variant: "\(size)", subject: sides[0].name, unit: "bytes", value: bytes[0])
        guard sides.count > 1 else { return harness.add(own) }
        for (side, bytes) in zip(sides, bytes).dropFirst() {
            var result = own
            result.setRival(side.name, value: bytes, goals: self.bytes.goals)
            harness.add(result)
        }
    }

    private func measureRename(_ harness: Harness) throws {
        let sides = sides(harness)
        for side in sides {
            let place = try harness.folder.makePlace()
            try side.build(0, at: place)
            try side.open(place)
            try side.attach("before", [UInt8](repeating: 7, count: Self.contents))
        }
        let event = Event(rename) { turn in
            for number in 0..<5 { try sides[turn.side].rename("name \(turn.round) \(number)") }
            return Outcome(operations: 5)
        }
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(5), events: [event])
        contest.beforeTurn = { sync() }
        contest.patience = .seconds(15)
        try harness.hold(contest)
        for side in sides { try side.close() }
    }

    private func sides(_ harness: Harness) -> [any GrowthSide] {
        #if SQLite
        [harness.settings.isNull ? SQLiteGrowth(name: "SQLite too") : CairnGrowth(), SQLiteGrowth(), GRDBGrowth()]
        #else
        [CairnGrowth()]
        #endif
    }
}
