// A transaction belongs to one thread at a time.
import CairnRocks

func shared(_ db: RocksDB) async throws {
    let transaction = try db.makeTransaction()
    let task = Task { try transaction.put("1", for: "a") }  // error: risks causing data races
    try transaction.put("2", for: "b")
    try await task.value
}
