#if CDB
import BenchKit
import CairnCore
import RivalCDB

/// The rival: the loops of RivalCDB, in C.
@safe struct RivalSide: Side {
    let path: String
    private let db: OpaquePointer

    init(path: String) throws {
        self.path = path
        guard let db = unsafe rival_cdb_open(path) else { throw Disagreement("libcdb cannot open \(path)") }
        unsafe self.db = db
    }

    func close() { unsafe rival_cdb_close(db) }

    func create(_ path: String, _ keys: Keys, _ durability: Durability) throws -> UInt64 {
        try check(unsafe rival_cdb_create(path, keys.bytes, keys.count, Values.template, durability == .synced))
        return 0
    }

    func get(_ keys: Keys, at path: String) throws -> UInt64 {
        let side = try RivalSide(path: path)
        defer { side.close() }
        return try side.get(keys)
    }

    func get(_ keys: Keys) throws -> UInt64 {
        var sum: UInt64 = 0
        var missing: UInt64 = 0
        try check(unsafe rival_cdb_get(db, keys.bytes, keys.count, &sum, &missing))
        return sum &+ missing
    }

    func getOwned(_ keys: Keys) throws -> UInt64 { try unsafe sum { unsafe rival_cdb_get_owned(db, keys.bytes, keys.count, $0) } }

    /// libcdb has no batches: its look-ups one by one.
    func getBatched(_ keys: Keys, by size: Int) throws -> UInt64 { try get(keys) }

    func getPositioned(_ keys: Keys) throws -> UInt64 { try unsafe sum { unsafe rival_cdb_seek(path, keys.bytes, keys.count, $0) } }

    func scan() throws -> UInt64 {
        var sum: UInt64 = 0
        var count: UInt64 = 0
        try check(unsafe rival_cdb_scan(db, &sum, &count))
        return sum &+ count
    }

    func openOften(_ key: Keys, times: Int) throws -> UInt64 { try unsafe sum { unsafe rival_cdb_open_often(path, key.bytes, times, $0) } }

    private func sum(_ body: (UnsafeMutablePointer<UInt64>) -> Bool) throws -> UInt64 {
        var sum: UInt64 = 0
        try check(unsafe body(&sum))
        return sum
    }

    private func check(_ succeeded: Bool) throws {
        guard succeeded else { throw Disagreement("libcdb failed") }
    }
}
#endif
