import BenchKit
import CairnCore
import CairnRocks

/// The subject: CairnRocks through its public API.
final class CairnSide: Side {
    let db: RocksDB

    /// - Parameter log: with it, the database is only followed; see ``Side/catchUp()``.
    init(path: String, settings: RocksSettings, followingWith log: String? = nil) throws {
        var options = DatabaseOptions()
        options.settings = settings.database
        var family = ColumnFamilyOptions()
        family.settings = settings.family
        family.table.settings = settings.table
        family.table.blockCache = try BlockCache(capacity: .bytes(Int64(settings.blockCacheBytes)))
        settings.ours.extend(&family)
        db = try RocksDB(
            path: path,
            options: options,
            columnFamilyOptions: family,
            mode: log.map { .secondary(path: $0) } ?? (settings.ours == .transactions ? .transactions() : .readWrite)
        )
    }

    func close() throws { try db.close() }
    func catchUp() throws { try db.catchUp() }
    func compact() throws {
        try db.flush()
        try db.compact(options: .init(bottommostLevel: .forceOptimized))
    }

    func merge(_ rows: [UInt32]) throws {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var operand = [UInt8](repeating: 0, count: 8)
        for row in rows {
            Rows.setKey(&key, row: row % 1_000)
            Rows.setValue(&operand, row: row)
            try db.merge(operand, for: key)
        }
    }

    func put(_ rows: [UInt32]) throws {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var value = Rows.valueTemplate
        for row in rows {
            Rows.setKey(&key, row: row)
            Rows.setValue(&value, row: row)
            try db.put(value, for: key)
        }
    }

    func putBatches(_ rows: [UInt32], of size: Int) throws {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var value = Rows.valueTemplate
        let batch = db.makeBatch()
        for start in stride(from: 0, to: rows.count, by: size) {
            batch.clear()
            for row in rows[start..<min(start + size, rows.count)] {
                Rows.setKey(&key, row: row)
                Rows.setValue(&value, row: row)
                batch.put(value, for: key)
            }
            try db.write(batch)
        }
    }

    func get(_ rows: [UInt32]) throws -> UInt64 {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var sum: UInt64 = 0
        for row in rows {
            Rows.setKey(&key, row: row)
            guard let part = try db.withValue(for: key, { Rows.checksum($0) }) else { throw Disagreement("row \(row) is missing") }
            sum &+= part
        }
        return sum
    }

    func getOwned(_ rows: [UInt32]) throws -> UInt64 {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var sum: UInt64 = 0
        for row in rows {
            Rows.setKey(&key, row: row)
            guard let value = try db.get(key) else { throw Disagreement("row \(row) is missing") }
            sum &+= value.withBytes { Rows.checksum($0) }
        }
        return sum
    }

    func getMissing(_ rows: [UInt32]) throws -> UInt64 {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var missing: UInt64 = 0
        for row in rows {
            Rows.setKey(&key, row: row, offset: Rows.missing)
            if try db.withValue(for: key, { _ in }) == nil { missing += 1 }
        }
        return missing
    }

    func multiGet(_ rows: [UInt32], by size: Int) throws -> UInt64 {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var keys = KeyList()
        var sum: UInt64 = 0
        for start in stride(from: 0, to: rows.count, by: size) {
            keys.removeAll()
            for row in rows[start..<min(start + size, rows.count)] {
                Rows.setKey(&key, row: row)
                keys.append(key)
            }
            try db.withValues(for: keys) { index, value in
                guard let value else { throw Disagreement("row \(rows[start + index]) is missing") }
                sum &+= Rows.checksum(value)
            }
        }
        return sum
    }

    func scan() throws -> UInt64 {
        var sum: UInt64 = 0
        try db.forEach { key, value in sum &+= Rows.checksum(key: key, value: value) }
        return sum
    }

    func scanByCursor() throws -> UInt64 {
        var sum: UInt64 = 0
        var cursor = try db.makeCursor()
        while let entry = try cursor.next() { sum &+= Rows.checksum(key: entry.key, value: entry.value) }
        return sum
    }

    func scan(prefixes: [UInt32]) throws -> UInt64 {
        var prefix = [UInt8](repeating: 0, count: 8)
        var sum: UInt64 = 0
        for number in prefixes {
            Rows.setPrefix(&prefix, prefix: number)
            try db.forEach(.prefix(prefix)) { key, value in sum &+= Rows.checksum(key: key, value: value) }
        }
        return sum
    }
}
