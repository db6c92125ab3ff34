#if Postgres || Etcd
import BenchKit
import CairnEngine

/// Engines on a server: what they commit and read beside a bare client of it, and how soon a follower has what another engine commits. Each client is an engine
/// or a connection of its own.
struct ServerEngines {
    /// The numbers of clients of either side. An engine on PostgreSQL has two connections, and a server takes 100 by default.
    static let clients = [1, 8, most]
    static let most = 24

    private static let keysAtOnce = 8
    private static let scanned = 1_000
    /// Keys that are put in a commit, at most: what etcd allows unless its flags say otherwise.
    private static let atOnce = 100

    private let puts, saves: [Workload]
    private let read, scan, half, most: Workload

    var workloads: [Workload] { [read, scan, half, most] + puts + saves }

    /// - Parameter scanGoals: The goals of a scan.
    init(_ server: String, rival: String, scanGoals: [Goal] = []) {
        puts = Self.clients.map {
            Workload("\(server)/commit-\($0)", "commit \(Self.keysAtOnce) keys of 500 bytes: \($0) clients together")
        }
        saves = Self.clients.map {
            Workload(
                "\(server)/save-\($0)",
                "a view, and a commit that depends on it, beside the same requests: \($0) clients",
                goals: [.ratio(1.25, to: rival)]
            )
        }
        read = Workload("\(server)/read", "read \(Self.keysAtOnce) keys of 500 bytes at the latest version")
        scan = Workload("\(server)/scan", "scan \(Self.scanned) entries of 500 bytes", goals: scanGoals)
        half = Workload("\(server)/news-p50", "an engine commits, until a follower of another has it: the median")
        most = Workload("\(server)/news-p99", "the same, the 99th percentile", goals: [.value(50)])
    }

    /// - Parameters:
    ///   - bare: As many as ``most``.
    ///   - open: Opens one more engine of the same store, in which nothing is. Each is notified of the commits of all others, so there are never more than are used.
    func measure(_ contest: ServerContest, _ bare: [any BareSide], open: () throws -> any StorageEngine) throws {
        var engines = [try open()]
        let first: [any ServerSide] = [EngineSide(engine: engines[0]), bare[0]]
        let keys = (0..<Self.scanned).map { "s\(100_000 + $0)" }
        for side in first {
            for start in stride(from: 0, to: keys.count, by: Self.atOnce) { try side.put(Array(keys[start..<start + Self.atOnce])) }
        }
        try contest.compare(read, first.map { [$0] }) { side, _, turn in
            try side.get(Array(keys[(turn % 100) * Self.keysAtOnce..<(turn % 100 + 1) * Self.keysAtOnce]))
        }
        try contest.compare(scan, first.map { [$0] }) { side, _, _ in try side.scan("s", "t", count: Self.scanned) }
        engines.append(try open())
        try contest.measureNews(half, most, engines[0], engines[1])
        try engines.removeLast().close()
        for (index, count) in Self.clients.enumerated() {
            guard [puts[index], saves[index]].contains(where: { contest.harness.settings.isSelected($0.name) }) else { continue }
            while engines.count < count { engines.append(try open()) }
            let sides: [[any ServerSide]] = [engines.map { EngineSide(engine: $0) }, Array(bare.prefix(count))]
            try contest.compare(puts[index], sides) { side, client, turn in try side.put(Self.keys(client, turn)) }
            try contest.compare(saves[index], sides) { side, client, turn in
                try side.save(Self.keys(client, turn), turn: turn, client: client)
            }
        }
        for engine in engines { try engine.close() }
    }

    private static func keys(_ client: Int, _ turn: Int) -> [String] { (0..<keysAtOnce).map { "c\(client)/\(turn % 100)/\($0)" } }
}
#endif
