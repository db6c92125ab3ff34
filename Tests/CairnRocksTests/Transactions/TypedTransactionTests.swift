import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// Typed reads for update, and updates.
@Suite struct TypedTransactionTests {
    let scene = try! Scene()

    private struct Stop: Error {}
    private static let stock = TableDefinition("stock", key: String.self, value: Int.self, codec: .littleEndian)

    @Test(arguments: transactionModes) func updates(mode: RocksDB.OpenMode) throws {
        let db = try RocksDB(path: scene.path, tables: [Self.stock], mode: mode), stock = try db.table(Self.stock)
        try db.withTransaction { tx in
            #expect(try tx.in(stock).getForUpdate("apple") == nil)
            try tx.in(stock).update("apple") { $0 = ($0 ?? 0) + 3 }
            #expect(try tx.in(stock).getForUpdate("apple") == 3)
            let before = try tx.in(stock).update("apple") { value in
                defer { value = 10 }
                return value
            }
            #expect(before == 3)
            #expect(throws: Stop.self) {
                try tx.in(stock).update("apple") { value in
                    value = 99
                    throw Stop()
                }
            }
        }
        #expect(try stock.get("apple") == 10)
        try db.withTransaction { tx in
            try tx.in(stock).update("apple") { $0 = nil }
            try tx.in(stock).update("missing") { $0 = nil }
            #expect(try tx.status().deletes == 1)
        }
        #expect(try stock.keys() == [])
        let tx = try db.makeTransaction()
        try stock.put(1, for: "pear")
        try stock.space.put("short", for: "pear")
        let bytes = try stock.space.keys()
        #expect(bytes.count == 2)
        try tx.rollback()
        #expect(code { try tx.in(stock).getForUpdate("pear") } == .closed)
    }

    /// What was read for update is not changed by others meanwhile.
    @Test func holdsOthersOff() throws {
        let db = try RocksDB(path: scene.path, tables: [Self.stock], mode: .transactions(.impatient)), stock = try db.table(Self.stock)
        try db.withTransaction { tx in
            #expect(try tx.in(stock).getForUpdate("apple") == nil)
            #expect(code { try stock.put(1, for: "apple") } == .timedOut)
            let other = try db.makeTransaction()
            #expect(code { try other.in(stock).update("apple") { $0 = 2 } } == .timedOut)
            #expect(try other.in(stock).getForUpdate("pear", lock: .shared) == nil)
            try other.rollback()
        }
        let optimistic = try RocksDB(path: scene.directory.path("o"), tables: [Self.stock], mode: .optimisticTransactions())
        let table = try optimistic.table(Self.stock), tx = try optimistic.makeTransaction()
        try tx.in(table).update("apple") { $0 = 1 }
        try table.put(5, for: "apple")
        #expect(code { try tx.commit() } == .busy)
    }
}
