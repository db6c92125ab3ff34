import BenchKit
import CairnCore
import CairnRocks

extension CairnSide {
    func transactions(_ rows: [UInt32], of size: Int) throws {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var value = Rows.valueTemplate
        for start in stride(from: 0, to: rows.count, by: size) {
            let transaction = try db.makeTransaction()
            for row in rows[start..<min(start + size, rows.count)] {
                Rows.setKey(&key, row: row)
                Rows.setValue(&value, row: row)
                guard try transaction.getForUpdate(key) == nil else { throw Disagreement("row \(row) is there") }
                try transaction.put(value, for: key)
            }
            try transaction.commit()
        }
    }

    func indexedBatches(_ rows: [UInt32], of size: Int) throws {
        var key = [UInt8](repeating: 0, count: Rows.keySize)
        var value = Rows.valueTemplate
        for start in stride(from: 0, to: rows.count, by: size) {
            let batch = try db.makeIndexedBatch()
            let part = rows[start..<min(start + size, rows.count)]
            for row in part {
                Rows.setKey(&key, row: row)
                Rows.setValue(&value, row: row)
                batch.put(value, for: key)
            }
            let view = batch.over(db)
            var sum: UInt64 = 0
            for row in part {
                Rows.setKey(&key, row: row)
                guard let read = try view.withValue(for: key, { Rows.checksum($0) }) else { throw Disagreement("row \(row) is missing") }
                sum &+= read
            }
            guard sum != 0 else { throw Disagreement("nothing was read") }
            try db.write(batch)
        }
    }
}
