// An entry is lent until its cursor moves or closes.
import CairnRocks

func afterNext(_ db: RocksDB) throws {
    var cursor = try db.makeCursor()
    guard let first = try cursor.next() else { return }  // error: overlapping accesses to 'cursor'
    _ = try cursor.next()
    print(first.key.byteCount)
}

func afterClosing(_ db: RocksDB) throws {
    var cursor = try db.makeCursor()
    guard let first = try cursor.next() else { return }  // error: overlapping accesses to 'cursor'
    cursor.close()
    print(first.key.byteCount)
}

func keyAfterNext(_ db: RocksDB) throws {
    var cursor = try db.makeCursor()
    guard let key = try cursor.nextKey() else { return }  // error: overlapping accesses to 'cursor'
    _ = try cursor.nextKey()
    print(key.byteCount)
}

func currentAfterCurrent(_ cursor: inout Cursor) throws {
    guard let first = try cursor.current else { return }  // error: overlapping accesses to 'cursor'
    _ = try cursor.current
    print(first.key.byteCount)
}
