import RivalRocksDB

/// The rival: the loops of RivalRocksDB, in C++.
@safe final class RivalSide: Side {
    private let rival: OpaquePointer

    /// - Parameter log: with it, the database is only followed; see ``Side/catchUp()``.
    init(path: String, settings: RocksSettings, followingWith log: String? = nil) throws {
        let opened = unsafe rival_open(
            path,
            log,
            RocksSettings.text(settings.database),
            RocksSettings.text(settings.family),
            RocksSettings.text(settings.table),
            settings.blockCacheBytes,
            settings.ours.rival,
            Rows.valueTemplate,
            Rows.valueTemplate.count
        )
        guard let opened = unsafe opened else { throw unsafe RivalFailure(message: String(cString: rival_error(nil))) }
        unsafe rival = opened
    }

    func close() { unsafe rival_close(rival) }
    func catchUp() throws { try unsafe check(rival_catch_up(rival)) }

    /// Writes the files and compacts everything into the lowest level.
    func compact() throws { try unsafe check(rival_compact(rival)) }

    func put(_ rows: [UInt32]) throws { try unsafe with(rows) { unsafe rival_put(rival, $0) } }
    func putBatches(_ rows: [UInt32], of size: Int) throws { try unsafe with(rows) { unsafe rival_put_batches(rival, $0, size) } }
    func merge(_ rows: [UInt32]) throws { try unsafe with(rows) { unsafe rival_merge(rival, $0) } }
    func transactions(_ rows: [UInt32], of size: Int) throws { try unsafe with(rows) { unsafe rival_transactions(rival, $0, size) } }
    func indexedBatches(_ rows: [UInt32], of size: Int) throws { try unsafe with(rows) { unsafe rival_indexed_batches(rival, $0, size) } }
    func get(_ rows: [UInt32]) throws -> UInt64 { try unsafe sum(rows) { unsafe rival_get(rival, $0, &$1) } }
    func getOwned(_ rows: [UInt32]) throws -> UInt64 { try unsafe sum(rows) { unsafe rival_get_owned(rival, $0, &$1) } }
    func getMissing(_ rows: [UInt32]) throws -> UInt64 { try unsafe sum(rows) { unsafe rival_get_missing(rival, $0, &$1) } }
    func multiGet(_ rows: [UInt32], by size: Int) throws -> UInt64 {
        try unsafe sum(rows) { unsafe rival_multi_get(rival, $0, size, &$1) }
    }
    func scan() throws -> UInt64 { try unsafe sum([]) { unsafe rival_scan(rival, &$1) } }
    func scanByCursor() throws -> UInt64 { try scan() }
    func scan(prefixes: [UInt32]) throws -> UInt64 { try unsafe sum(prefixes) { unsafe rival_scan_prefixes(rival, $0, &$1) } }

    private func with(_ rows: [UInt32], _ body: (rival_rows) -> Bool) throws {
        try unsafe check(
            rows.withUnsafeBufferPointer { rows in
                unsafe body(rival_rows(numbers: rows.baseAddress, count: rows.count))
            }
        )
    }

    private func sum(_ rows: [UInt32], _ body: (rival_rows, inout UInt64) -> Bool) throws -> UInt64 {
        var sum: UInt64 = 0
        try unsafe with(rows) { unsafe body($0, &sum) }
        return sum
    }

    private func check(_ succeeded: Bool) throws {
        guard succeeded else { throw unsafe RivalFailure(message: String(cString: rival_error(rival))) }
    }
}

extension Extension {
    fileprivate var rival: rival_extension {
        switch self {
        case .none: RIVAL_PLAIN
        case .comparator: RIVAL_COMPARATOR
        case .mergeOperator: RIVAL_MERGE
        case .compactionFilter: RIVAL_FILTER
        case .transactions: RIVAL_TRANSACTIONS
        }
    }
}

/// What RocksDB said to the rival.
struct RivalFailure: Error, CustomStringConvertible {
    var message: String
    var description: String { "the C++ rival failed: \(message)" }
}
