public import BenchKit
import CairnObjects
import CairnObjectsEncryption
import Crypto

/// Queries of encrypted stores beside plain ones: those that an index of an encrypted store answers, a scan, and changes.
public struct EncryptedQuerySuite: Suite {
    private static let rows: [Row] = [
        .byID, .byIndex, .missing, .many, .group, .groupCount, .ownerItems, .tagItems, .itemTags, .dictionary, .scanCount,
    ]

    public init() {}

    public var workloads: [Workload] { (Self.rows + Row.changes).map(Self.workload) }

    private static func workload(_ row: Row) -> Workload {
        Workload("encryption/query-\(row.rawValue)", row.summary, goals: [.ratio(2, to: "plain")])
    }

    public func run(_ harness: Harness) throws {
        guard workloads.contains(where: { harness.settings.isSelected($0.name) }) else { return }
        let isNull = harness.settings.isNull
        let cipher = isNull ? nil : try ObjectEncryption(key: SymmetricKey(size: .bits256))
        let sides = [
            CairnItems(name: isNull ? "plain too" : "encrypted", options: ObjectStoreOptions(cipher: cipher)), CairnItems(name: "plain"),
        ]
        let count = harness.settings.items.last { $0 <= 300_000 } ?? harness.settings.items[0]
        let stores = try ItemStores(Items(count: count), sides, harness)
        try stores.open()
        for row in Self.rows where harness.settings.isSelected(Self.workload(row).name) {
            try stores.read(row, as: Self.workload(row), harness)
        }
        if Row.changes.contains(where: { harness.settings.isSelected(Self.workload($0).name) }) {
            try stores.change(as: Self.workload, harness)
        }
        try stores.remove(harness)
    }
}
