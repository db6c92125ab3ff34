import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// The two ways to open a database for transactions.
let transactionModes: [RocksDB.OpenMode] = [.transactions(), .optimisticTransactions()]

extension TransactionDatabaseOptions {
    /// Waits for nothing.
    static var impatient: TransactionDatabaseOptions {
        var options = TransactionDatabaseOptions()
        options.lockTimeout = .zero
        options.writeLockTimeout = .zero
        return options
    }
    /// Waits as long as a test may run.
    static var patient: TransactionDatabaseOptions {
        var options = TransactionDatabaseOptions()
        options.lockTimeout = .seconds(600)
        options.writeLockTimeout = .seconds(600)
        return options
    }
}

extension Scene {
    /// Opens the database for transactions; values are joined by commas where they are merged.
    func open(
        _ mode: RocksDB.OpenMode,
        options: DatabaseOptions = DatabaseOptions(createIfMissing: true),
        comparator: KeyComparator? = nil
    ) throws -> RocksDB {
        var family = ColumnFamilyOptions(mergeOperator: try MergeOperator(named: "stringappend"))
        family.comparator = comparator
        return try RocksDB(path: path, options: options, columnFamilyOptions: family, mode: mode)
    }
}

/// Waits until `condition` holds, giving other threads the processor.
func waitUntil(_ condition: () throws -> Bool) rethrows {
    // A test that waits in vain must fail, not hang.
    let end = ContinuousClock.now + .seconds(300)
    while try !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("waited in vain")
            return
        }
        Thread.sleep(forTimeInterval: 0)
    }
}

/// Takes what belongs to one thread to others, against the rule.
final class Smuggled<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
