import CairnCore
import CairnRocks
import CairnToolKit

/// Collects records in batches and writes them.
struct ImportSink {
    let database: RocksDB
    /// The column family for all records; `nil` for the ones that they name.
    let columnFamily: String?
    let batchSize: Int
    /// The types of the keys; `nil` for keys that are text.
    let keyType: KeyTypes?
    let arguments: WritingArguments

    /// The number of records stored.
    private(set) var rows = 0
    private var lastLineStored = 0
    private var lastLine = 0
    private var batch: WriteBatch?
    private var families: [String: ColumnFamily] = [:]

    /// A batch of large records is written before it has `batchSize` records.
    private static let largestBatch = 4 << 20

    init(database: RocksDB, columnFamily: String?, batchSize: Int, keyType: KeyTypes?, arguments: WritingArguments) {
        self.database = database
        self.columnFamily = columnFamily
        self.batchSize = batchSize
        self.keyType = keyType
        self.arguments = arguments
    }

    /// A sentence that says what was stored.
    var state: String {
        guard rows > 0 else { return "No records were imported." }
        let records = Numbers.counted(rows, "record", "records")
        return "\(records), up to line \(Numbers.grouped(lastLineStored)), \(rows == 1 ? "was" : "were") imported."
    }

    mutating func add(_ item: InputItem) throws {
        switch item {
        case .columnFamily(let name): if columnFamily == nil { _ = try family(name) }
        case .record(let record):
            let batch = batch ?? database.makeBatch()
            self.batch = batch
            let key = try keyType?.bytes(String(decoding: record.key, as: UTF8.self), isPart: false) ?? record.key
            batch.in(try family(columnFamily ?? record.columnFamily ?? "default")).put(record.value, for: key)
            lastLine = record.line
            if batch.count >= batchSize || batch.dataSize.bytes >= Self.largestBatch { try write() }
        }
    }

    /// Writes what was added since the last write.
    mutating func write() throws {
        guard let batch, batch.count > 0 else { return }
        try database.write(batch, options: arguments.options)
        rows += batch.count
        lastLineStored = lastLine
        batch.clear()
    }

    private mutating func family(_ name: String) throws -> ColumnFamily {
        if let family = families[name] { return family }
        let family = try database.family(named: name, create: arguments.create)
        families[name] = family
        return family
    }
}
