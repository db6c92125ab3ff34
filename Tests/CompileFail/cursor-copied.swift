// expected: 'cursor' consumed more than once
import CairnRocks

func twice(_ db: RocksDB) throws {
    let cursor = try db.makeCursor()
    let one = cursor
    let two = cursor
    _ = consume one
    _ = consume two
}
