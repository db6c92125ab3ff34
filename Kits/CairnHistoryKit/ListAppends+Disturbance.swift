package import CairnGraph
package import CairnTestSupport
import Synchronization

extension ListAppends {
    /// Transactions of a client after each other; their numbers differ from those of all others.
    private static let batch = 4

    /// Runs transactions in all stores, one thread for each, and something that happens to their server in the midst of them; then checks that all that was
    /// acknowledged is there once, and that the stores are intact, and closes them.
    package static func run(
        on stores: [ObjectStore],
        _ generator: inout SeededGenerator,
        during disturbance: @escaping @Sendable () throws -> Void
    ) async throws {
        try prepare(stores[0])
        let (seed, early) = (UInt64(generator.int(in: 0..<1_000_000)), generator.int(in: 1..<100))
        let state = Mutex(State())
        try await onThreads(stores.count + 1) { number in
            guard number < stores.count else {
                // In the midst of commits of others.
                while state.withLock({ $0.history.count < early && !$0.hasFailed }) {}
                try disturbance()
                return state.withLock { $0.isOver = true }
            }
            do {
                var later = 0
                for round in 0... where later < 3 {
                    // Of those that begin afterwards.
                    if state.withLock({ $0.isOver || $0.hasFailed }) { later += 1 }
                    let transactions = try run(client: round * stores.count + number, count: batch, seed: seed, on: stores[number])
                    state.withLock { $0.history += transactions }
                    if later == 3 { break }
                }
            } catch {
                state.withLock { $0.hasFailed = true }
                throw error
            }
        }
        try check(state.withLock { $0.history }, try lists(in: stores[0]))
        for store in stores {
            guard try store.verify().isIntact else { throw HistoryError(description: "a store is damaged") }
            try store.close()
        }
    }

    private struct State: Sendable {
        /// The transactions that were acknowledged.
        var history: [Transaction] = []
        var isOver = false
        var hasFailed = false
    }
}
