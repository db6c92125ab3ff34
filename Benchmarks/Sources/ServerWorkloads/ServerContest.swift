#if Postgres || Etcd
import BenchKit
import CairnEngine
import Dispatch
import Foundation
import Synchronization

/// An engine on a server beside a bare client of it.
struct ServerContest {
    private static let commits = 500
    /// Between two commits that are followed, at most, in microseconds.
    private static let pause: UInt64 = 5_000

    let harness: Harness
    let subject: String
    let rival: String

    /// Measures the time of an operation by the number of all that the clients of a side do within a second, in turn with the other side.
    func compare<Side: Sendable>(
        _ workload: Workload,
        _ sides: [[Side]],
        _ operation: @escaping @Sendable (_ side: Side, _ client: Int, _ turn: Int) throws -> Void
    ) throws {
        guard harness.settings.isSelected(workload.name) else { return }
        var times = [[Double]](repeating: [], count: 2)
        for round in 0..<harness.settings.rounds(5) {
            for side in round.isMultiple(of: 2) ? [0, 1] : [1, 0] { times[side].append(try time(sides[side], operation)) }
        }
        var result = Measured(workload, subject: subject, unit: "ns", value: times[0].median, rounds: times[0].count)
        result.setRival(rival, value: times[1].median, roundRatio: zip(times[0], times[1]).map { $0 / $1 }.median, goals: workload.goals)
        harness.add(result)
    }

    private func time<Side: Sendable>(
        _ clients: [Side],
        _ operation: @escaping @Sendable (_ side: Side, _ client: Int, _ turn: Int) throws -> Void
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
    func measureNews(_ half: Workload, _ most: Workload, _ writer: any StorageEngine, _ reader: any StorageEngine) throws {
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
            harness.add(Measured(workload, subject: subject, unit: "ms", value: value))
        }
    }
}
#endif
