import CairnHummingbird
import CairnMapped
import Foundation
import Hummingbird

/// Reads and writes sessions through `MappedPersistDriver`, and beside it with GET and SET of a Redis server on loopback, in one run: in rounds that take turns,
/// of random sessions, one after the other on one connection. Redis keeps nothing on disk, and what it answers is not even decoded.
///
///     swift run -c release SessionBenchmark [SESSIONS]
@main enum SessionBenchmark {
    struct Session: Codable, Sendable {
        var user = UUID()
        var name = "Ada Lovelace"
        var roles = ["editor", "reader"]
        var since = Date()
        var visits = 12
    }

    private static let rounds = 15
    private static let calls = 1000

    static func main() async throws { try await run() }

    /// Where requests are handled too: not on the main thread.
    nonisolated private static func run() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        let directory = NSTemporaryDirectory() + "/sessions-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let redis = try Redis(directory: directory)
        defer { redis.stop() }
        let driver = MappedPersistDriver(store: try MappedStore(path: directory + "/sessions.map"))
        for number in 0..<count {
            let session = Session(visits: number)
            try await driver.set(key: key(number), value: session, expires: .seconds(43_200))
            try redis.sendSet(key(number), try JSONEncoder().encode(session))
            // Answers are read a hundred at a time, only here.
            if number % 100 == 99 || number == count - 1 { for _ in 0...number % 100 { try redis.receiveSet() } }
        }

        var (ours, theirs, decoded) = (Sides(), Sides(), Sides())
        var (ourWrites, theirWrites) = (Sides(), Sides())
        var sum = 0
        for _ in 0..<rounds {
            let keys = (0..<calls).map { _ in key(.random(in: 0..<count)) }
            let session = Session()
            let json = try JSONEncoder().encode(session)
            try await ours.measure(redis) { for key in keys { sum += try await driver.get(key: key, as: Session.self)?.visits ?? 0 } }
            try await theirs.measure(redis) { for key in keys { sum += try redis.get(key).count } }
            try await decoded.measure(redis) {
                for key in keys { sum += try JSONDecoder().decode(Session.self, from: try redis.get(key)).visits }
            }
            try await ourWrites.measure(redis) {
                for key in keys { try await driver.set(key: key, value: session, expires: .seconds(43_200)) }
            }
            try await theirWrites.measure(redis) { for key in keys { try redis.set(key, json) } }
        }
        print("\(count) sessions, \(rounds) rounds of \(calls) calls (\(sum == 0 ? "nothing read" : "read"))")
        print("µs per call, medians: wall time, processor time (with the server's)")
        for (name, side) in [
            ("read, MappedPersistDriver, decoded", ours), ("read, Redis GET, bytes only", theirs),
            ("read, Redis GET, decoded from JSON", decoded),
            ("write, MappedPersistDriver", ourWrites), ("write, Redis SET with EX", theirWrites),
        ] { print("  \(name): \(side.text)") }
        print(
            "a read is \(ratio(theirs.wall, ours.wall)) times as fast as GET (\(ratio(theirs.processor, ours.processor)) times less processor time), "
                + "a write \(ratio(theirWrites.wall, ourWrites.wall)) times as fast as SET (\(ratio(theirWrites.processor, ourWrites.processor)))"
        )
        try driver.store.close()
    }

    private static func key(_ number: Int) -> String { "hbs.session-\(number &* 2_654_435_761 % 1_000_000_007)" }
    private static func ratio(_ a: [Double], _ b: [Double]) -> String { String(format: "%.1f", median(a) / median(b)) }
    fileprivate static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// What rounds took, in microseconds per call.
    struct Sides {
        var wall: [Double] = []
        var processor: [Double] = []
        var text: String { String(format: "%.2f, %.2f", median(wall), median(processor)) }

        mutating func measure(_ redis: Redis, _ body: () async throws -> Void) async throws {
            let (before, start) = (try redis.processorTime() + ownProcessorTime(), ContinuousClock.now)
            try await body()
            let elapsed = start.duration(to: .now)
            let used = try redis.processorTime() + ownProcessorTime() - before
            wall.append(elapsed / .microseconds(1) / Double(calls))
            processor.append(used * 1e6 / Double(calls))
        }
    }

    private static func ownProcessorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
