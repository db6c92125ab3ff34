public import BenchKit
public import CairnObjects
import Dispatch
import Foundation
import Synchronization

/// How soon a live query of tickets has what others save: from before the save until the query's results have the object's new value. The others save at
/// random times.
public enum LiveNews {
    /// Of as many tickets, each once.
    public static let saves = 1_000
    /// Between two saves, at most, in microseconds.
    private static let pause: UInt64 = 20_000

    /// Follows the tickets of a store while `saving` runs, in which others call ``save(in:)``. Adds the median and the 99th percentile to the results.
    public static func measure(
        _ half: Workload,
        _ most: Workload,
        subject: String,
        in store: ObjectStore,
        _ harness: Harness,
        saving: () throws -> Void
    ) throws {
        let times = Mutex<[Double]>([])
        let follower = try Follower(store) { ticket in
            let nanoseconds = Int(DispatchTime.now().uptimeNanoseconds) - ticket.value
            times.withLock { $0.append(Double(nanoseconds) * 1e-6) }
        }
        try saving()
        while times.withLock({ $0.count }) < Self.saves { try follower.wait() }
        follower.stop()
        let sorted = times.withLock { $0.sorted() }
        for (workload, part) in [(half, 0.5), (most, 0.99)] {
            let value = sorted[Int(Double(sorted.count - 1) * part)]
            harness.add(Measured(workload, subject: subject, unit: "ms", value: value))
        }
    }

    /// Changes tickets to the time.
    public static func save(in store: ObjectStore) throws {
        let ids = try store.read { context in try context.fetchIDs(Ticket.self, limit: Self.saves) }
        var random = SplitMix64(state: 3)
        for id in ids {
            usleep(UInt32(random.next() % Self.pause))
            try Ticket.change(id, to: Int(DispatchTime.now().uptimeNanoseconds), in: store)
        }
    }
}
