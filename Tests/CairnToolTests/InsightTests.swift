import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// `stats`, `properties`, `options`, `column-families`.
struct InsightTests {
    // Lives as long as the test.
    private let playground: Playground

    init() throws { playground = try Playground() }

    @Test func statsShowTheMainNumbers() throws {
        let db = try playground.database("db", ["a": "1", "b": "2"], columnFamilies: ["songs"]) { try $0.flush() }
        let lines = try cairn("rocks", "stats", db).output.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 6)
        #expect(lines[0] == "\(db)  (RocksDB \(RocksDB.libraryVersion), sequence number 2)")
        #expect(lines[2].hasPrefix("column family  keys (estimated)  live data  files"))
        #expect(lines[3].contains(/^default +2 +[0-9.]+ (B|KiB) +1 +/))
        #expect(lines[3].hasSuffix("  1"))
        #expect(lines[4].contains(/^songs +0 +0 B +0 +0 B/))

        let json = try object(cairn("rocks", "stats", db, "--json"))
        let families = try #require(json["column_families"] as? [[String: Any]])
        #expect(json["path"] as? String == db)
        #expect(families.map { $0["name"] as? String } == ["default", "songs"])
        #expect(families.map { $0["keys_estimate"] as? Int } == [2, 0])
        #expect(families.map { $0["files_per_level"] as? [Int] } == [[1], []])

