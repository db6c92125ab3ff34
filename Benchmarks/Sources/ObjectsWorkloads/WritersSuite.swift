public import BenchKit
import CairnObjects
import Dispatch
import Foundation
import StoreEngines
import Synchronization

/// Two processes that save objects to one store as fast as they can, beside one process: the time of a save of all together.
public struct WritersSuite: Suite {
    /// How long the processes save.
    private static let seconds = 1.0

    // Together at least 0.8 of the saves of one.
    private let together = Workload(
        "objects-sqlite/two-processes",
        "insert an object, a commit each: two processes together",
        goals: [.ratio(1.25, to: "one process")]
    )

    public init() {}

    public var workloads: [Workload] { [together] }

    public func run(_ harness: Harness) throws {
        guard harness.settings.isSelected(together.name) else { return }
        var times = [[Double]](repeating: [], count: 2)
        for round in 0..<harness.settings.rounds(5) {
            for count in round.isMultiple(of: 2) ? [1, 2] : [2, 1] { times[count - 1].append(try time(of: count, harness)) }
        }
        var result = Measured(together, subject: "two processes", unit: "ns", value: times[1].median, rounds: times[1].count)
        let ratios = zip(times[1], times[0]).map { $0 / $1 }
        result.setRival("one process", value: times[0].median, roundRatio: ratios.median, goals: together.goals)
        harness.add(result)
    }

    /// Nanoseconds for each save of as many processes together.
    private func time(of processes: Int, _ harness: Harness) throws -> Double {
        let place = try harness.folder.makePlace()
        defer { harness.folder.removePlace(place) }
        let store = try StoreEngine.sqlite.open(place, [StoredSong.self, StoredPlaylist.self])
        // They begin together, once all have the store open.
        let begin = DispatchTime.now().uptimeNanoseconds + 1_000_000_000
        let saves = Mutex<[Result<Int, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: processes) { _ in
            let result = Result { Int(try Child.probe("objects-writer", [place, "\(begin)"]).trimmingCharacters(in: .newlines)) ?? 0 }
            saves.withLock { $0.append(result) }
        }
        let total = try saves.withLock { $0 }.reduce(0) { try $0 + $1.get() }
        let count = try store.read { try $0.count(StoredSong.self) }
        try store.close()
        guard total > 0, count == total else { throw Disagreement("of \(total) saved objects there are \(count)") }
        return Self.seconds * 1e9 / Double(total)
    }

    /// One of the processes; prints how often it saved.
    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        guard name == "objects-writer", arguments.count == 2, let begin = UInt64(arguments[1]) else { return false }
        let store = try StoreEngine.sqlite.open(arguments[0], [StoredSong.self, StoredPlaylist.self])
        let end = begin + UInt64(Self.seconds * 1e9)
        guard DispatchTime.now().uptimeNanoseconds < begin else { throw Disagreement("the machine is too busy: a process began too late") }
        while DispatchTime.now().uptimeNanoseconds < begin { usleep(100) }
        var saves = 0
        while DispatchTime.now().uptimeNanoseconds < end {
            try store.write { $0.insert(StoredSong(title: Programs.title, seconds: saves)) }
            saves += 1
        }
        try store.close()
        print(saves)
        return true
    }
}
