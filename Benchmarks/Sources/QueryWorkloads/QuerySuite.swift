public import BenchKit

/// What a program does with a store all day: CairnObjects beside SQLite in C and records of GRDB, in stores of several sizes. Each query sees the store
/// as it is then, in a context or a transaction of its own; each change is committed by itself.
public struct QuerySuite: Suite {
    /// Items that a program inserts at once at most.
    private static let most = 300_000
    private let insertAll = Workload(
        "queries/insert-all",
        "insert all items with six indexes, one commit, for each",
        goals: [.ratio(1, to: "GRDB")]
    )

    public init() {}

    public var workloads: [Workload] {
        (Row.reading + Row.changes).map(\.workload) + [insertAll] + Row.reading.compactMap(\.growth) + Opening.allCases.map(\.workload)
    }

    public func run(_ harness: Harness) throws {
        let rows = (Row.reading + Row.changes).filter { harness.settings.isSelected($0.workload.name) }
        let opens = [Opening.clean, .all].contains { harness.settings.isSelected($0.workload.name) }
        for count in harness.settings.items where opens || !rows.isEmpty {
            let stores = try ItemStores(Items(count: count), ItemStores.sides(isNull: harness.settings.isNull), harness)
            if opens { try Opening.measure(stores, harness) }
            try stores.open()
            for row in rows where !row.isChange { try stores.read(row, as: row.workload, harness) }
            if rows.contains(where: \.isChange) { try stores.change(as: \.workload, harness) }
            try stores.remove(harness)
        }
        for row in rows {
            if let growth = row.growth { harness.addGrowth(growth, of: row.workload, from: 300_000, to: 3_000_000) }
        }
        for count in harness.settings.items where count <= Self.most && harness.settings.isSelected(insertAll.name) {
            let sides = ItemStores.sides(isNull: harness.settings.isNull)
            try ItemStores.insertAll(insertAll, Items(count: count), sides, harness)
        }
        try Opening.measureAfterSaves(harness)
    }
}