        #expect(try cairn("rocks", "stats", db, "--text").output.contains("** DB Stats **"))
    }

    @Test func propertiesAreListedOrPrintedAlone() throws {
        let db = try playground.database("db", ["a": "1"], columnFamilies: ["songs"]) { try $0.flush() }
        let all = try cairn("rocks", "properties", db)
        #expect(all.error == "")
        #expect(all.output.contains(/\nrocksdb\.num-files-at-level0 +1\n/))
        #expect(all.output.contains(/\nrocksdb\.estimate-num-keys +1\n/))
        #expect(all.output.contains("\nrocksdb.stats\n"))
        #expect(try cairn("rocks", "properties", db, "rocksdb.estimate-num-keys", "-c", "songs") == Outcome("0\n"))
        #expect(
            try cairn("rocks", "properties", db, "rocksdb.estimate-num-keys", "--json")
                == Outcome("{\"rocksdb.estimate-num-keys\":\"1\"}\n")
        )
        #expect(try object(cairn("rocks", "properties", db, "--json"))["rocksdb.num-files-at-level0"] as? String == "1")
        let error =
            "Error: '\(db)' has no property 'rocksdb.nonsense'.\nHint: Run 'cairn rocks properties' without a name to list all properties.\n"
        #expect(try cairn("rocks", "properties", db, "rocksdb.nonsense") == Outcome(error: error, status: 1))
    }

    @Test func optionsAreThoseTheDatabaseWasOpenedWith() throws {
        let path = playground.path("db")
        var options = DatabaseOptions(createIfMissing: true)
        options["max_background_jobs"] = "3"
        var family = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        family["write_buffer_size"] = "1048576"
        family.table["filter_policy"] = "bloomfilter:10:false"
        let db = try RocksDB(path: path, options: options, columnFamilyOptions: family)
        try db.put("1", for: "a")
        try db.close()

        func changes() throws -> String { try cairn("rocks", "options", path, "--changed").output }
        let before = try changes()
        #expect(before.contains(/\n  max_background_jobs +3\n/))
        #expect(before.contains(/\n  write_buffer_size +1048576\n/))
        #expect(before.contains(/\n  filter_policy +bloomfilter:10/))
        // Neither reading nor writing resets them, and the merge operator works.
        #expect(try cairn("rocks", "put", path, "b", "2") == Outcome())
        #expect(try cairn("rocks", "count", path) == Outcome("2\n"))
        #expect(try changes() == before)

        let again = try RocksDB(path: path, columnFamilyOptions: family)
        try again.merge("3", for: "b")
        try again.close()
        #expect(try cairn("rocks", "get", path, "b") == Outcome("2,3"))
    }

    @Test func changesAreOnlyWhatDiffers() throws {
        let db = try playground.database()
        // RocksDB computes some options from others: a new database differs from the defaults, but nobody has changed it.
        #expect(try cairn("rocks", "options", db, "--changed") == Outcome())
        var options = DatabaseOptions()
        options.walRecoveryMode = .absoluteConsistency
        try RocksDB(path: db, options: options).close()
        let changes = try cairn("rocks", "options", db, "--changed").output
        #expect(changes == "database\n  wal_recovery_mode  kAbsoluteConsistency\n")
        // Nor did it ask for this when it opened the database with its tables.
        let tables = playground.path("tables")
        try RocksDB(
            path: tables,
            tables: [TableDefinition("plays", key: String.self, value: String.self, codec: .utf8)],
            options: DatabaseOptions(createIfMissing: true)
        ).close()
        #expect(try cairn("rocks", "options", tables, "--changed") == Outcome())
        // Lists in braces are the same lists as without.
        #expect(!changes.contains("compaction_options_universal") && !changes.contains("\ntable"))
    }

    /// Options that the library leaves out of its lists while they are empty, and formats of tables.
    @Test func writingKeepsWhereTheLogIsAndHowTablesAreMade() throws {
        let path = playground.path("db")
        var options = DatabaseOptions(createIfMissing: true)
        options.walDirectory = playground.path("log")
        options["avoid_flush_during_shutdown"] = "true"
        var family = ColumnFamilyOptions()
        family.tableFormat = .plain()
        family.prefixExtractor = .fixed(1)
        let db = try RocksDB(path: path, options: options, columnFamilyOptions: family)
        try db.put("1", for: "a")
        try db.flush()
        try db.put("2", for: "b")
        try db.close()
        #expect(try cairn("rocks", "get", path, "a") == Outcome("1"))
        #expect(try cairn("rocks", "get", path, "b") == Outcome("2"))
        #expect(try cairn("rocks", "put", path, "c", "3") == Outcome())
        let again = try RocksDB(path: path, options: options, columnFamilyOptions: family)
        #expect(try again.get("a") == "1" && again.get("b") == "2" && again.get("c") == "3")
        try again.close()
    }

    /// What a program counted, as RocksDB writes it to the text log.
    @Test func statisticsOfAProgramAreShownByName() throws {
        let db = try playground.database("db", ["a": "1"])
        let none = try cairn("rocks", "stats", db, "--counters")
        #expect(none.status == 1 && none.error.hasPrefix("Error: The text log of '\(db)' does not contain statistics.\nHint: "))
        let log = """
            2026/11/21-17:21:25.887302 19270 [db/db_impl/db_impl.cc:788] STATISTICS:
             rocksdb.block.cache.miss COUNT : 1
            rocksdb.db.get.micros P50 : 1.0 P95 : 2.0 P99 : 3.0 P100 : 4.0 COUNT : 5 SUM : 6
            2026/11/21-17:21:26.887302 19270 [db/db_impl/db_impl.cc:788] STATISTICS:
             rocksdb.block.cache.miss COUNT : 1234
            rocksdb.block.cache.hit COUNT : 0
            rocksdb.db.get.micros P50 : 45.250000 P95 : 46.000000 P99 : 47.000000 P100 : 48.000000 COUNT : 2 SUM : 93
            rocksdb.db.write.micros P50 : 0.000000 P95 : 0.000000 P99 : 0.000000 P100 : 0.000000 COUNT : 0 SUM : 0
            2026/11/21-17:21:28.886496 19249 [db/db_impl/db_impl.cc:496] Shutdown: canceling all background work
            rocksdb.block.cache.add COUNT : 9

            """
        _ = try playground.file("db/LOG", log)
        let counters = "Written at 2026/11/21-17:21:26.887302\n\ncounter                   count\nrocksdb.block.cache.miss  1,234\n"
        #expect(try cairn("rocks", "stats", db, "--counters") == Outcome(counters))
        #expect(try cairn("rocks", "stats", db, "--name", "rocksdb.block.cache.miss") == Outcome(counters))
        #expect(try cairn("rocks", "stats", db, "--name", "rocksdb.block.cache.hit").output.hasSuffix("hit      0\n"))
        let histograms = try cairn("rocks", "stats", db, "--histograms").output
        #expect(
            histograms.contains(/rocksdb.db.get.micros +2 +45.3 +46.0 +47.0 +48.0 +93\n$/) && !histograms.contains("write"),
            "\(histograms)"
        )
        let json = """
            {"written":"2026/11/21-17:21:26.887302","counters":{"rocksdb.block.cache.hit":0},"histograms":{"rocksdb.db.get.micros":\
            {"count":2,"median":45.25,"p95":46.0,"p99":47.0,"max":48.0,"sum":93}}}

            """
        #expect(
            try cairn("rocks", "stats", db, "--name", "rocksdb.block.cache.hit", "--name", "rocksdb.db.get.micros", "--json")
                == Outcome(json)
        )
        #expect(try cairn("rocks", "stats", db, "--name", "rocksdb.nonsense").status == 1)
        #expect(try cairn("rocks", "stats", db, "--name", "a", "--counters").status == 2)
    }

    /// Written by RocksDB itself.
    @Test func statisticsThatRocksDBWrites() throws {
        let path = playground.path("db")
        var options = DatabaseOptions(createIfMissing: true)
        options.statistics = try Statistics()
        options["stats_dump_period_sec"] = "1"
        let db = try RocksDB(path: path, options: options)
        try db.put("1", for: "a")
        // The first statistics that RocksDB writes may be older than the key.
        let deadline = ContinuousClock.now + .seconds(600)
        while try !String(contentsOfFile: path + "/LOG", encoding: .utf8).contains("rocksdb.number.keys.written COUNT : 1\n") {
            try #require(ContinuousClock.now < deadline)
        }
        let counted = "\"counters\":{\"rocksdb.number.keys.written\":1}"
        var outcome = Outcome(status: 1)
        // The next may have been half written.
        for _ in 0..<100 where !outcome.output.contains(counted) {
            outcome = try cairn("rocks", "stats", path, "--name", "rocksdb.number.keys.written", "--json")
        }
        #expect(outcome.output.contains(counted), "\(outcome)")
        try db.close()
    }

    @Test func aDamagedFileOfOptionsIsRefused() throws {
        let db = try playground.database("db", ["a": "1"])
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: db).first { $0.hasPrefix("OPTIONS-") })
        _ = try playground.file("db/" + name, "nonsense\n")
        let error = """
            Error: '\(db)/\(name)' is not a RocksDB options file: 'nonsense' is not a setting.
            Hint: If you remove that file, the database is opened with the library's defaults.

            """
        #expect(try cairn("rocks", "get", db, "a") == Outcome(error: error, status: 3))
    }

    @Test func defaultsNeedNoDatabase() throws {
        let outcome = try cairn("rocks", "options", "--defaults")
        #expect(outcome.output.hasPrefix("database\n"))
        #expect(outcome.output.contains(/\n  max_background_jobs +2\n/))
        #expect(outcome.output.contains("\n\ncolumn family\n"))
        let json = try JSONSerialization.jsonObject(with: Data(cairn("rocks", "options", "--defaults", "--json").output.utf8))
        let sections = try #require(json as? [[String: Any]])
        #expect(sections.map { $0["section"] as? String } == ["database", "column family", "table"])
        #expect((sections[2]["options"] as? [String: String])?["block_size"] == TableOptions.defaults["block_size"])
        let usage = try cairn("rocks", "options")
        #expect(usage.status == 2)
        #expect(usage.error.hasPrefix("Error: Give either a database or --defaults.\nUsage: cairn rocks options "))
    }

    @Test func columnFamiliesAreListed() throws {
        let db = try playground.database("db", columnFamilies: ["b", "a\nc"])
        #expect(try cairn("rocks", "column-families", db) == Outcome("a\\nc\nb\ndefault\n"))
        #expect(try cairn("rocks", "column-families", db, "--json") == Outcome("[\"a\\nc\",\"b\",\"default\"]\n"))
    }

    @Test func mergesOfAProgramsOwnCanBeReadAround() throws {
        let path = playground.path("db")
        let own = MergeOperator(name: "test.last") { _, _, operand in [UInt8](copying: operand) }
        let options = ColumnFamilyOptions(mergeOperator: own)
        let db = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true), columnFamilyOptions: options)
        try db.put("1", for: "plain")
        try db.merge("2", for: "merged")
        try db.close()
        #expect(try cairn("rocks", "get", path, "plain") == Outcome("1"))
        let merged = try cairn("rocks", "get", path, "merged")
        #expect(merged.status == 3 && merged.output == "")
        #expect(merged.error.hasPrefix("Error: Reading from column family 'default'"), "\(merged.error)")
        let hint = "The column family uses the merge operator 'test.last', which only its program has; merged keys cannot be read here."
        #expect(merged.error.hasSuffix("\nHint: \(hint)\n"), "\(merged.error)")
        #expect(
            try cairn("rocks", "verify", path).output.contains(
                "not read: needs the merge operator of its program\n0 entries read, no damage found.\n"
            )
        )
        let message =
            "Column family 'default' of '\(path)' uses the merge operator 'test.last', which only its program has, so it cannot be written here."
        #expect(
            try cairn("rocks", "put", path, "x", "1")
                == Outcome(error: "Error: \(message)\nHint: Commands that only read still work.\n", status: 3)
        )
    }

    private func object(_ outcome: Outcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }
}
