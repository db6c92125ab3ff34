import BenchKit
import Foundation
import StoreEngines

/// The stores of all sides, of one size, built when they are first needed and then used by all rows.
final class ItemStores {
    let items: Items
    let sides: [any ItemSide]
    let places: [String]

    init(_ items: Items, _ sides: [any ItemSide], _ harness: Harness) throws {
        self.items = items
        self.sides = sides
        var places: [String] = []
        for side in sides {
            if side.isSQLite, let made = sides.firstIndex(where: \.isSQLite), made < places.count {
                places.append(try harness.folder.copyPlace(places[made]))
            } else {
                places.append(try harness.folder.makePlace())
                try side.build(items, at: places[places.count - 1])
            }
        }
        self.places = places
        // Reads do not wait for what building wrote.
        sync()
    }

    func open() throws { for (side, place) in zip(sides, places) { try side.open(place) } }
    func close() throws { for side in sides { try side.close() } }

    func remove(_ harness: Harness) throws {
        try close()
        for place in places { harness.folder.removePlace(place) }
    }

    /// Items, with their owners and tags, are inserted into new stores: the time runs until they are committed.
    static func insertAll(_ workload: Workload, _ items: Items, _ sides: [any ItemSide], _ harness: Harness) throws {
        let rows = (0..<items.count).map { items[$0] }
        var places: [String] = []
        var event = Event(workload) { turn in
            let side = sides[turn.side]
            try side.open(places[turn.side])
            turn.restart()
            try side.insert(rows, items)
            turn.stop()
            try side.prepare(.all, [Argument()])
            let found = try side.run(.all, 0..<1)
            try side.close()
            return Outcome(operations: items.count, check: found.check)
        }
        event.variant = "\(items.count)"
        var contest = Contest(sides: sides.map(\.name), rounds: harness.settings.rounds(5), events: [event])
        contest.warmUps = 0
        contest.patience = .seconds(20)
        contest.beginRound = { _ in places = try sides.map { _ in try harness.folder.makePlace() } }
        contest.beforeTurn = { sync() }
        contest.endRound = { _ in for place in places { harness.folder.removePlace(place) } }
        try harness.hold(contest)
    }

    /// The sides that are measured, the subject first: on SQLite beside RocksDB.
    static func sides(_ engine: StoreEngine, isNull: Bool) -> [any ItemSide] {
        guard engine == .rocks else { return [isNull ? CairnItems(name: "CairnObjects too") : CairnItems(engine), CairnItems()] }
        #if SQLite
        return [isNull ? SQLiteItems(name: "SQLite too") : CairnItems(), SQLiteItems(), GRDBItems()]
        #else
        return [CairnItems()]
        #endif
    }
}
