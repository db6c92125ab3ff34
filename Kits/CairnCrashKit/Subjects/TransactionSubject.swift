import CairnCore
import CairnRocks
import Foundation
import Synchronization

/// A RocksDB database written to by transactions, every other one in two phases.
///
/// What a killed process left prepared is committed at the next opening. Of some transactions it is noted in a file that they are prepared,
/// until their commit begins: those have to be found.
package final class TransactionSubject: CrashSubject {
    package static let name = "rocks-transactions"
    package static let workload: CrashWorkload = {
        var workload = RocksSubject.workload
        workload.deletesRanges = false
        return workload
    }()

    private let right: RocksSubject
    private let notes: String
    private let count = Atomic<Int>(0)

    package init(directory: String) throws {
        notes = directory + "/prepared"
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        right = try RocksSubject(directory: directory + "/db", mode: .transactions())
        let found = try right.db.preparedTransactions()
        for name in try FileManager.default.contentsOfDirectory(atPath: notes) {
            guard found.contains(where: { $0.name == name }) else { throw CrashDamage("transaction '\(name)' was prepared and is gone") }
        }
        for transaction in found {
            let name = transaction.name ?? ""
            try? FileManager.default.removeItem(atPath: notes + "/" + name)
            try transaction.commit()
        }
    }

    package func commit(_ operation: CrashOperation, midway: () -> Void) throws {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let transaction = try right.db.makeTransaction(writeOptions: operation.isSynced ? .synced : WriteOptions())
        for (index, change) in operation.changes.enumerated() {
            if index == operation.changes.count / 2 { midway() }
            try RocksSubject.write(change.action, to: transaction.in(right.db.columnFamily(change.space)))
        }
        if number.isMultiple(of: 2) {
            let name = "transaction-\(number)"
            try transaction.setName(name)
            try transaction.prepare()
            if number.isMultiple(of: 16) {
                try Data().write(to: URL(filePath: notes + "/" + name))
                try FileManager.default.removeItem(atPath: notes + "/" + name)
            }
        }
        try transaction.commit()
    }

    package func tidy(waits: Bool) throws { try right.tidy(waits: waits) }
    package func contents() throws -> CrashContents { try right.contents() }
    package func close() throws { try right.close() }
}
