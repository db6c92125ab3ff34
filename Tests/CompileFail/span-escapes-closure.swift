// expected: lifetime-dependent variable 'kept' escapes its scope
import CairnRocks

func keep(_ db: RocksDB) throws {
    var kept = RawSpan()
    _ = try db.withValue(for: "a") { value in kept = value }
    print(kept.byteCount)
}
