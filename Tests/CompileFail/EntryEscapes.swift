// An entry cannot leave the function that holds its cursor, nor be kept in an array.
import CairnRocks

func first(_ db: RocksDB) throws -> Entry? {  // error: cannot return a ~Escapable result
    var cursor = try db.makeCursor()
    return try cursor.next()
}

func all(_ db: RocksDB) throws {
    let entries: [Entry] = []  // error: does not conform to protocol 'Escapable'
    _ = entries
}
