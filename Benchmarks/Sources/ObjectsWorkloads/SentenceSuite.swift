public import BenchKit
import Foundation

/// Full text of sentences: words that many or few of them have, all that are found and the first of them, a phrase, and saves of one.
public struct SentenceSuite: Suite {
    private static let saves = 200
    /// Objects that are read of those that are found; queries of a turn.
    private static let first = 20, repeats = 20

    private let insert = Workload("text/sentences-insert", "insert sentences with full text, one commit", goals: [.ratio(1, to: "FTS5")])
    private let save = Workload("text/sentences-save", "one more sentence, a commit each", goals: [.ratio(1, to: "FTS5")])
    private let queries: [(workload: Workload, text: String, isFirst: Bool)] = [
        ("tenth", "a word that a tenth of the sentences have", Names.tenth),
        ("hundredth", "a word that a hundredth of the sentences have", Names.hundredth),
        ("rare", "a rare word", Names.rare),
        ("phrase", "a phrase of three words", Names.phrase),
    ].flatMap { name, summary, text in
        [("\(name)-ids", "IDs of all with \(summary)", false), ("\(name)-first", "the first 20 with \(summary)", true)].map {
            (Workload("text/\($0.0)", $0.1, goals: [.ratio(1, to: "FTS5")]), text, $0.2)
        }
    }

    public init() {}

    public var workloads: [Workload] { [insert, save] + queries.map(\.workload) }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let sides = sides(harness)
        let count = min(300_000, harness.settings.names)
        let sentences = Names.sentences(count), more = Names.sentences(Self.saves, seed: 18)
        var places: [String] = []
        var fill = Event(insert) { turn in
            let side = sides[turn.side]
            try side.open(places[turn.side])
            try side.insert(sentences, isSearched: true)
            try side.close()
            turn.stop()
            try side.open(places[turn.side])
            return Outcome(operations: count)
        }
        fill.variant = "\(count)"
        let ask = queries.map { workload, text, isFirst in
            var event = Event(workload) { turn in
                let side = sides[turn.side]
                var found: [UInt64] = []
                for _ in 0..<Self.repeats { found = try isFirst ? side.first(Self.first, text) : side.query(text) }
                return Outcome(operations: Self.repeats, check: found)
            }
            event.variant = "\(count)"
            return event
        }
        var add = Event(save) { turn in
            for place in 0..<Self.saves { try sides[turn.side].save(more, place, isSearched: true) }
            return Outcome(operations: Self.saves)
        }
        add.variant = "\(count)"
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(3), events: [fill] + ask + [add])
        contest.warmUps = 0
        contest.beginRound = { _ in places = try sides.map { _ in try harness.folder.makePlace() } }
        contest.beforeTurn = { sync() }
        contest.endRound = { _ in
            for side in sides { try side.close() }
            for place in places { harness.folder.removePlace(place) }
        }
        try harness.hold(contest)
    }

    private func sides(_ harness: Harness) -> [any TextSide] {
        #if SQLite
        [harness.settings.isNull ? SQLiteTexts(name: "FTS5 too") : CairnTexts(), SQLiteTexts()]
        #else
        [CairnTexts()]
        #endif
    }
}
