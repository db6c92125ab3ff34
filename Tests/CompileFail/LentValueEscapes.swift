// A value is lent for the length of the closure.
import CairnRocks

func escape(_ db: RocksDB) throws {
    var kept = RawSpan()  // error: 'kept' escapes its scope
    _ = try db.withValue(for: "a") { value in
        kept = value
    }
    print(kept.byteCount)
}

func escapeFromScan(_ db: RocksDB) throws {
    var kept = RawSpan()  // error: 'kept' escapes its scope
    try db.forEach { key, _ in
        kept = key
    }
    print(kept.byteCount)
}
