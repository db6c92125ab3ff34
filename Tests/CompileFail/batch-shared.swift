// expected: risks causing data races
import CairnRocks

func share(_ batch: WriteBatch) {
    Task { batch.put("1", for: "a") }
    batch.put("2", for: "b")
}
