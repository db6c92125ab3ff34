import BenchKit
import CairnCDB
import RivalCDB

/// A file to be read, and the program that reads it. Each function is a whole loop and returns a checksum that both sides must agree upon.
protocol Side {
    func create(_ path: String, _ keys: Keys, synced: Bool) throws -> UInt64
    func get(_ keys: Keys) throws -> UInt64
    func getOwned(_ keys: Keys) throws -> UInt64
    func getBatched(_ keys: Keys, by size: Int) throws -> UInt64
    func getPositioned(_ keys: Keys) throws -> UInt64
    func scan() throws -> UInt64
    func openOften(_ key: Keys, times: Int) throws -> UInt64
}

/// The subject: CairnCDB through its public API.
struct CairnSide: Side {
    let path: String
    let reader: CDBReader
    let positioned: CDBReader

    init(path: String) throws {
        self.path = path
        reader = try CDBReader(path: path)
        positioned = try CDBReader(path: path, access: .positioned)
    }

    func create(_ path: String, _ keys: Keys, synced: Bool) throws -> UInt64 {
        let writer = try CDBWriter(path: path, durability: synced ? .synced : .none)
        var value = Values.template
        for row in 0..<keys.count {
            unsafe value.withUnsafeMutableBytes { unsafe $0.storeBytes(of: UInt64(row), as: UInt64.self) }
            try writer.put(value, for: keys.key(row))
        }
        try writer.finish()
        return 0
    }

    func get(_ keys: Keys) throws -> UInt64 {
        var sum: UInt64 = 0
        for row in 0..<keys.count {
            sum &+= try reader.withValue(for: keys.key(row)) { word($0) &+ UInt64($0.byteCount) } ?? 1
        }
        return sum
    }

    func getOwned(_ keys: Keys) throws -> UInt64 {
        var sum: UInt64 = 0
        for row in 0..<keys.count {
            guard let value = try reader.get(keys.key(row)) else { throw Disagreement("row \(row) is missing") }
            sum &+= unsafe word(value.span.bytes) &+ UInt64(value.count)
        }
        return sum
    }

    func getBatched(_ keys: Keys, by size: Int) throws -> UInt64 {
        var list = KeyList()
        var sum: UInt64 = 0
        for start in stride(from: 0, to: keys.count, by: size) {
            list.removeAll()
            for row in start..<min(start + size, keys.count) { list.append(keys.key(row)) }
            try reader.withValues(for: list) { _, value in
                if let value { sum &+= word(value) &+ UInt64(value.byteCount) } else { sum &+= 1 }
            }
        }
        return sum
    }

    func getPositioned(_ keys: Keys) throws -> UInt64 {
        var sum: UInt64 = 0
        for row in 0..<keys.count {
            sum &+= try positioned.withValue(for: keys.key(row)) { word($0) &+ UInt64($0.byteCount) } ?? 1
        }
        return sum
    }

    func scan() throws -> UInt64 {
        var sum: UInt64 = 0
        var count: UInt64 = 0
        try reader.forEach { key, value in
            sum &+= word(key) &+ word(value) &+ UInt64(value.byteCount)
            count &+= 1
        }
        return sum &+ count
    }

    func openOften(_ key: Keys, times: Int) throws -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            let reader = try CDBReader(path: path)
            sum &+= try reader.withValue(for: key.key(0)) { word($0) } ?? 0
        }
        return sum
    }
}

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

    func create(_ path: String, _ keys: Keys, synced: Bool) throws -> UInt64 {
        try check(unsafe rival_cdb_create(path, keys.bytes, keys.count, Values.template, synced))
        return 0
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
