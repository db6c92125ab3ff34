import BenchKit
import CairnMapped
import Foundation
import GRDB
import RivalLMDB
import Synchronization

/// The keys of a workload: for Swift as strings, for C one behind the other.
struct Keys: Sendable {
    static let size = 12
    let strings: [String]
    let bytes: [UInt8]

    /// - Parameter suffix: takes the place of the last characters.
    init(_ prefix: String, _ count: Int, suffix: String = "") {
        strings = (0..<count).map { (prefix + String(String($0 + 100_000_000).dropFirst())).dropLast(suffix.count) + suffix }
        bytes = strings.flatMap { Array($0.utf8) }
    }
}

/// What is read.
struct Sum: Equatable {
    var sum: UInt64 = 0
    var missing: UInt64 = 0
}

/// A store, and the program that uses it. Each function is a whole loop.
protocol Side: Sendable {
    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws
    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws
    /// Reads integers, or as the side does it cheapest, the first 8 bytes.
    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum
    /// Reads strings as values of their own; adds up their first 8 bytes.
    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum
    /// Opens, reads the first key, closes.
    func open(_ keys: Keys, times: Int) throws -> Sum
}

/// The subject: CairnMapped through its public API.
struct CairnSide: Side {
    let path: String
    let store: MappedStore

    init(path: String) throws {
        self.path = path
        store = try MappedStore(path: path)
    }

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        for row in order { try store.set(base &+ UInt64(row), for: keys.strings[Int(row)]) }
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        for row in order { try store.set(value, for: keys.strings[Int(row)]) }
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let number = try store.get(keys.strings[Int(row)], as: UInt64.self) { result.sum &+= number } else { result.missing += 1 }
        }
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let text = try store.get(keys.strings[Int(row)], as: String.self) { result.sum &+= word(text) } else { result.missing += 1 }
        }
        return result
    }

    func open(_ keys: Keys, times: Int) throws -> Sum {
        var result = Sum()
        for _ in 0..<times {
            let store = try MappedStore(path: path)
            result.sum &+= try store.get(keys.strings[0], default: 0)
            try store.close()
        }
        return result
    }
}

/// The first 8 bytes.
@inline(__always)
func word(_ text: String) -> UInt64 {
    var text = text
    return unsafe text.withUTF8 { unsafe UnsafeRawBufferPointer($0).loadUnaligned(as: UInt64.self) }
}

/// LMDB, in C.
struct LMDBSide: Side {
    let path: String
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

/// Says yes once.
final class Once: Sendable {
    private let isDone = Mutex(false)
    func enter() -> Bool {
        isDone.withLock { isDone in
            defer { isDone = true }; return !isDone
        }
    }
}

/// The floor: a dictionary behind a lock, which keeps nothing.
final class DictionarySide: Side {
    private let ints = Mutex<[String: UInt64]>([:])
    private let texts = Mutex<[String: String]>([:])

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        for row in order { ints.withLock { $0[keys.strings[Int(row)]] = base &+ UInt64(row) } }
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        for row in order { texts.withLock { $0[keys.strings[Int(row)]] = value } }
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let number = ints.withLock({ $0[keys.strings[Int(row)]] }) { result.sum &+= number } else { result.missing += 1 }
        }
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let text = texts.withLock({ $0[keys.strings[Int(row)]] }) { result.sum &+= word(text) } else { result.missing += 1 }
        }
        return result
    }

    func open(_ keys: Keys, times: Int) throws -> Sum { throw Disagreement("a dictionary cannot be opened") }
}

/// SQLite through GRDB, for comfort: WAL, synchronous NORMAL, prepared statements, a transaction each.
struct GRDBSide: Side {
    let path: String
    private let queue: DatabaseQueue

    init(path: String) throws {
        self.path = path
        queue = try Self.queue(path)
        try queue.write { db in try db.execute(sql: "CREATE TABLE IF NOT EXISTS item (key TEXT PRIMARY KEY, value) WITHOUT ROWID") }
    }

    private static func queue(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private func set(_ keys: Keys, _ order: [UInt32], _ value: (UInt32) -> any DatabaseValueConvertible) throws {
        for row in order {
            try queue.write { db in
                let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO item VALUES (?, ?)")
                try statement.execute(arguments: [keys.strings[Int(row)], value(row)])
            }
        }
    }

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        try set(keys, order) { Int64(bitPattern: base &+ UInt64($0)) }
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws { try set(keys, order) { _ in value } }

    private func get<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ keys: Keys,
        _ order: [UInt32],
        _ word: (Value) -> UInt64
    ) throws -> Sum {
        var result = Sum()
        for row in order {
            let value = try queue.read { db in
                let statement = try db.cachedStatement(sql: "SELECT value FROM item WHERE key = ?")
                return try Value.fetchOne(statement, arguments: [keys.strings[Int(row)]])
            }
            if let value { result.sum &+= word(value) } else { result.missing += 1 }
        }
        return result
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum { try get(keys, order) { (number: Int64) in UInt64(bitPattern: number) } }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum { try get(keys, order) { (text: String) in word(text) } }

    func open(_ keys: Keys, times: Int) throws -> Sum {
        var result = Sum()
        for _ in 0..<times {
            let queue = try Self.queue(path)
            result.sum &+= try queue.read { db in
                UInt64(bitPattern: try Int64.fetchOne(db, sql: "SELECT value FROM item WHERE key = ?", arguments: [keys.strings[0]]) ?? 0)
            }
            try queue.close()
        }
        return result
    }
}
