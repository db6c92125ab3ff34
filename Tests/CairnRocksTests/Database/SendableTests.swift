import CairnCore
import CairnRocks
import Testing

/// Which types may be shared between threads, checked by the compiler. What may not is in `Tests/CompileFail`.
struct SendableTests {
    private func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }

    @Test func stores() {
        #expect(isSendable(RocksDB.self) && isSendable(ColumnFamily.self) && isSendable(Snapshot.self))
        #expect(isSendable(Table<String, Int>.self) && isSendable(TableView<Snapshot, String, Int>.self))
        #expect(isSendable((any RocksStore).self))
    }

    @Test func objects() {
        #expect(
            isSendable(KeyComparator.self) && isSendable(MergeOperator.self) && isSendable(BlockCache.self) && isSendable(Statistics.self)
        )
    }

    @Test func options() {
        #expect(isSendable(DatabaseOptions.self) && isSendable(ColumnFamilyOptions.self) && isSendable(TableOptions.self))
        #expect(isSendable(ReadOptions.self) && isSendable(WriteOptions.self) && isSendable(WALRecoveryMode.self))
        #expect(isSendable(RocksDB.OpenMode.self) && isSendable(IOPriority.self) && isSendable(Histogram.self))
    }

    @Test func values() {
        #expect(
            isSendable(ScanRange.self) && isSendable(TableRange<String>.self) && isSendable(KeyList.self) && isSendable(WriteOperation.self)
        )
        #expect(isSendable(RocksError.self) && isSendable(RocksError.Code.self) && isSendable(RocksError.Subcode.self))
        #expect(isSendable(RocksError.Severity.self))
    }
}
