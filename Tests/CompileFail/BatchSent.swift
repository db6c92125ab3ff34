// A batch belongs to one thread at a time.
import CairnRocks

func shared(_ db: RocksDB) async throws {
    let batch = db.makeBatch()
    let task = Task { batch.put("1", for: "a") }  // error: risks causing data races
    batch.put("2", for: "b")
    await task.value
}
