public import BenchKit
import CairnObjects
import CairnRocks
import CairnTelemetry
import Foundation
import Logging

@Stored final class MonitoredSong {
    @Indexed var title: String
    var seconds: Int

    static func title(_ number: Int) -> String { "Title \(number)" }
}

/// Stores that a monitor reports ten times a second, a hundred times as often as by default, beside stores that nobody watches.
public struct TelemetrySuite: Suite {
    private static let rival = "unwatched"
    private static let songs = 1000

    private let put = Workload("telemetry/put", "put a row into RocksDB", goals: [.ratio(1.01, to: rival)])
    private let save = Workload("telemetry/save", "insert and save one object", goals: [.ratio(1.01, to: rival)])
    private let fetch = Workload("telemetry/fetch", "fetch one object by index", goals: [.ratio(1.01, to: rival)])

    public init() {}

    public var workloads: [Workload] { [put, save, fetch] }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let isNull = harness.settings.isNull
        let monitor = StoreMonitor(options: .init(interval: .milliseconds(100)), logger: Logger(label: "bench"))
        let reporting = Task { await monitor.run() }
        defer { reporting.cancel() }
        let sides = [try Side(in: harness.folder, isNull ? nil : monitor), try Side(in: harness.folder, nil)]
        let events = [
            event(put, 20_000) { try sides[$0].put($1) },
            event(save, 1000) { try sides[$0].save($1) },
            event(fetch, 5000) { try sides[$0].fetch($1) },
        ]
        try harness.hold(
            Contest(sides: [isNull ? "unwatched too" : "watched", Self.rival], rounds: harness.settings.rounds(21), events: events)
        )
        for side in sides { try side.close() }
    }

    private func event(_ workload: Workload, _ operations: Int, _ body: @escaping (_ side: Int, _ count: Int) throws -> UInt64) -> Event {
        Event(workload) { turn in Outcome(operations: operations, check: [try body(turn.side, operations)]) }
    }

    /// A database and an object store, which a monitor watches if there is one.
    private struct Side {
        private let database: RocksDB
        private let store: ObjectStore

        init(in folder: Folder, _ monitor: StoreMonitor?) throws {
            database = try RocksDB(path: try folder.makePlace(), options: DatabaseOptions(createIfMissing: true))
            store = try ObjectStore(path: try folder.makePlace(), classes: [MonitoredSong.self])
            try store.write { context in
                for number in 0..<TelemetrySuite.songs {
                    context.insert(MonitoredSong(title: MonitoredSong.title(number), seconds: number))
                }
            }
            monitor?.add(database, as: "database")
            monitor?.add(store, as: "store")
        }

        func put(_ count: Int) throws -> UInt64 {
            for number in 0..<count {
                var key = UInt64(truncatingIfNeeded: number).bigEndian
                let bytes = unsafe withUnsafeBytes(of: &key) { unsafe Array($0) }
                try database.put(bytes, for: bytes)
            }
            return UInt64(count)
        }

        func save(_ count: Int) throws -> UInt64 {
            let context = try store.makeContext()
            for number in 0..<count {
                context.insert(MonitoredSong(title: "Another", seconds: number))
                try context.save()
            }
            context.close()
            return UInt64(count)
        }

        func fetch(_ count: Int) throws -> UInt64 {
            try store.read { context in
                var seconds = 0
                for number in 0..<count {
                    let title = MonitoredSong.title(number % TelemetrySuite.songs)
                    for song in try context.fetch(MonitoredSong.self, where: #Predicate { $0.title == title }) { seconds += song.seconds }
                }
                return UInt64(seconds)
            }
        }

        func close() throws {
            try database.close()
            try store.close()
        }
    }
}
