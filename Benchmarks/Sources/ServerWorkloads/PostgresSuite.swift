#if Postgres
public import BenchKit
import CairnPostgresEngine
import Foundation

#if Objects
import CairnObjects
import CairnPostgresGraph
#endif

/// The engine on PostgreSQL beside bare libpq, on the server that the environment variable BENCH_POSTGRES names by its URL. Each client is an engine or a connection
/// of its own. Then object stores in the same way. What was made there is removed at the end.
public struct PostgresSuite: Suite {
    private static let url = ProcessInfo.processInfo.environment["BENCH_POSTGRES"]
    private static let clients = [1, 8, 32]
    private static let keysAtOnce = 8
    private static let scanned = 1_000

    private let puts = clients.map { Workload("postgres/commit-\($0)", "commit \(keysAtOnce) keys of 500 bytes: \($0) clients together") }
    private let saves = clients.map {
        Workload(
            "postgres/save-\($0)",
            "a view, and a commit that depends on it, beside the same requests: \($0) clients",
            goals: [.ratio(1.25, to: "libpq")]
        )
    }
    private let read = Workload("postgres/read", "read \(keysAtOnce) keys of 500 bytes at the latest version")
    private let scan = Workload("postgres/scan", "scan \(scanned) entries of 500 bytes")
    private let half = Workload("postgres/news-p50", "an engine commits, until a follower of another has it: the median")
    private let most = Workload("postgres/news-p99", "the same, the 99th percentile", goals: [.value(50)])

    public init() {}

    #if Objects
    private let objects = ServerObjects("postgres", subject: "CairnPostgresGraph", rival: "libpq")
    public var workloads: [Workload] { puts + saves + [read, scan, half, most] + objects.workloads }
    #else
    public var workloads: [Workload] { puts + saves + [read, scan, half, most] }
    #endif
    public var absent: [String] { Self.url == nil ? ["postgres: BENCH_POSTGRES names no server"] : [] }

    public func run(_ harness: Harness) throws {
        guard let url = Self.url, workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let store = "bench_\(UInt64.random(in: 0 ... .max))"
        let contest = ServerContest(harness: harness, subject: "CairnPostgresEngine", rival: "libpq")
        let engines = try (0..<Self.clients.max()!).map { _ in try PostgresEngine(url: url, store: store) }
        let bare = try engines.map { _ in try LibpqSide(url, store) }
        defer {
            try? bare[0].run("DROP TABLE public.\(store); DROP SCHEMA \(store) CASCADE; DROP SCHEMA IF EXISTS \(store)_objects CASCADE")
        }
        let sides: [[any ServerSide]] = [engines.map { EngineSide(engine: $0) }, bare]
        for (workload, count) in zip(puts, Self.clients) {
            try contest.compare(workload, sides.map { Array($0.prefix(count)) }) { side, client, turn in
                try side.put(Self.keys(client, turn))
            }
        }
        for (workload, count) in zip(saves, Self.clients) {
            try contest.compare(workload, sides.map { Array($0.prefix(count)) }) { side, client, turn in
                try side.save(Self.keys(client, turn), turn: turn, client: client)
            }
        }
        let keys = (0..<Self.scanned).map { "s\(100_000 + $0)" }
        for side in sides { try side[0].put(keys) }
        try contest.compare(read, sides.map { [$0[0]] }) { side, _, turn in
            try side.get(Array(keys[(turn % 100) * Self.keysAtOnce..<(turn % 100 + 1) * Self.keysAtOnce]))
        }
        try contest.compare(scan, sides.map { [$0[0]] }) { side, _, _ in try side.scan("s", "t", count: Self.scanned) }
        try contest.measureNews(half, most, engines[0], engines[1])
        for engine in engines { try engine.close() }
        #if Objects
        // The server has connections for the stores now.
        guard objects.workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let stores = try (0..<ServerObjects.most).map { _ in
            try ObjectStore(postgres: url, store: store + "_objects", classes: ServerObjects.classes)
        }
        try objects.measure(contest, stores, bare)
        for store in stores { try store.close() }
        #endif
    }

    private static func keys(_ client: Int, _ turn: Int) -> [String] { (0..<keysAtOnce).map { "c\(client)/\(turn % 100)/\($0)" } }
}
#endif
