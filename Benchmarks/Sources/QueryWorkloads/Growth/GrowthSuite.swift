public import BenchKit
import Foundation
public import StoreEngines

/// Relationships that grow, beside SQLite in C and records of GRDB: what an operation takes must not depend on how much is there.
public struct GrowthSuite: Suite {
    private static let sizes = [1_000, 10_000, 100_000]
    /// Of an object whose name changes.
    private static let contents = 64 << 20

    let append, tail, labelled, add, insert, count, contains, delete: Workload
    private let bytes, growth, rename: Workload
    private let engine: StoreEngine

    /// What appending gives besides its time.
    private var appended: [Workload] { [bytes, growth] }

    public init(_ engine: StoreEngine = .rocks) {
        self.engine = engine
        func workload(_ name: String, _ summary: String, _ goals: [Goal]) -> Workload {
            engine.queryWorkload(Workload("queries/\(name)", summary, goals: goals))
        }
        let reading = [Goal.ratio(4, to: "SQLite"), .ratio(1, to: "GRDB")], changing = [Goal.ratio(1, to: "GRDB")]
        append = workload("list-append", "append an object to a list, a commit each", changing + [.value(100_000)])
        bytes = workload("list-append-bytes", "what that writes", changing)
        let limit = [Goal.value(1.5)]
        growth = engine.workload(Workload("queries/list-append-growth", "that, as the list grows", goals: limit), goals: limit)
        tail = workload("list-tail", "the last 50 objects of a list", reading)
        labelled = workload("leads-to", "the first 50 objects that lead to another, by a predicate", reading)
        add = workload("set-add", "make an object of an inverse set, a commit each", changing)
        insert = workload("set-insert", "insert into an inverse set, a commit each", changing)
        count = workload("set-count", "the number of objects of a set", reading)
        contains = workload("set-contains", "whether a set has an object", reading)
        delete = workload("set-delete", "delete the owner of a set, one commit", changing)
        rename = workload("rename-large", "rename an object with 64 MiB of data, a commit each", changing)
    }

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
            for (side, place) in zip(sides, places) {
                try side.open(place)
                // The first commit makes a store ready for writing, which `queries/open-commit` has.
                try side.append(-1)
            }
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
        guard engine == .rocks else { return [CairnGrowth(engine), CairnGrowth(), GRDBGrowth()] }
        return [harness.settings.isNull ? SQLiteGrowth(name: "SQLite too") : CairnGrowth(), SQLiteGrowth(), GRDBGrowth()]
        #else
        return engine == .rocks ? [CairnGrowth()] : [CairnGrowth(engine), CairnGrowth()]
        #endif
    }
}
