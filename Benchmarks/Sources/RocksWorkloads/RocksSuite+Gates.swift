public import BenchKit
import CairnCore
import CairnRocks
import Foundation

extension RocksSuite {
    private static let count = 10_000

    public var gates: [Gate] {
        [
            allocations("get-hit", 0, "the value is lent; what RocksDB allocates is not counted") { try $0.get($1) },
            allocations("get-owned", 0, "the value's array is one, where C++ has a string") { try $0.getOwned($1) },
            allocations("get-miss", 0, "nothing is made of what is missing") { try $0.getMissing($1) },
            allocations("multiget-100", 0.06, "six for a batch: what RocksDB is given and what it returns") {
                try $0.multiGet($1, by: 100)
            },
            allocations("scan", 0, "rows are lent; the cursor is one for all") { side, _ in try side.scan() },
            allocations("scan-cursor", 0, "as above") { side, _ in try side.scanByCursor() },
            allocations("put-random", 0, "key and value are lent") { side, rows in
                try side.put(rows)
                return 0
            },
            calls(.none, Gate.Calls(syncs: 0, all: 0.01, written: 0.01), "the row stays in memory; RocksDB writes a line to its text log"),
            calls(.buffered, Gate.Calls(syncs: 0, all: 1.01, written: 1.2), "one write to the log, with 22 bytes of RocksDB's own"),
            calls(.synced, Gate.Calls(syncs: 1, all: 2.02, written: 1.2), "the same, and the disk is waited for"),
            MetadataGates.all,
        ].flatMap { $0 }
    }

    public func probe(_ name: String, _ arguments: [String]) throws -> Bool {
        guard name == "rocks-put", arguments.count == 2, let durability = Durability(rawValue: arguments[1]) else { return false }
        var settings = DatabaseOptions(createIfMissing: true)
        // On a busy machine the puts take so long that RocksDB would write its statistics to its text log meanwhile.
        settings.statsDumpPeriod = .zero
        settings.statsPersistPeriod = .zero
        let db = try RocksDB(path: arguments[0], options: settings)
        let count = UInt32(Self.count(durability))
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        let options = WriteOptions(durability: durability)
        func put(_ row: UInt32) throws {
            Rows.setKey(&key, row: row)
            try db.put(Rows.valueTemplate, for: key, options: options)
        }
        try put(0)
        Count.begin()
        for row in 0..<count { try put(row) }
        Count.end()
        try db.close()
        return true
    }

    /// What Cairn allocates beyond what the library does in the rival's hands.
    private func allocations(
        _ workload: String,
        _ limit: Double,
        _ reason: String,
        _ body: @escaping @Sendable (any Side, [UInt32]) throws -> UInt64
    ) -> [Gate] {
        [
            Gate("rocks/\(workload) own allocations", atMost: limit, because: reason) {
                var settings = Settings()
                settings.rows = Self.count
                let harness = try Harness(settings) { _ in }
                defer { harness.folder.remove() }
                let rows = (0..<UInt32(Self.count)).map { $0 }
                let sides = try Databases(harness).filled(rows)
                let own = try Count.allocations { _ = try body(sides.subject, rows) }
                let library = try Count.allocations { _ = try body(sides.rival, rows) }
                try sides.subject.close()
                try sides.rival.close()
                return Double(own - library) / Double(Self.count)
            }
        ]
    }

    private func calls(_ durability: Durability, _ limits: Gate.Calls, _ reason: String) -> [Gate] {
        let count = Self.count(durability)
        return Gate.calls(
            "rocks/put .\(durability)",
            probe: "rocks-put",
            [durability.rawValue],
            operations: count,
            bytes: Rows.keySize + Rows.valueSize,
            limits: limits,
            because: reason
        )
    }

    /// Disks take milliseconds. As many as make nothing of the calls with which RocksDB's own threads begin.
    private static func count(_ durability: Durability) -> Int { durability == .synced ? 1000 : count }
}
