public import BenchKit
import CairnObjects
import Dispatch
import Foundation
import StoreEngines
import Synchronization

/// How soon a live query has what another process saves: from before the save until the query's results have the object's new value. The other process
/// saves at random times.
public struct NewsSuite: Suite {
    private static let tickets = 100_000
    private static let saves = 1_000
    /// Between two saves, at most, in microseconds.
    private static let pause: UInt64 = 20_000

    private let half = Workload("live-sqlite/news-p50", "another process saves, until a live query of 100,000 objects has it: the median")
    private let most = Workload("live-sqlite/news-p99", "the same, the 99th percentile", goals: [.value(50)])

    public init() {}

    public var workloads: [Workload] { [half, most] }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let place = try harness.folder.makePlace()
        defer { harness.folder.removePlace(place) }
        try fill(place)
        let store = try StoreEngine.sqlite.open(place, [Ticket.self])
        let times = Mutex<[Double]>([])
        let follower = try Follower(store) { ticket in
            let nanoseconds = Int(DispatchTime.now().uptimeNanoseconds) - ticket.value
            times.withLock { $0.append(Double(nanoseconds) * 1e-6) }
        }
        _ = try Child.probe("live-news", [place])
        while times.withLock({ $0.count }) < Self.saves { try follower.wait() }
        follower.stop()
        try store.close()
        let sorted = times.withLock { $0.sorted() }
        for (workload, part) in [(half, 0.5), (most, 0.99)] {
            let value = sorted[Int(Double(sorted.count - 1) * part)]
            harness.add(Measured(workload, subject: StoreEngine.sqlite.sideName, unit: "ms", value: value))
        }
    }

    /// The saves that are measured do not wait for what this writes.
    private func fill(_ place: String) throws {
        let store = try StoreEngine.sqlite.open(place, [Ticket.self])
        _ = try Ticket.fill(store, Self.tickets)
        try store.close()
        sync()
    }

    /// The other process: changes each ticket once, to the time.
    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        guard name == "live-news", arguments.count == 1 else { return false }
        let store = try StoreEngine.sqlite.open(arguments[0], [Ticket.self])
        let ids = try store.read { context in try context.fetchIDs(Ticket.self, limit: Self.saves) }
        var random = SplitMix64(state: 3)
        for id in ids {
            usleep(UInt32(random.next() % Self.pause))
            try Ticket.change(id, to: Int(DispatchTime.now().uptimeNanoseconds), in: store)
        }
        try store.close()
        return true
    }
}
