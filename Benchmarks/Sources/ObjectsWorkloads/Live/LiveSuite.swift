public import BenchKit
import CairnObjects
public import StoreEngines
import Synchronization

/// What a live query costs: of many objects one changes, until the query's new results are there. Beside the save alone, in a store without live queries.
public struct LiveSuite: Suite {
    private static let tickets = 100_000
    /// Saves of a turn.
    private static let saves = 50

    private let engine: StoreEngine
    private let change: Workload

    public init(_ engine: StoreEngine) {
        self.engine = engine
        let goals = [Goal.ratio(10, to: "save")]
        let usual = Workload("live/change", "save one of 100,000 objects of a live query, until it has the new results", goals: goals)
        change = engine.workload(usual, goals: goals)
    }

    public var workloads: [Workload] { [change] }

    public func run(_ harness: Harness) throws {
        guard harness.settings.isSelected(change.name) else { return }
        let isNull = harness.settings.isNull
        let sides = [isNull ? "save too" : "live query", "save"]
        let places = try sides.map { _ in try harness.folder.makePlace() }
        let stores = try places.map { try engine.open($0, [Ticket.self]) }
        let ids = try stores.map { try Ticket.fill($0, Self.tickets) }
        let seen = Mutex(0)
        let follower = isNull ? nil : try Follower(stores[0]) { ticket in seen.withLock { $0 = ticket.value } }
        var event = Event(change) { turn in
            for number in 1...Self.saves {
                let value = (turn.round + 1) * Self.saves + number
                try Ticket.change(ids[turn.side][value * 7919 % Self.tickets], to: value, in: stores[turn.side])
                guard turn.side == 0, let follower else { continue }
                try follower.wait()
                guard seen.withLock({ $0 }) == value else { throw Disagreement("a live query has other results") }
            }
            return Outcome(operations: Self.saves)
        }
        event.variant = "\(Self.tickets)"
        try harness.hold(Contest(sides: sides, rounds: harness.settings.rounds(11), events: [event]))
        follower?.stop()
        for store in stores { try store.close() }
        for place in places { harness.folder.removePlace(place) }
    }
}
