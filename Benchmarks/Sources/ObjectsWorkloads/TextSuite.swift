public import BenchKit
import Foundation

/// Full text of CairnObjects beside SQLite's FTS5 with the trigram tokenizer in C, at equal durability.
///
/// Both have the places of trigrams in their indexes. Cairn's are of one byte: names that have a trigram twice are compared with the query.
public struct TextSuite: Suite {
    private static let saves = 200
    private static let repeats = 20

    private let insert = Workload("text/insert", "insert names with full text, one commit", goals: [.ratio(0.5, to: "FTS5")])
    private let firstQuery = Workload(
        "text/query-first",
        "the first query after opening, which reads files",
        goals: [.ratio(2, to: "FTS5")]
    )
    private let queries = Names.queries.map { name, text in
        (Workload("text/\(name)", "ids of names that contain \"\(text)\"", goals: [.ratio(1, to: "FTS5"), .value(5)]), text)
    }
    private let saveSearched = Workload("text/save-one", "one more name with full text, a commit each")
    private let savePlain = Workload("text/save-one-plain", "one more name without, a commit each", goals: [.ratio(1, to: "FTS5")])
    private let size = Workload("text/index-size", "what full text adds to the files", goals: [.ratio(1.2, to: "FTS5")])

    public init() {}

    public var workloads: [Workload] { [insert, firstQuery] + queries.map(\.0) + [saveSearched, savePlain, size] }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let sides = self.sides(harness)
        let names = Names(harness.settings.names), more = Names(Self.saves * 2, seed: 12)
        var places: [String] = []
        var sizes = sides.map { _ in Double.nan }
        var fill = Event(insert) { turn in
            let side = sides[turn.side], place = places[turn.side]
            try side.open(place)
            try side.insert(names, isSearched: true)
            try side.close()
            turn.stop()
            try side.open(place)
            sizes[turn.side] = try side.size { harness.folder.size(ofPlace: place) }
            return Outcome(operations: 1)
        }
        fill.scale = .whole
        var askFirst = Event(firstQuery) { turn in
            let found = try sides[turn.side].query(queries[0].1)
            turn.stop()
            for (_, text) in queries.dropFirst() { _ = try sides[turn.side].query(text) }
            return Outcome(operations: 1, check: found)
        }
        askFirst.scale = .whole
        let ask = queries.map { workload, text in
            var event = Event(workload) { turn in
                let side = sides[turn.side]
                var found: [UInt64] = []
                for _ in 0..<Self.repeats { found = try side.query(text) }
                return Outcome(operations: Self.repeats, check: found)
            }
            event.scale = .whole
            return event
        }
        let save = [(saveSearched, true), (savePlain, false)].map { workload, isSearched in
            Event(workload) { turn in
                for place in 0..<Self.saves { try sides[turn.side].save(more, place, isSearched: isSearched) }
                return Outcome(operations: Self.saves)
            }
        }
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(3), events: [fill, askFirst] + ask + save)
        // The first round takes as long as all the others, and does not differ much from them.
        contest.warmUps = 0
        contest.beginRound = { _ in places = try sides.map { _ in try harness.folder.makePlace() } }
        contest.beforeTurn = { sync() }
        contest.endRound = { _ in
            for side in sides { try side.close() }
            for place in places { harness.folder.removePlace(place) }
        }
        try harness.hold(contest)
        if harness.settings.isSelected(size.name) { try measureSize(sides, sizes, names, harness) }
    }

    private func sides(_ harness: Harness) -> [any TextSide] {
        #if SQLite
        [harness.settings.isNull ? SQLiteTexts(name: "FTS5 too") : CairnTexts(), SQLiteTexts()]
        #else
        [CairnTexts()]
        #endif
    }

    /// What a store takes more with full text than without.
    private func measureSize(_ sides: [any TextSide], _ searched: [Double], _ names: Names, _ harness: Harness) throws {
        let sizes = try zip(sides, searched).map { side, searched in
            let place = try harness.folder.makePlace()
            defer { harness.folder.removePlace(place) }
            try side.open(place)
            try side.insert(names, isSearched: false)
            try side.close()
            try side.open(place)
            let plain = try side.size { harness.folder.size(ofPlace: place) }
            try side.close()
            return (searched - plain) / 1e6
        }
        var result = Measured(size, subject: sides[0].name, unit: "MB", value: sizes[0])
        if sides.count > 1 { result.setRival(sides[1].name, value: sizes[1], goals: size.goals) }
        harness.add(result)
    }
}
