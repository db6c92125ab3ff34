#if SQLite
import BenchKit
import GRDB

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

    func close() throws { try queue.close() }

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
#endif
