// A cursor belongs to one thread at a time.
import CairnRocks

func captured(_ db: RocksDB) async throws {
    var cursor = try db.makeCursor()
    Task { _ = try cursor.next() }  // error: risks causing data races
    _ = try cursor.next()
}

func parallel(_ db: RocksDB) async throws {
    var cursor = try db.makeCursor()
    async let first: Void = { _ = try cursor.next() }()  // error: risks causing data races
    _ = try cursor.next()
    try await first
}
