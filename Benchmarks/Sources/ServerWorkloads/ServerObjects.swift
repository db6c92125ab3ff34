#if Objects && (Postgres || Etcd)
import BenchKit
import CairnObjects
import Dispatch
import StoreEngines

/// A page of 32 has about 500 bytes.
@Stored final class Counter {
    var value: Int
    var name: String
}

/// About 500 bytes.
@Stored final class Sheet {
    var number: Int
    var text: String
}

/// Object stores on a server: what they save and fetch beside a bare client with the same requests, and how soon a live query has what another store saves.
/// Each client is a store or a connection of its own.
struct ServerObjects {
    static let classes: [any StoredObject.Type] = [Counter.self, Sheet.self, Ticket.self]

    private static let clients = ServerEngines.clients
    /// Between the objects of two clients, so that they are not in the same page.
    private static let distance = 64
    private static let sheets = 1_000
    /// Objects that are made in a commit, at most: etcd takes 100 operations, two for a ticket.
    private static let atOnce = 40

    private let saves: [Workload]
    private let fetch, half, most: Workload
    private let subject: String

    var workloads: [Workload] { [fetch, half, most] + saves }

    init(_ server: String, subject: String, rival: String) {
        self.subject = subject
        saves = Self.clients.map {
            Workload(
                "\(server)/objects-save-\($0)",
                "change an object, a context and a commit each, beside the same requests: \($0) clients",
                // At least 0.8 of their saves.
                goals: [.ratio(1.25, to: rival)]
            )
        }
        fetch = Workload(
            "\(server)/objects-fetch",
            "fetch \(Self.sheets) objects of 500 bytes, a context each, beside a range of as many entries",
            goals: [.ratio(1.3, to: rival)]
        )
        half = Workload("\(server)/live-p50", "a store saves, until a live query of another has it: the median")
        most = Workload("\(server)/live-p99", "the same, the 99th percentile", goals: [.value(50)])
    }

    /// - Parameters:
    ///   - bare: As many as ``ServerEngines/most``.
    ///   - open: Opens one more store of the same place, in which nothing is. Each is notified of the commits of all others, so there are never more than are used.
    func measure(_ contest: ServerContest, _ bare: [any BareSide], open: () throws -> ObjectStore) throws {
        let contest = ServerContest(harness: contest.harness, subject: subject, rival: contest.rival)
        var stores = [try open()]
        try fill(stores[0])
        let keys = (0..<Self.sheets).map { "r\(100_000 + $0)" }
        for start in stride(from: 0, to: keys.count, by: Self.atOnce) { try bare[0].put(Array(keys[start..<start + Self.atOnce])) }
        let fetcher = Client { [store = stores[0]] _ in
            let sum = try store.read { context in try context.allObjects(Sheet.self).reduce(0) { $0 + $1.number } }
            guard sum == Self.sheets * (Self.sheets - 1) / 2 else { throw Disagreement("the sheets have other numbers") }
        }
        let bareFetcher = Client { _ in try bare[0].scan("r", "s", count: Self.sheets) }
        try contest.compare(fetch, [[fetcher], [bareFetcher]]) { client, _, turn in try client.run(turn) }
        if [half, most].contains(where: { contest.harness.settings.isSelected($0.name) }) {
            stores.append(try open())
            try LiveNews.measure(half, most, subject: subject, in: stores[0], contest.harness) { try LiveNews.save(in: stores[1]) }
        }
        let ids = try stores[0].read { context in try context.fetchIDs(Counter.self) }
        // A view, the object's page, and the commit.
        let bareSavers = try bare.prefix(ServerEngines.most).enumerated().map { client, side in
            let key = ["o\(client)"]
            try side.put(key)
            return Client { turn in
                try side.head()
                try side.get(key)
                try side.putLikeEngine(key, turn: turn, client: client)
            }
        }
        for (workload, count) in zip(saves, Self.clients) where contest.harness.settings.isSelected(workload.name) {
            while stores.count < count { stores.append(try open()) }
            let savers = stores.prefix(count).enumerated().map { client, store in
                Client { turn in try Self.change(ids[client * Self.distance], to: turn, in: store) }
            }
            try contest.compare(workload, [savers, Array(bareSavers.prefix(count))]) { client, _, turn in try client.run(turn) }
        }
        for store in stores { try store.close() }
    }

    private func fill(_ store: ObjectStore) throws {
        func insert(_ count: Int, _ make: (Int) -> any StoredObject) throws {
            for start in stride(from: 0, to: count, by: Self.atOnce) {
                try store.write { context in
                    for number in start..<min(count, start + Self.atOnce) { context.insert(make(number)) }
                }
            }
        }
        try insert(ServerEngines.most * Self.distance) { _ in Counter(value: 0, name: "a name!!") }
        let text = String(repeating: "v", count: 480)
        try insert(Self.sheets) { Sheet(number: $0, text: text) }
        _ = try Ticket.fill(store, LiveNews.saves, by: Self.atOnce)
    }

    private static func change(_ id: ObjectID, to value: Int, in store: ObjectStore) throws {
        try store.write { context in
            guard let counter = try context.object(id, as: Counter.self) else { throw Disagreement("a counter is missing") }
            // Never what it is.
            counter.value += value + 1
        }
    }

    /// What a client does, again and again.
    private struct Client: Sendable {
        let run: @Sendable (_ turn: Int) throws -> Void
    }
}
#endif
