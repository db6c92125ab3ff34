// expected: overlapping accesses to 'cursor'
import CairnRocks

func keep(_ db: RocksDB) throws {
    var cursor = try db.makeCursor()
    guard let first = try cursor.next() else { return }
    _ = try cursor.next()
    print(first.key.byteCount)
}
