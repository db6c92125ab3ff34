import CairnHummingbird
import CairnMapped
import Foundation
import Hummingbird

/// Reads and writes sessions through `MappedPersistDriver`, and beside it with GET and SET of a Redis server on loopback, in one run: in rounds that take turns,
/// of random sessions, one after the other on one connection. Sessions are stored as JSON, and as a `MappedValue`. Redis keeps nothing on disk, and what it answers is not even decoded.
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

    /// The same, stored without `Codable`.
    struct DirectSession: Codable, Sendable, MappedValue {
        var session: Session

        init(_ session: Session) { self.session = session }

        init(stored bytes: RawSpan, as type: MappedValueType) throws(MappedStoreError) {
            var fields = try MappedFieldReader(bytes, as: type)
            session = Session(
                user: try fields.read(),
                name: try fields.read(),
                roles: try fields.read(),
                since: try fields.read(),
                visits: try fields.read()
            )
        }

        func withStoredBytes<Result>(
            _ body: (RawSpan, MappedValueType) throws(MappedStoreError) -> Result
        ) throws(MappedStoreError) -> Result {
            var fields = MappedFieldWriter()
            try fields.write(session.user)
            try fields.write(session.name)
            try fields.write(session.roles)
            try fields.write(session.since)
            try fields.write(session.visits)
            return try fields.withStoredBytes(body)
        }
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
        // As what `SessionMiddleware` has it.
        let json: any PersistDriver = MappedPersistDriver(store: try MappedStore(path: directory + "/json.map"))
        let direct: any PersistDriver = MappedPersistDriver(store: try MappedStore(path: directory + "/direct.map"))
        let ids: any PersistDriver = MappedPersistDriver(store: try MappedStore(path: directory + "/ids.map"))
        for number in 0..<count {
            let session = Session(visits: number)
            try await json.set(key: key(number), value: session, expires: .seconds(43_200))
            try await direct.set(key: key(number), value: DirectSession(session), expires: .seconds(43_200))
            try await ids.set(key: key(number), value: session.user, expires: .seconds(43_200))
            try redis.sendSet(key(number), try JSONEncoder().encode(session))
            // Answers are read a hundred at a time, only here.
            if number % 100 == 99 || number == count - 1 { for _ in 0...number % 100 { try redis.receiveSet() } }
        }

        var reads = (json: Sides(), direct: Sides(), ids: Sides(), redis: Sides(), decoded: Sides())
        var writes = (json: Sides(), direct: Sides(), ids: Sides(), redis: Sides())
        var sum = 0
        // Once each, as a server that has been running for a while has: the first read of a page of the file maps it.
        for number in 0..<count {
            sum += try await json.get(key: key(number), as: Session.self)?.visits ?? 0
            sum += try await direct.get(key: key(number), as: DirectSession.self)?.session.visits ?? 0
            sum += try await ids.get(key: key(number), as: UUID.self) == nil ? 0 : 1
            sum += try redis.get(key(number)).count
        }
        for _ in 0..<rounds {
            let keys = (0..<calls).map { _ in key(.random(in: 0..<count)) }
            let session = Session()
            let directSession = DirectSession(session)
            let text = try JSONEncoder().encode(session)
            try await reads.json.measure(redis) {
                for key in keys { sum += try await json.get(key: key, as: Session.self)?.visits ?? 0 }
            }
            try await reads.direct.measure(redis) {
                for key in keys { sum += try await direct.get(key: key, as: DirectSession.self)?.session.visits ?? 0 }
            }
            try await reads.ids.measure(redis) {
                for key in keys { sum += try await ids.get(key: key, as: UUID.self) == nil ? 0 : 1 }
            }
            try await reads.redis.measure(redis) { for key in keys { sum += try redis.get(key).count } }
            try await reads.decoded.measure(redis) {
                for key in keys { sum += try JSONDecoder().decode(Session.self, from: try redis.get(key)).visits }
            }
            try await writes.json.measure(redis) {
                for key in keys { try await json.set(key: key, value: session, expires: .seconds(43_200)) }
            }
            try await writes.direct.measure(redis) {
                for key in keys { try await direct.set(key: key, value: directSession, expires: .seconds(43_200)) }
            }
            try await writes.ids.measure(redis) {
                for key in keys { try await ids.set(key: key, value: session.user, expires: .seconds(43_200)) }
            }
            try await writes.redis.measure(redis) { for key in keys { try redis.set(key, text) } }
        }
        print("\(count) sessions, \(rounds) rounds of \(calls) calls (\(sum == 0 ? "nothing read" : "read"))")
        print("µs per call, medians: wall time, processor time (with the server's); how many times as fast as Redis: the same")
        for (name, side, redis) in [
            ("read, MappedPersistDriver, a UUID alone", reads.ids, reads.redis),
            ("read, MappedPersistDriver, MappedValue", reads.direct, reads.redis),
            ("read, MappedPersistDriver, Codable as JSON", reads.json, reads.redis),
            ("read, Redis GET, bytes only", reads.redis, reads.redis),
            ("read, Redis GET, decoded from JSON", reads.decoded, reads.redis),
            ("write, MappedPersistDriver, a UUID alone", writes.ids, writes.redis),
            ("write, MappedPersistDriver, MappedValue", writes.direct, writes.redis),
            ("write, MappedPersistDriver, Codable as JSON", writes.json, writes.redis),
            ("write, Redis SET with EX", writes.redis, writes.redis),
        ] { print("  \(name): \(side.text); \(ratio(redis.wall, side.wall)), \(ratio(redis.processor, side.processor))") }
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
