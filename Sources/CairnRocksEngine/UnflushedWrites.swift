/// What was written to the log and is in no file yet: to open the store after the process was killed, RocksDB must read it again, which takes 2 to 3 µs
/// for each entry (measured in decision 19).
struct UnflushedWrites {
    private var entries = 0
    private var bytes = 0

    mutating func add(entries: Int, bytes: Int) {
        self.entries += entries
        // At most what the log adds to each commit, and to each of its entries.
        self.bytes += bytes + 7 * entries + 32
    }

    mutating func reset() { self = UnflushedWrites() }

    /// Whether to write a file while the store is in use. RocksDB itself does so when the memtable is full, which can take 200,000 small entries.
    var areMany: Bool { entries >= 12_288 }
    /// Whether to write a file when the store is closed: reading the log each time costs more.
    var areWorthAFile: Bool { entries > 1_000 || bytes > Self.shortLog }

    /// Up to this size, the log is left as it is when the store is closed, and the next time the store is opened for reading first.
    static let shortLog = 128 << 10
}
