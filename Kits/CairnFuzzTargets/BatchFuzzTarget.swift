import CairnCore
import CairnRocks
import Foundation

/// Serialised batches: a batch of any bytes is refused or written, and either way the database still works.
public final class BatchFuzzTarget: FuzzTarget {
    public static let name = "batches"

    /// The database is opened again after every so many inputs: often in a test, seldom where each costs inputs per second.
    private let reopensEvery: Int
    private let path: String
    private var db: RocksDB
    private var contents: [[[UInt8]]] = []
    private var inputs = 0

    public convenience init() throws { try self.init(reopensEvery: 1) }

    /// A database in a directory of its own.
    public init(reopensEvery: Int) throws {
        self.reopensEvery = reopensEvery
        path = NSTemporaryDirectory() + "cairn-fuzz-\(UUID().uuidString)"
        db = try Self.open(path)
        try begin()
    }

    deinit {
        try? db.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Column family 0 is `default`, without a merge operator; 1 merges; 2 is sorted backwards.
    private static func open(_ path: String) throws -> RocksDB {
        var options = DatabaseOptions(createIfMissing: true)
        options.createMissingColumnFamilies = true
        options.keepLogFileCount = 1
        let merging = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        let reversed = ColumnFamilyOptions(comparator: .reverseBytewise)
        return try RocksDB(path: path, options: options, columnFamilies: ["1": merging, "2": reversed])
    }

    public func check(_ bytes: RawSpan) throws {
        inputs += 1
        // A directory that grows slows everything down.
        if inputs.isMultiple(of: 1_000) { try startAfresh() }
        guard let batch = try? WriteBatch(data: bytes) else { return }
        try require(batch.data == [UInt8](copying: bytes), "a batch is not the bytes it was made from")

        let wasWritten = (try? db.write(batch)) != nil
        do { try db.put("here", for: "still") } catch { throw FuzzFinding("the database takes no more writes: \(error)") }
        let after = try readAll()
        try require(wasWritten || after == contents, "a batch that was refused has changed the database")
        contents = after

        if inputs.isMultiple(of: reopensEvery) {
            do {
                try db.close()
                db = try Self.open(path)
            } catch {
                throw FuzzFinding("the database does not open again: \(error)")
            }
            try require(try readAll() == contents, "the database has other contents after it was opened again")
        }
    }

    private func startAfresh() throws {
        try db.close()
        try FileManager.default.removeItem(atPath: path)
        db = try Self.open(path)
        try begin()
    }

    private func begin() throws {
        try db.put("here", for: "still")
        contents = try readAll()
    }

    /// All entries, read forwards and backwards.
    private func readAll() throws -> [[[UInt8]]] {
        try db.columnFamilyNames.map { name in
            let family = try db.columnFamily(name)
            do {
                let forwards = try family.entries().flatMap { [$0.key, $0.value] }
                let backwards = try family.entries(.all.reversed).reversed().flatMap { [$0.key, $0.value] }
                try require(forwards == backwards, "reading backwards gives other entries than reading forwards")
                return forwards
            } catch let error as RocksError {
                throw FuzzFinding("the database cannot be read any more: \(error)")
            }
        }
    }
}
