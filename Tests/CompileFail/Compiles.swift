// The control: what the other files do wrong, done right. It must compile.
import CairnCDB
import CairnCore
import CairnRocks

func lend(_ db: RocksDB) throws -> Int? {
    try db.withValue(for: "a") { $0.byteCount }
}

func walk(_ db: RocksDB) throws -> [String] {
    var keys: [String] = []
    var cursor = try db.makeCursor()
    while let entry = try cursor.next() { keys.append(try entry.key(as: String.self)) }
    return keys
}

func share(_ db: RocksDB) async throws {
    let snapshot = try db.makeSnapshot()
    async let value = snapshot.get("a")
    let table = try db.table("songs", key: String.self, value: Int.self, codec: .littleEndian)
    async let other = table.get("b")
    _ = try await (value, other)
}

func fill(_ db: RocksDB) async throws {
    let batch = db.makeBatch()
    batch.put("1", for: "a")
    // A batch that is not used afterwards may be handed over.
    try await Task { try db.write(batch) }.value
}

func transact(_ db: RocksDB) async throws {
    let transaction = try db.makeTransaction()
    try transaction.put("1", for: "a")
    // As a batch, one that is not used afterwards may be handed over.
    try await Task { try transaction.commit() }.value
}

func lend(_ reader: CDBReader) throws -> Int {
    let value = try reader.lentValue(for: "a")
    var cursor = reader.makeCursor()
    var sizes = value?.byteCount ?? 0
    while let entry = try cursor.next() { sizes += entry.value.byteCount }
    return sizes
}
