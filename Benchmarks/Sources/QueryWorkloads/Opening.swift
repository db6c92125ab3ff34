import BenchKit
import Foundation
import StoreEngines

/// What it takes to open a store and ask it something.
enum Opening: String, CaseIterable {
    /// It was closed.
    case clean = "open"
    /// It was closed, and is changed.
    case commit = "open-commit"
    /// It is small, and everything is read.
    case all = "open-all"
    /// It was closed after many small commits.
    case afterSaves = "open-after-saves"
    /// Its process was killed after them.
    case afterKill = "open-after-kill"

    /// A store that is read as a whole has no more items.
    private static let small = 10_000
    private static let saves = [15_000, 60_000]

    func workload(_ engine: StoreEngine) -> Workload {
        let (summary, limit): (String, Double?) =
            switch self {
            case .clean: ("open a store, an item by number", 8)
            case .commit: ("open a store, change an item and commit", nil)
            case .all: ("open a small store, all items", nil)
            case .afterSaves: ("open a store after many small commits", 8)
            case .afterKill: ("open a store whose process was killed after many small commits", 60)
            }
        return engine.workload(
            Workload("queries/\(rawValue)", summary, goals: [.ratio(1, to: "GRDB")] + (limit.map { [.value($0)] } ?? [])),
            goals: [.ratio(1, to: StoreEngine.rocks.sideName)] + (self == .clean ? [.value(1)] : [])
        )
    }

    /// Opens stores that are closed, and copies of them that are then changed.
    static func measure(_ stores: ItemStores, _ engine: StoreEngine, _ harness: Harness) throws {
        var events: [Event] = []
        for opening in stores.items.count > small ? [Opening.clean] : [.clean, .all] {
            events.append(try opening.event(engine, stores.items, stores.sides, "\(stores.items.count)") { stores.places[$0] })
        }
        var contest = Contest(sides: stores.sides.map(\.name), rounds: harness.settings.rounds(11), events: events)
        contest.patience = .seconds(8)
        try harness.hold(contest)
        // Of copies, since the other rows read the stores.
        var places: [String] = []
        let commit = try Opening.commit.event(engine, stores.items, stores.sides, "\(stores.items.count)") { places[$0] }
        contest = Contest(sides: stores.sides.map(\.name), rounds: harness.settings.rounds(7), events: [commit])
        contest.patience = .seconds(8)
        contest.beginRound = { _ in places = try stores.places.map(harness.folder.copyPlace) }
        contest.beforeTurn = { sync() }
        contest.endRound = { _ in for place in places { harness.folder.removePlace(place) } }
        try harness.hold(contest)
    }

    /// Opens copies of stores that were changed often.
    static func measureAfterSaves(_ engine: StoreEngine, _ harness: Harness) throws {
        guard [Opening.afterSaves, .afterKill].contains(where: { harness.settings.isSelected($0.workload(engine).name) }) else { return }
        let largest = harness.settings.items.max() ?? 0
        for count in Set(saves.map { min($0, largest) }).sorted() {
            let stores = try ItemStores(Items(count: 1_000), ItemStores.sides(engine, isNull: harness.settings.isNull), harness)
            let killed = try stores.save(count, harness), closed = stores.places
            var places: [[String]] = []
            let events = try [(Opening.afterSaves, 0), (.afterKill, 1)].map { opening, kind in
                try opening.event(engine, stores.items, stores.sides, "\(count)") { places[kind][$0] }
            }
            var contest = Contest(sides: stores.sides.map(\.name), rounds: harness.settings.rounds(7), events: events)
            contest.beginRound = { _ in places = try [closed, killed].map { try $0.map(harness.folder.copyPlace) } }
            contest.beforeTurn = { sync() }
            contest.endRound = { _ in for place in places.joined() { harness.folder.removePlace(place) } }
            try harness.hold(contest)
            for place in killed { harness.folder.removePlace(place) }
            try stores.remove(harness)
        }
    }

    /// Time runs from opening until the answer is there.
    private func event(
        _ engine: StoreEngine,
        _ items: Items,
        _ sides: [any ItemSide],
        _ variant: String,
        _ place: @escaping (_ side: Int) -> String
    ) throws -> Event {
        let row: Row =
            switch self {
            case .commit: .change
            case .all: .all
            case .clean, .afterSaves, .afterKill: .byIndex
            }
        let arguments = row.arguments(items, 1)
        var event = Event(workload(engine)) { turn in
            let side = sides[turn.side], place = place(turn.side)
            try side.prepare(row, arguments)
            turn.restart()
            try side.open(place)
            let found = try side.run(row, 0..<1)
            turn.stop()
            try side.close()
            return Outcome(operations: 1, check: found.check)
        }
        event.scale = .whole
        event.variant = variant
        return event
    }
}

extension ItemStores {
    /// Inserts items into all stores, a commit each, and closes them; returns copies made before that, with what a process that is killed leaves.
    fileprivate func save(_ count: Int, _ harness: Harness) throws -> [String] {
        try open()
        for side in sides {
            try side.prepare(.insert, Row.insert.arguments(items, count))
            _ = try side.run(.insert, 0..<count)
        }
        let killed = try places.map(harness.folder.copyPlace)
        try close()
        return killed
    }
}
