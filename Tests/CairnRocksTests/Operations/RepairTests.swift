import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// Repairs that RocksDB would end the process over, or would leave something out of.
struct RepairTests {
    let scene = try! Scene()
    var copyPath: String { scene.directory.path("copy") }

    /// Copies the files of an open database, as a crash would leave them.
    private func copy() throws { try FileManager.default.copyItem(atPath: scene.path, toPath: copyPath) }

    private func prepare(_ db: RocksDB) throws -> Transaction {
        let transaction = try db.makeTransaction()
        try transaction.setName("first")
        try transaction.put("1", for: "prepared")
        try transaction.prepare()
        return transaction
    }

    @Test(arguments: [true, false]) func `logs with two-phase transactions are refused`(isCommitted: Bool) throws {
        let db = try scene.open(.transactions())
        // A record that crosses the blocks of the log, so that the mark is not in the first.
        try db.put(String(repeating: "x", count: 100_000), for: "long")
        let transaction = try prepare(db)
        if isCommitted { try transaction.commit() }
        try copy()
        let family = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        let error = try #require(failure { try RocksDB.repair(path: copyPath, columnFamilyOptions: family) })
        #expect(error.code == .notSupported && error.message.contains("the log holds two-phase transactions"), "\(error)")
        // As the message says.
        do {
            let again = try RocksDB(path: copyPath, columnFamilyOptions: family, mode: .transactions())
            for transaction in try again.preparedTransactions() { try transaction.commit() }
            try again.fill("later")
            try again.flush()
            try again.close()
        }
        try RocksDB.repair(path: copyPath, columnFamilyOptions: family)
        #expect(try RocksDB(path: copyPath, columnFamilyOptions: family).keyTexts() == ["later", "long", "prepared"])
    }

    @Test(arguments: ["none", "recycled", "compressed"]) func `other logs are repaired`(log: String) throws {
        var options = DatabaseOptions(createIfMissing: true)
        if log == "recycled" { options.recycleLogFileCount = 2 }
        if log == "compressed" { options.walCompression = .zstd }
        let db = try scene.open(options: options)
        for round in 0..<3 {
            for number in 0..<500 { try db.put("value \(round)", for: "key \(number)") }
            if round < 2 { try db.flush() }
        }
        try copy()
        try RocksDB.repair(path: copyPath)
        #expect(try RocksDB(path: copyPath).entries(as: (String.self, String.self)).allSatisfy { $1 == "value 2" })
        #expect(try RocksDB(path: copyPath).count() == 500)
    }

    @Test func `a merge operator that is missing is refused`() throws {
        let family = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        let db = try scene.open(family)
        try db.put("a", for: "in a file")
        try db.flush()
        try db.merge("b", for: "in a file")
        try db.merge("c", for: "in the log")
        try copy()
        let error = try #require(failure { try RocksDB.repair(path: copyPath) })
        #expect(error.code == .invalidArgument && error.message.contains("merges in column family 'default'"), "\(error)")
        try RocksDB.repair(path: copyPath, columnFamilyOptions: family)
        #expect(try RocksDB(path: copyPath, columnFamilyOptions: family).pairTexts() == ["in a file=a,b", "in the log=c"])
    }
}
