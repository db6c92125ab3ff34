public import BenchKit
import CairnPostgresEngine
import Dispatch
import Foundation
import Synchronization

/// The engine on PostgreSQL beside bare libpq, on the server that the environment variable BENCH_POSTGRES names by its URL. Each client is an engine or a connection
/// of its own. What was made there is removed at the end.
public struct PostgresSuite: Suite {
    private static let url = ProcessInfo.processInfo.environment["BENCH_POSTGRES"]
    private static let clients = [1, 8, 32]
    private static let keysAtOnce = 8
    private static let scanned = 1_000
    private static let commits = 500
    /// Between two commits that are followed, at most, in microseconds.
    private static let pause: UInt64 = 5_000

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
        defer { try? bare.run("DROP TABLE public.\(store); DROP SCHEMA \(store) CASCADE") }
        let engines = try (0..<Self.clients.max()!).map { _ in try PostgresEngine(url: url, store: store) }
        let sides: [[any PostgresSide]] = [engines.map { EngineSide(engine: $0) }, try engines.map { _ in try LibpqSide(url, store) }]
        for (workload, count) in zip(saves, Self.clients) {
            try compare(workload, harness, sides.map { Array($0.prefix(count)) }) { side, client, turn in
                try side.put((0..<Self.keysAtOnce).map { "c\(client)/\(turn % 100)/\($0)" })
            }
        }
        let keys = (0..<Self.scanned).map { "s\(100_000 + $0)" }
        for side in sides { try side[0].put(keys) }
        try compare(read, harness, sides.map { [$0[0]] }) { side, _, turn in
            try side.get(Array(keys[(turn % 100) * Self.keysAtOnce..<(turn % 100 + 1) * Self.keysAtOnce]))
        }
        try compare(scan, harness, sides.map { [$0[0]] }) { side, _, _ in try side.scan("s", "t", count: Self.scanned) }
        try measureNews(harness, engines[0], engines[1])
        for engine in engines { try engine.close() }
    }

    /// Measures the time of an operation by the number of all that the clients of a side do within a second, in turn with the other side.
    private func compare(
        _ workload: Workload,
        _ harness: Harness,
        _ sides: [[any PostgresSide]],
        _ operation: @escaping @Sendable (_ side: any PostgresSide, _ client: Int, _ turn: Int) throws -> Void
    ) throws {
        guard harness.settings.isSelected(workload.name) else { return }
        var times = [[Double]](repeating: [], count: 2)
        for round in 0..<harness.settings.rounds(5) {
            for side in round.isMultiple(of: 2) ? [0, 1] : [1, 0] { times[side].append(try time(sides[side], operation)) }
        }
        var result = Measured(workload, subject: "CairnPostgresEngine", unit: "ns", value: times[0].median, rounds: times[0].count)
        result.setRival("libpq", value: times[1].median, roundRatio: zip(times[0], times[1]).map { $0 / $1 }.median)
        harness.add(result)
    }

    private func time(
        _ clients: [any PostgresSide],
        _ operation: @escaping @Sendable (_ side: any PostgresSide, _ client: Int, _ turn: Int) throws -> Void
    ) throws -> Double {
        let begin = ContinuousClock.now
        let end = begin + .seconds(1)
        let counts = Mutex<[Result<Int, any Error>]>([])
        let group = DispatchGroup()
        for (number, client) in clients.enumerated() {
            group.enter()
            Thread.detachNewThread {
                let count = Result {
                    var turn = 0
                    while ContinuousClock.now < end {
                        try operation(client, number, turn)
                        turn += 1
                    }
                    return turn
                }
                counts.withLock { $0.append(count) }
                group.leave()
            }
        }
        group.wait()
        let total = try counts.withLock { $0 }.reduce(0) { try $0 + $1.get() }
        return begin.duration(to: .now) / .nanoseconds(1) / Double(total)
    }

    /// How soon a follower of one engine has what another commits at random times.
    private func measureNews(_ harness: Harness, _ writer: PostgresEngine, _ reader: PostgresEngine) throws {
        let times = Mutex<[Double]>([])
        let starts = Mutex<[ContinuousClock.Instant]>([])
        let isDone = DispatchSemaphore(value: 0)
        let changes = try reader.changes(after: writer.makeView().version)
        let follower = Task.detached {
            for try await change in changes where change.touches("news") {
                let start = starts.withLock { $0[times.withLock { $0.count }] }
                let count = times.withLock { times in
                    times.append(start.duration(to: .now) / .milliseconds(1))
                    return times.count
                }
                if count == Self.commits { break }
            }
            isDone.signal()
        }
        var random = SplitMix64(state: 3)
        for _ in 0..<Self.commits {
            usleep(UInt32(random.next() % Self.pause))
            starts.withLock { $0.append(.now) }
            try EngineSide(engine: writer).put(["news"])
        }
        isDone.wait()
        follower.cancel()
        let sorted = times.withLock { $0.sorted() }
        for (workload, part) in [(half, 0.5), (most, 0.99)] {
            let value = sorted[Int(Double(sorted.count - 1) * part)]
            harness.add(Measured(workload, subject: "CairnPostgresEngine", unit: "ms", value: value))
        }
    }
}
