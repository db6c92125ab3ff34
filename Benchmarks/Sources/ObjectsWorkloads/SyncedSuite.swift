public import BenchKit
import BenchSupport
import CairnObjects
import Foundation
public import StoreEngines
import Synchronization

/// Contexts that make `.synced` saves at once, beside one context alone, on a disk whose syncs take 2 ms: those that wait at once share a sync.
public struct SyncedSuite: Suite {
    private static let contexts = 16
    /// Saves of each context in a turn.
    private static let saves = 20
    private static let rival = "one context"

    private let engine: StoreEngine
    private let save: Workload

    public init(_ engine: StoreEngine) {
        self.engine = engine
        // 16 contexts save at least 8 times as much.
        let goals = [Goal.ratio(1 / 8, to: Self.rival)]
        let summary = "insert an object, a .synced commit each, where a sync takes 2 ms: 16 contexts"
        save = engine.workload(Workload("writes/synced", summary, goals: goals), goals: goals)
    }

    public var workloads: [Workload] { [save] }

    public func run(_ harness: Harness) throws {
        guard harness.settings.isSelected(save.name), bench_delay_syncs(0) else { return }
        let sides = harness.settings.isNull ? ["\(Self.rival) too", Self.rival] : ["\(Self.contexts) contexts", Self.rival]
        let contexts = [harness.settings.isNull ? 1 : Self.contexts, 1]
        var options = ObjectStoreOptions()
        options.durability = .synced
        let places = try sides.map { _ in try harness.folder.makePlace() }
        defer { for place in places { harness.folder.removePlace(place) } }
        let stores = try places.map { try engine.open($0, [Ticket.self], options) }
        let event = Event(save) { turn in
            _ = bench_delay_syncs(2_000)
            defer { _ = bench_delay_syncs(0) }
            turn.restart()
            try Self.save(in: stores[turn.side], contexts: contexts[turn.side])
            turn.stop()
            return Outcome(operations: contexts[turn.side] * Self.saves, check: nil)
        }
        try harness.hold(Contest(sides: sides, rounds: harness.settings.rounds(11), events: [event]))
        for store in stores { try store.close() }
    }

    /// Saves from so many threads, each with a context of its own.
    private static func save(in store: ObjectStore, contexts: Int) throws {
        let failure = Mutex<(any Error)?>(nil)
        let threads = DispatchGroup()
        for context in 0..<contexts {
            threads.enter()
            Thread.detachNewThread {
                do { try save(in: store, number: context) } catch { failure.withLock { $0 = error } }
                threads.leave()
            }
        }
        threads.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private static func save(in store: ObjectStore, number: Int) throws {
        let context = try store.makeContext()
        defer { context.close() }
        for _ in 0..<saves {
            context.insert(Ticket(number: number, value: 0))
            try context.save()
        }
    }
}
