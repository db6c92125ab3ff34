public import BenchKit
import CairnObjects
import Foundation
import StoreEngines

/// Moves of a store from one engine to another, beside a program that copies the same entries and compares nothing.
public struct MoveSuite: Suite {
    private static let rival = "a bare copy"

    private let toSQLite = Self.workload("moves/rocksdb-to-sqlite", "move a store from RocksDB to SQLite, for each object")
    private let toRocks = Self.workload("moves/sqlite-to-rocksdb", "move a store from SQLite to RocksDB, for each object")

    /// The goal: 20,000 objects a second.
    private static func workload(_ name: String, _ summary: String) -> Workload { Workload(name, summary, goals: [.value(50_000)]) }

    public init() {}

    public var workloads: [Workload] { [toSQLite, toRocks] }

    public func run(_ harness: Harness) throws {
        for size in [harness.settings.songs / 100, harness.settings.songs / 10, harness.settings.songs] {
            try measure(toSQLite, size, from: .rocks, to: .sqlite, harness)
            try measure(toRocks, size, from: .sqlite, to: .rocks, harness)
        }
    }

    private func measure(_ workload: Workload, _ size: Int, from old: StoreEngine, to new: StoreEngine, _ harness: Harness) throws {
        guard harness.settings.isSelected(workload.name) else { return }
        let place = try harness.folder.makePlace()
        defer { harness.folder.removePlace(place) }
        _ = try CairnSide(engine: old).simpleInsert(at: place, songs: size)
        var event = Event(workload) { turn in
            let copy = try harness.folder.copyPlace(place)
            let destination = try harness.folder.makePlace()
            defer { for used in [copy, destination] { harness.folder.removePlace(used) } }
            let (source, target) = (try old.makeEngine(copy), try new.makeEngine(destination))
            turn.restart()
            if turn.side == 0 { try Self.move(source, target) } else { try Self.copy(source, target) }
            turn.stop()
            try source.close()
            try target.close()
            let store = try new.open(destination, [StoredSong.self, StoredPlaylist.self])
            let count = try store.read { try $0.count(StoredSong.self) }
            try store.close()
            return Outcome(operations: size, check: [UInt64(count)])
        }
        event.variant = "\(size)"
        try harness.hold(Contest(sides: [new.sideName, Self.rival], rounds: harness.settings.rounds(5), events: [event]))
    }

    private static func move(_ source: any StorageEngine, _ destination: any StorageEngine) throws {
        let move = ObjectStoreMove(from: source, to: destination, destinationName: "the destination")
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var outcome: Result<Void, any Error>?
        Task {
            do { unsafe outcome = .success(_ = try await move.run()) } catch { unsafe outcome = .failure(error) }
            done.signal()
        }
        done.wait()
        try unsafe outcome?.get()
    }

    /// Commits all entries, 1,000 at a time, the last of them synced.
    private static func copy(_ source: any StorageEngine, _ destination: any StorageEngine) throws {
        let view = try source.makeView()
        var commit = EngineCommit()
        try view.scan { key, value in
            commit.put(value, for: key)
            if commit.operationCount == 1_000 {
                try destination.commit(commit, durability: .buffered)
                commit = EngineCommit()
            }
            return true
        }
        try destination.commit(commit, durability: .synced)
    }
}
