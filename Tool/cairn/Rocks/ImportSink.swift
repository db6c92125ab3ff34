import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

/// Collects records in batches and writes them.
struct ImportSink {
    let database: RocksDB
    /// The column family for all records; `nil` for the ones that they name.
    let columnFamily: String?
    let batchSize: Int
    let types: ImportTypes
    /// The name of the input, for messages.
    let input: String
    let arguments: WritingArguments

    /// The number of records stored.
    private(set) var rows = 0
    private var lastLineStored = 0
    private var lastLine = 0
    private var batch: WriteBatch?
    private var targets: [String: Target] = [:]

    private struct Target {
        let family: ColumnFamily
        var types: ImportTypes.Types
    }

    /// A batch of large records is written before it has `batchSize` records.
    private static let largestBatch = 4 << 20

    init(database: RocksDB, columnFamily: String?, batchSize: Int, types: ImportTypes, input: String, arguments: WritingArguments) {
        self.database = database
        self.columnFamily = columnFamily
        self.batchSize = batchSize
        self.types = types
        self.input = input
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
        case .columnFamily(let name, let keyType, let valueType):
            if keyType != nil || valueType != nil {
                try declare(columnFamily ?? name ?? "default", keyType, valueType)
            } else if columnFamily == nil, let name {
                _ = try target(name)
            }
        case .record(let record):
            let batch = batch ?? database.makeBatch()
            self.batch = batch
            let target = try self.target(columnFamily ?? record.columnFamily ?? "default")
            let (key, value) = try entry(of: record, target)
            batch.in(target.family).put(value, for: key)
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

    private func entry(of record: Record, _ target: Target) throws -> (key: [UInt8], value: [UInt8]) {
        do {
            return try target.types.entry(of: record)
        } catch let failure as Failure {
            let message = failure.message.prefix(1).lowercased() + failure.message.dropFirst()
            throw Failure(.file, "\(input), line \(record.line): \(message)", hint: failure.hint)
        }
    }

    /// Takes the types that the input names for the records of a column family, and has the database remember them.
    private mutating func declare(_ name: String, _ keyType: String?, _ valueType: String?) throws {
        var target = try self.target(name)
        target.types = try types.types(of: name, keyType: keyType, valueType: valueType)
        targets[name] = target
        guard !types.isRaw, types.given.key == nil, types.given.value == nil else { return }
        database.remember(TableTypes(key: target.types.key?.description, value: target.types.value?.description), ofTable: name)
    }

    private mutating func target(_ name: String) throws -> Target {
        if let target = targets[name] { return target }
        let target = Target(family: try database.family(named: name, create: arguments.create), types: types.types(of: name))
        targets[name] = target
        return target
    }
}
