/// One way to the same library: every workload, a whole loop per call. Reads return a checksum.
protocol Side: AnyObject {
    func put(_ rows: [UInt32]) throws
    func putBatches(_ rows: [UInt32], of size: Int) throws
    func merge(_ rows: [UInt32]) throws
    /// Each row is sought for update, which is missing, and put.
    func transactions(_ rows: [UInt32], of size: Int) throws
    /// Rows are put into an indexed batch, read over the database, and written.
    func indexedBatches(_ rows: [UInt32], of size: Int) throws
    func get(_ rows: [UInt32]) throws -> UInt64
    func getOwned(_ rows: [UInt32]) throws -> UInt64
    func getMissing(_ rows: [UInt32]) throws -> UInt64
    func multiGet(_ rows: [UInt32], by size: Int) throws -> UInt64
    func scan() throws -> UInt64
    /// The same scan for the rival, whose iterator is a cursor.
    func scanByCursor() throws -> UInt64
    func scan(prefixes: [UInt32]) throws -> UInt64
    /// Follows another process: reads what it has written since.
    func catchUp() throws
    /// Writes the files and compacts everything into the lowest level.
    func compact() throws
    func close() throws
}

/// What both sides open their databases with, as RocksDB's own option text.
struct RocksSettings {
    var database: [String: String]
    var family: [String: String]
    var table: [String: String] = [:]
    var blockCacheBytes: Int
    var ours = Extension.none

    /// Options text, in a fixed order.
    static func text(_ settings: [String: String]) -> String {
        settings.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    }
}

/// What a column family has that calls back, in Swift on one side and in C++ on the other.
enum Extension {
    case none, comparator, mergeOperator, compactionFilter
    /// Nothing that calls back: the database is opened for transactions with locks.
    case transactions
}
