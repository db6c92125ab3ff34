public import BenchKit
import CairnObjects
import Foundation
import StoreEngines

/// How soon a live query has what another process saves.
public struct NewsSuite: Suite {
    private static let tickets = 100_000

    private let half = Workload("live-sqlite/news-p50", "another process saves, until a live query of 100,000 objects has it: the median")
    private let most = Workload("live-sqlite/news-p99", "the same, the 99th percentile", goals: [.value(50)])

    public init() {}

    public var workloads: [Workload] { [half, most] }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let place = try harness.folder.makePlace()
        defer { harness.folder.removePlace(place) }
        try fill(place)
        let store = try StoreEngine.sqlite.open(place, [Ticket.self])
        try LiveNews.measure(half, most, subject: StoreEngine.sqlite.sideName, in: store, harness) {
            _ = try Child.probe("live-news", [place])
        }
        try store.close()
    }

    /// The saves that are measured do not wait for what this writes.
    private func fill(_ place: String) throws {
        let store = try StoreEngine.sqlite.open(place, [Ticket.self])
        _ = try Ticket.fill(store, Self.tickets)
        try store.close()
        sync()
    }

    /// The other process.
    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        guard name == "live-news", arguments.count == 1 else { return false }
        let store = try StoreEngine.sqlite.open(arguments[0], [Ticket.self])
        try LiveNews.save(in: store)
        try store.close()
        return true
    }
}
