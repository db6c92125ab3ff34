import CairnCore
import CairnRocks
import Foundation
import Testing

@Suite struct StatisticsTests {
    @Test func everyMemberHasANameOfItsOwn() {
        #expect(Set(StatisticsTable.tickers.map(\.name)).count == StatisticsTable.tickers.count)
        #expect(Set(StatisticsTable.histograms.map(\.name)).count == StatisticsTable.histograms.count)
    }

    /// Fails when the installed library has a statistic without a member, or lacks one that has a member.
    @Test(.enabled(if: RocksDB.libraryVersion.hasPrefix("7.8."), "the lists are those of RocksDB 7.8"))
    func everyNameHasAMember() throws {
        let statistics = try Statistics()
        expectSame(Set(statistics.tickers.keys), Set(StatisticsTable.tickers.map(\.name)))
        expectSame(Set(statistics.histograms.keys), Set(StatisticsTable.histograms.map(\.name)))
    }

    private func expectSame(_ library: Set<String>, _ members: Set<String>) {
        #expect(library.subtracting(members).sorted() == [], "names without a member")
        #expect(members.subtracting(library).sorted() == [], "members without a name")
    }

    /// A database that counts, in a directory of its own.
    private func counting(_ change: (inout OptionSetup) -> Void = { _ in }, _ body: (RocksDB, Statistics) throws -> Void) throws {
        var setup = OptionSetup()
        let statistics = try Statistics()
        setup.database.statistics = statistics
        change(&setup)
        try setup.open { try body($0, statistics) }
    }

    @Test func countsByMember() throws {
        try counting { db, statistics in
            #expect(statistics.count(of: .numberKeysWritten) == 0)
            for key in 0..<10 { try db.put("value", for: "key\(key)") }
            _ = try db.get("key1", as: String.self)
            #expect(statistics.count(of: .numberKeysWritten) == 10)
            #expect(statistics.count(of: .numberKeysRead) == 1)
            #expect(statistics.count(of: .memtableHit) == 1)
            #expect(statistics.count(of: .memtableHit) == statistics.tickers["rocksdb.memtable.hit"])
            let get = try #require(statistics.histogram(of: .bytesPerRead))
            #expect(get.count == 1 && get.sum == 5 && get.maximum == 5)
            #expect(get == statistics.histograms["rocksdb.bytes.per.read"])
            #expect(try statistics.report().contains("rocksdb.number.keys.written COUNT : 10"))
        }
    }

    /// A count that is taken is zero in the same instant; the others stay.
    @Test func takeCount() throws {
        try counting { db, statistics in
            try db.put("value", for: "key")
            #expect(statistics.takeCount(of: .numberKeysWritten) == 1)
            #expect(statistics.count(of: .numberKeysWritten) == 0)
            #expect(statistics.count(of: .writeWithWAL) == 1)
            try statistics.reset()
            #expect(statistics.count(of: .writeWithWAL) == 0)
        }
    }

    @Test func unknownNames() throws {
        let statistics = try Statistics()
        #expect(statistics.count(of: Statistics.Ticker(name: "rocksdb.nope")) == nil)
        #expect(statistics.takeCount(of: Statistics.Ticker(name: "")) == nil)
        #expect(statistics.histogram(of: Statistics.HistogramKind(name: "rocksdb.bytes.written")) == nil)
    }

    @Test func levels() throws {
        try counting { db, statistics in
            #expect(statistics.level == .exceptDetailedTimers)
            statistics.level = .disabled
            try db.put("value", for: "key")
            #expect(statistics.count(of: .numberKeysWritten) == 0)
            statistics.level = .exceptHistogramsOrTimers
            try db.put("value", for: "key")
            #expect(statistics.count(of: .numberKeysWritten) == 1)
            #expect(statistics.histogram(of: .bytesPerWrite)?.count == 0)
            statistics.level = .all
            #expect(statistics.level == .all)
            try db.put("value", for: "key")
            #expect(statistics.histogram(of: .bytesPerWrite)?.count == 1)
            #expect(statistics.histogram(of: .dbWrite)?.count == 1)
        }
    }

    /// Records of what was counted, second by second, in memory.
    @Test(.timeLimit(.minutes(60))) func history() throws {
        try counting({ $0.database.statsPersistPeriod = .seconds(1) }) { db, _ in
            let records = try waitForHistory(of: db)
            #expect(records.contains { ($0.count(of: .numberKeysWritten) ?? 0) > 0 })
            #expect(try db.statisticsHistory(from: UInt64.max - 1).isEmpty)
            #expect(try db.statisticsHistory(to: 1).isEmpty)
        }
        let none = try OptionSetup().open { try $0.statisticsHistory() }
        #expect(none.isEmpty)
    }

    /// Records kept in the database outlive it, in a column family that RocksDB keeps to itself.
    @Test(.timeLimit(.minutes(60))) func historyOnDisk() throws {
        let scene = try Scene()
        var options = DatabaseOptions(createIfMissing: true)
        options.statistics = try Statistics()
        options.statsPersistPeriod = .seconds(1)
        options.persistStatsToDisk = true
        var db = try scene.open(options: options)
        let records = try waitForHistory(of: db)
        #expect(db.columnFamilyNames == ["default"])
        try db.close()
        #expect(try RocksDB.columnFamilyNames(path: scene.path) == ["default"])

        options.statsPersistPeriod = .seconds(3600)
        db = try scene.open(options: options)
        #expect(db.columnFamilyNames == ["default"])
        let kept = try db.statisticsHistory()
        #expect(kept.count >= records.count && kept.first?.time == records.first?.time)
        #expect(code { try db.createColumnFamily("___rocksdb_stats_history___") } == .invalidArgument)
        try db.close()
        // Neither those who do not keep them nor readers are in its way.
        db = try scene.open()
        #expect(try db.statisticsHistory().isEmpty)
        try db.close()
        db = try RocksDB(path: scene.path, mode: .readOnly)
        #expect(try db.text("key") == "value")
        try db.close()
        var making = DatabaseOptions()
        making.createMissingColumnFamilies = true
        #expect(
            code { try scene.open(ColumnFamilyOptions(), ["___rocksdb_stats_history___": ColumnFamilyOptions()], options: making) }
                == .invalidArgument
        )
    }

    /// Writes until something was recorded.
    private func waitForHistory(of db: RocksDB) throws -> [StatisticsRecord] {
        var records: [StatisticsRecord] = []
        try waitUntil {
            try db.put("value", for: "key")
            records = try db.statisticsHistory()
            return records.contains { ($0.count(of: .numberKeysWritten) ?? 0) > 0 }
        }
        return records
    }

    @Test func closed() throws {
        let scene = try Scene()
        let db = try scene.open()
        try db.close()
        #expect(code { try db.statisticsHistory() } == .closed)
    }
}
