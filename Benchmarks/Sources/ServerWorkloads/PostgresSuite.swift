#if Postgres
public import BenchKit
import CairnPostgresEngine
import Foundation

/// The engine on PostgreSQL beside bare libpq, on the server that the environment variable BENCH_POSTGRES names by its URL. Each client is an engine or a connection
/// of its own. What was made there is removed at the end.
public struct PostgresSuite: Suite {
    private static let url = ProcessInfo.processInfo.environment["BENCH_POSTGRES"]
    private static let clients = [1, 8, 32]
    private static let keysAtOnce = 8
    private static let scanned = 1_000

    private let saves = clients.map { Workload("postgres/commit-\($0)", "commit \(keysAtOnce) keys of 500 bytes: \($0) clients together") }
    private let read = Workload("postgres/read", "read \(keysAtOnce) keys of 500 bytes at the latest version")
    private let scan = Workload("postgres/scan", "scan \(scanned) entries of 500 bytes")
    private let half = Workload("postgres/news-p50", "an engine commits, until a follower of another has it: the median")
    private let most = Workload("postgres/news-p99", "the same, the 99th percentile", goals: [.value(50)])

    public init() {}

    public var workloads: [Workload] { saves + [read, scan, half, most] }
    public var absent: [String] { Self.url == nil ? ["postgres: BENCH_POSTGRES names no server"] : [] }

    public func run(_ harness: Harness) throws {
        guard let url = Self.url, workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let store = "bench_\(UInt64.random(in: 0 ... .max))"
        let bare = try LibpqSide(url, store)
        let contest = ServerContest(harness: harness, subject: "CairnPostgresEngine", rival: "libpq")
        defer { try? bare.run("DROP TABLE public.\(store); DROP SCHEMA \(store) CASCADE") }
        let engines = try (0..<Self.clients.max()!).map { _ in try PostgresEngine(url: url, store: store) }
        let sides: [[any ServerSide]] = [engines.map { EngineSide(engine: $0) }, try engines.map { _ in try LibpqSide(url, store) }]
        for (workload, count) in zip(saves, Self.clients) {
            try contest.compare(workload, sides.map { Array($0.prefix(count)) }) { side, client, turn in
                try side.put((0..<Self.keysAtOnce).map { "c\(client)/\(turn % 100)/\($0)" })
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
    }
}
#endif
