public import BenchKit
import CairnObjects
public import StoreEngines

/// What it costs that `write { }` depends on all that it has read: beside `write(conflictPolicy:)`, which compares changed objects only. Nobody else saves, so
/// nothing is in conflict.
public struct SerializableSuite: Suite {
    private static let tickets = 100_000
    /// Saves of a turn.
    private static let saves = 200
    private static let rival = "changed objects only"

    private let engine: StoreEngine
    private let change: Workload
    private let readMany: Workload

    public init(_ engine: StoreEngine) {
        self.engine = engine
        // The condition for being the default.
        func workload(_ name: String, _ summary: String) -> Workload {
            let goals = [Goal.ratio(1.1, to: Self.rival)]
            return engine.workload(Workload(name, summary, goals: goals), goals: goals)
        }
        change = workload("writes/change", "find one of 100,000 objects by its number and change it, with write { }")
        readMany = workload("writes/read-100", "find 100 of 100,000 objects by their numbers and change one, with write { }")
    }

    public var workloads: [Workload] { [change, readMany] }

    public func run(_ harness: Harness) throws {
        for (workload, reads) in [(change, 1), (readMany, 100)] where harness.settings.isSelected(workload.name) {
            try measure(workload, reads, harness)
        }
    }

    private func measure(_ workload: Workload, _ reads: Int, _ harness: Harness) throws {
        let isNull = harness.settings.isNull
        let sides = [isNull ? "\(Self.rival) too" : "write", Self.rival]
        let places = try sides.map { _ in try harness.folder.makePlace() }
        let stores = try places.map { try engine.open($0, [Ticket.self]) }
        for store in stores { _ = try Ticket.fill(store, Self.tickets) }
        let event = Event(workload) { turn in
            var sum: UInt64 = 0
            for save in 0..<Self.saves {
                let first = (turn.round + 1) * Self.saves + save
                func body(_ context: ObjectContext) throws { sum += try Self.change(first, reads, context) }
                if turn.side == 0, !isNull {
                    try stores[0].write { try body($0) }
                } else {
                    try stores[turn.side].write(conflictPolicy: .fail) { try body($0) }
                }
            }
            return Outcome(operations: Self.saves, check: [sum])
        }
        try harness.hold(Contest(sides: sides, rounds: harness.settings.rounds(11), events: [event]))
        for store in stores { try store.close() }
        for place in places { harness.folder.removePlace(place) }
    }

    /// Reads some tickets, far from each other, and changes the first; returns the sum of their values.
    private static func change(_ first: Int, _ reads: Int, _ context: ObjectContext) throws -> UInt64 {
        var sum = 0
        for read in 0..<reads {
            let number = (first + read) * 7919 % tickets
            guard let ticket = try context.first(Ticket.self, where: \.number == number) else { throw Disagreement("a ticket is missing") }
            sum += ticket.value
            if read == 0 { ticket.value += 1 }
        }
        return UInt64(sum)
    }
}
