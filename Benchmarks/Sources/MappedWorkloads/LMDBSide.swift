#if LMDB
import BenchKit
import RivalLMDB

/// LMDB, in C.
@safe struct LMDBSide: Side {
    let path: String
    var sharedPath: String? { path }
    private nonisolated(unsafe) let db: OpaquePointer
    private let isClosed = Once()

    init(path: String) throws {
        self.path = path
        var db: OpaquePointer?
        try unsafe check(rival_lmdb_open(path, &db))
        unsafe self.db = unsafe db!
    }

    func close() { if isClosed.enter() { unsafe rival_lmdb_close(db) } }

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        try unsafe check(rival_lmdb_set_ints(db, keys.bytes, order, order.count, base))
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        try unsafe check(rival_lmdb_set_strings(db, keys.bytes, order, order.count, Array(value.utf8), value.utf8.count))
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        try unsafe check(rival_lmdb_get(db, keys.bytes, order, order.count, &result.sum, &result.missing))
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        try unsafe check(rival_lmdb_get_owned(db, keys.bytes, order, order.count, &result.sum, &result.missing))
        return result
    }

    var lends: Bool { true }
    // Integers are read where they lie too.
    func getLent(_ keys: Keys, _ order: [UInt32]) throws -> Sum { try getInts(keys, order) }

    func open(_ keys: Keys, times: Int) throws -> Sum {
        var result = Sum()
        // LMDB wants one environment of a file in a process: this side's own was closed before.
        try unsafe check(rival_lmdb_open_often(path, keys.bytes, times, &result.sum))
        return result
    }
}

private func check(_ error: Int32) throws {
    guard error == 0 else { throw Disagreement("LMDB failed with error \(error)") }
}
#endif
