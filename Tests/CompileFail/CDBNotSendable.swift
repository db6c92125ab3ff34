// What belongs to one thread at a time is not `Sendable`, and a store that is holds values that are.
import CairnCDB

func require<Value: Sendable & ~Copyable>(_: Value.Type) {}

final class Mutable { var number = 0 }

func check() {
    require(CDBWriter.self)  // error: type 'CDBWriter' does not conform to the 'Sendable' protocol
    require(CDBCursor.self)  // error: type 'CDBCursor' does not conform to the 'Sendable' protocol
    require(CDBStore<String, Mutable>.self)  // error: does not conform to the 'Sendable' protocol
}
