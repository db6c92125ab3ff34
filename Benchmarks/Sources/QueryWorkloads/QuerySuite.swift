public import BenchKit
public import StoreEngines

/// What a program does with a store all day: CairnObjects beside SQLite in C and records of GRDB, in stores of several sizes. Each query sees the store
/// as it is then, in a context or a transaction of its own; each change is committed by itself.
public struct QuerySuite: Suite {
    /// Items that a program inserts at once at most.
    private static let most = 300_000
    private let engine: StoreEngine
    private let insertAll: Workload

    public init(_ engine: StoreEngine = .rocks) {
        self.engine = engine
        insertAll = engine.queryWorkload(
            Workload("queries/insert-all", "insert all items with six indexes, one commit, for each", goals: [.ratio(1, to: "GRDB")])
        )
    }

    public var workloads: [Workload] {
        let growths = Row.reading.compactMap { $0.growth(engine) }
        let rows = (Row.reading + Row.changes).map { $0.workload(engine) }
        return rows + [insertAll] + growths + Opening.allCases.map { $0.workload(engine) }
    }

    public func run(_ harness: Harness) throws {
        let rows = (Row.reading + Row.changes).filter { harness.settings.isSelected($0.workload(engine).name) }
        let opens = [Opening.clean, .commit, .all].contains { harness.settings.isSelected($0.workload(engine).name) }
        for count in harness.settings.items where opens || !rows.isEmpty {
            let stores = try ItemStores(Items(count: count), ItemStores.sides(engine, isNull: harness.settings.isNull), harness)
            if opens { try Opening.measure(stores, engine, harness) }
            try stores.open()
            for row in rows where !row.isChange { try stores.read(row, as: row.workload(engine), harness) }
            if rows.contains(where: \.isChange) { try stores.change(as: { $0.workload(engine) }, harness) }
            try stores.remove(harness)
        }
        for row in rows {
            if let growth = row.growth(engine) { harness.addGrowth(growth, of: row.workload(engine), from: 300_000, to: 3_000_000) }
        }
        for count in harness.settings.items where count <= Self.most && harness.settings.isSelected(insertAll.name) {
            let sides = ItemStores.sides(engine, isNull: harness.settings.isNull)
            try ItemStores.insertAll(insertAll, Items(count: count), sides, harness)
        }
        try Opening.measureAfterSaves(engine, harness)
    }
}

extension StoreEngine {
    /// A workload of queries: on SQLite they are to take no longer than on RocksDB.
    func queryWorkload(_ usual: Workload) -> Workload { workload(usual, goals: [.ratio(1, to: StoreEngine.rocks.sideName)]) }
}
