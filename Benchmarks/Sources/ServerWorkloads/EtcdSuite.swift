#if Etcd
public import BenchKit
import CairnEngine
import CairnEtcdEngine
import Foundation

#if Objects
import CairnEtcdGraph
import CairnObjects
#endif

/// The engine on etcd beside bare libcurl, on the server that the environment variable BENCH_ETCD names, such as 127.0.0.1:2379. Each client is an engine or a
/// connection of its own. Then object stores in the same way. What was made there is removed at the end.
public struct EtcdSuite: Suite {
    private static let address = ProcessInfo.processInfo.environment["BENCH_ETCD"]
    private static let clients = [1, 8, 32]
    private static let keysAtOnce = 8
    private static let scanned = 1_000
    /// What etcd allows at most unless its flags say otherwise.
    private static let operations = 100

    private let puts = clients.map { Workload("etcd/commit-\($0)", "commit \(keysAtOnce) keys of 500 bytes: \($0) clients together") }
    private let saves = clients.map {
        Workload(
            "etcd/save-\($0)",
            "a view, and a commit that depends on it, beside the same requests: \($0) clients",
            goals: [.ratio(1.25, to: "libcurl")]
        )
    }
    private let read = Workload("etcd/read", "read \(keysAtOnce) keys of 500 bytes at the latest version")
    private let scan = Workload("etcd/scan", "scan \(scanned) entries of 500 bytes", goals: [.ratio(1.3, to: "libcurl")])
    private let half = Workload("etcd/news-p50", "an engine commits, until a follower of another has it: the median")
    private let most = Workload("etcd/news-p99", "the same, the 99th percentile", goals: [.value(50)])

    public init() {}

    #if Objects
    private let objects = ServerObjects("etcd", subject: "CairnEtcdGraph", rival: "libcurl")
    public var workloads: [Workload] { puts + saves + [read, scan, half, most] + objects.workloads }
    #else
    public var workloads: [Workload] { puts + saves + [read, scan, half, most] }
    #endif
    public var absent: [String] { Self.address == nil ? ["etcd: BENCH_ETCD names no server"] : [] }

    public func run(_ harness: Harness) throws {
        guard let address = Self.address, workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let prefix = "bench.\(UInt64.random(in: 0 ... .max))"
        let contest = ServerContest(harness: harness, subject: "CairnEtcdEngine", rival: "libcurl")
        let bare = try Self.clients.max().map { count in try (0..<count).map { _ in try GatewaySide(address, prefix + ".bare:") } } ?? []
        defer {
            try? bare[0].removeAll()
            for place in [":", ".objects:"] { try? GatewaySide(address, prefix + place).removeAll() }
        }
        let engines = try bare.map { _ in try EtcdEngine(url: "etcd://\(address)/\(prefix)") }
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
        for side in sides {
            for start in stride(from: 0, to: keys.count, by: Self.operations) {
                try side[0].put(Array(keys[start..<start + Self.operations]))
            }
        }
        try contest.compare(read, sides.map { [$0[0]] }) { side, _, turn in
            try side.get(Array(keys[(turn % 100) * Self.keysAtOnce..<(turn % 100 + 1) * Self.keysAtOnce]))
        }
        try contest.compare(scan, sides.map { [$0[0]] }) { side, _, _ in try side.scan("s", "t", count: Self.scanned) }
        try contest.measureNews(half, most, engines[0], engines[1])
        for engine in engines { try engine.close() }
        #if Objects
        guard objects.workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let url = "etcd://\(address)/\(prefix).objects"
        let stores = try (0..<ServerObjects.most).map { _ in try ObjectStore(etcd: url, classes: ServerObjects.classes) }
        try objects.measure(contest, stores, bare)
        for store in stores { try store.close() }
        #endif
    }

    private static func keys(_ client: Int, _ turn: Int) -> [String] { (0..<keysAtOnce).map { "c\(client)/\(turn % 100)/\($0)" } }
}
#endif
