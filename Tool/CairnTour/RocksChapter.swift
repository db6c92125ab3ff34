import CairnCore
import CairnRocks
import CairnToolKit

/// The chapter about RocksDB.
struct RocksChapter {
    let data: TourData
    let path: String
    let stage: TourStage
    let options: DatabaseOptions
    let statistics: Statistics
    var db: RocksDB
    var items: Table<String, Item>

    init(data: TourData, path: String, stage: TourStage) throws {
        self.data = data
        self.path = path
        self.stage = stage
        statistics = try Statistics()
        var options = DatabaseOptions(createIfMissing: true)
        options.statistics = statistics
        self.options = options
        (db, items) = try Self.open(path, options, stage)
    }

    mutating func run() throws {
        try store()
        try rangeScan()
        try prefixScan()
        try batch()
        try failedBatch()
        try snapshot()
        try merge()
        try reopen()
        try report()
        try db.close()
    }

    private static func open(_ path: String, _ options: DatabaseOptions, _ stage: TourStage) throws -> (RocksDB, Table<String, Item>) {
        var opened: (db: RocksDB, items: Table<String, Item>)?
        try stage.section(
            "Open a database",
            "It is a directory; there is no server. A table has typed keys and values.",
            code: "let db = try RocksDB(path: path, tables: [counts], options: options)",
            #"let items = try db.table("items", key: String.self, value: Item.self, codec: .json)"#
        ) {
            let (db, openTime, _) = try stage.measure { try RocksDB(path: path, tables: [Self.counts], options: options) }
            let (items, tableTime, _) = try stage.measure { try db.table("items", key: String.self, value: Item.self, codec: .json) }
            opened = (db, items)
            var table = TextTable(["", ""])
            table.append(["path", path])
            table.append(["column families", db.columnFamilyNames.joined(separator: ", ")])
            return TourResult(table: table, summary: "database created in \(openTime), table in \(tableTime)")
        }
        return opened!
    }

    private func store() throws {
        try stage.section(
            "Store records, get one back",
            "Any Codable type works; here, each record is stored as JSON under its name.",
            code: "struct Item: Codable { var name, group: String; var size: Int?; var text: String }",
            "for item in data { try items.put(item, for: item.name) }",
            "let item = try items.get(\"\(data.example.name)\")"
        ) {
            let (_, time, duration) = try stage.measure { for item in data.items { try items.put(item, for: item.name) } }
            let (item, getTime, _) = try stage.measure { try items.get(data.example.name) }
            let rate = Numbers.rate(data.items.count, in: duration).map { " (\($0))" } ?? ""
            return TourResult(
                table: data.table([item].compactMap { $0 }),
                summary: "\(Numbers.grouped(data.items.count)) stored in \(time)\(rate), one read in \(getTime)"
            )
        }
    }

    private mutating func reopen() throws {
        try stage.section(
            "Close and open again",
            "Everything is still there; what was not yet in sorted files is recovered from the log.",
            code: "try db.close()",
            "let db = try RocksDB(path: path, tables: [counts], options: options)"
        ) {
            let (_, closeTime, _) = try stage.measure { try db.close() }
            let (_, openTime, _) = try stage.measure { db = try RocksDB(path: path, tables: [Self.counts], options: options) }
            items = try db.table("items", codec: .json)
            let item = try items.get(data.example.name)
            return TourResult(
                table: data.table([item].compactMap { $0 }),
                summary: "closed in \(closeTime), opened with \(data.counted(try items.count())) in \(openTime)"
            )
        }
    }

    private func report() throws {
        try stage.section(
            "See the statistics",
            "RocksDB keeps statistics for the whole database and for each column family.",
            code: #"statistics.tickers["rocksdb.number.keys.written"]"#,
            #"try items.space.intProperty("rocksdb.estimate-num-keys")"#
        ) {
            let tickers = statistics.tickers
            let get = statistics.histograms["rocksdb.db.get.micros"]
            var table = TextTable(["", ""], [.left, .right])
            table.append(["keys written", Numbers.grouped(tickers["rocksdb.number.keys.written"] ?? 0)])
            table.append(["bytes written", ByteCount(bytes: Int64(clamping: tickers["rocksdb.bytes.written"] ?? 0)).description])
            table.append(["keys read", Numbers.grouped(tickers["rocksdb.number.keys.read"] ?? 0)])
            table.append(["cursor steps", Numbers.grouped(tickers["rocksdb.number.db.next"] ?? 0)])
            if let get { table.append(["a get, median", Numbers.duration(.nanoseconds(Int64(get.median * 1000)))]) }
            table.append(["keys in items, estimated", Numbers.grouped(try items.space.intProperty("rocksdb.estimate-num-keys") ?? 0)])
            return TourResult(table: table, summary: "on disk: \(try ByteCount(bytes: sizeOnDisk()))")
        }
    }

    private func sizeOnDisk() throws -> Int64 {
        try FileSystem.system.list(path).reduce(0) { $0 + ((try? FileSystem.system.stat(path + "/" + $1))?.size ?? 0) }
    }
}

extension TourData {
    /// The item used as an example: a well-known one, if it exists.
    var example: Item {
        let known = ["bash", "Europe/London", "Matterhorn"]
        return known.lazy.compactMap { name in items.first { $0.name == name } }.first ?? items[items.count / 2]
    }
}
