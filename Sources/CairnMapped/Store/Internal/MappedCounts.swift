import Synchronization

/// What a store counts while it is open, for reports.
package final class MappedCounts: Sendable {
    let rewritten = Atomic<UInt64>(0)
    let waited = Atomic<UInt64>(0)

    /// How often this store has rewritten its file: compactions, `removeAll`, restoring and changes of the cipher.
    package var rewrites: UInt64 { rewritten.load(ordering: .relaxed) }
    /// How often a change of this store had to wait for another thread or process; not counted on Apple platforms.
    package var waits: UInt64 { waited.load(ordering: .relaxed) }
}

extension MappedStore {
    /// The number of keys with a value, including those that have expired and are not removed yet.
    package var entryCount: Int {
        get throws(MappedStoreError) { try reading { $0.totals.count } }
    }

    /// The number of changes ever made to the file, by all processes.
    package var changeCount: UInt64 {
        get throws(MappedStoreError) { try reading { $0.totals.sequence } }
    }
}
