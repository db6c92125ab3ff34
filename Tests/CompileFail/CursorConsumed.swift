// A cursor has one owner.
import CairnRocks

func twice(_ db: RocksDB) throws {
    var cursor = try db.makeCursor()  // error: 'cursor' used after consume
    var other = cursor
    _ = try other.next()
    _ = try cursor.next()
}

func copied(_ cursor: borrowing Cursor) -> Cursor {  // error: 'cursor' is borrowed and cannot be consumed
    cursor
}
