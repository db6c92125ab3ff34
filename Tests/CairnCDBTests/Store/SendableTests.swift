import CairnCDB
import Testing

/// Which types may be shared between threads, checked by the compiler.
struct SendableTests {
    private func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }

    @Test func all() {
        #expect(isSendable(CDBReader.self) && isSendable(CDBStore<String, Int>.self) && isSendable(CDBStoreOptions.self))
        #expect(isSendable(CDBError.self) && isSendable(CDBError.Code.self) && isSendable(CDBStatistics.self))
        #expect(isSendable(CDBDialect.self) && isSendable(CDBConflictPolicy.self) && isSendable(CDBTextParser.self))
        #expect(isSendable(CDBTextFormat.self) && isSendable(CDBTextRecord.self))
    }
}
