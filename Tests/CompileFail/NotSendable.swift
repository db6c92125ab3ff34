// What belongs to one thread at a time is not `Sendable`.
import CairnRocks

func require<Value: Sendable & ~Copyable>(_: Value.Type) {}

func check() {
    require(WriteBatch.self)  // error: type 'WriteBatch' does not conform to the 'Sendable' protocol
    require(Transaction.self)  // error: type 'Transaction' does not conform to the 'Sendable' protocol
    require(IndexedWriteBatch.self)  // error: type 'IndexedWriteBatch' does not conform to the 'Sendable' protocol
    require(MergedView.self)  // error: type 'MergedView' does not conform to the 'Sendable' protocol
    require(Cursor.self)  // error: type 'Cursor' does not conform to the 'Sendable' protocol
    require(TableCursor<String, Int>.self)  // error: does not conform to the 'Sendable' protocol
    require(TableView<WriteBatch, String, Int>.self)  // error: type 'WriteBatch' does not conform to the 'Sendable' protocol
}
