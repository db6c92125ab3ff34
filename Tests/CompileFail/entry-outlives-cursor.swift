// expected: lifetime-dependent variable 'kept' escapes its scope
import CairnRocks

func firstSize(_ db: RocksDB) throws -> Int {
    var kept = RawSpan()
    do {
        var cursor = try db.makeCursor()
        if let entry = try cursor.next() { kept = entry.key }
    }
    return kept.byteCount
}
