import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// References may go in any order.
struct LifetimeTests {
    let scene = try! Scene()

    /// Whatever hangs off a database, to be let go one by one.
    private final class Holder {
        var db: RocksDB?
        var family: ColumnFamily?
        var snapshot: Snapshot?
        var batch: WriteBatch?
        var cursor: Cursor?

        init(_ path: String) throws {
            var options = DatabaseOptions(createIfMissing: true)
            options.createMissingColumnFamilies = true
            let db = try RocksDB(path: path, options: options, columnFamilies: ["a": .init(comparator: .reverseBytewise)])
            let family = try db.columnFamily("a")
            try family.fill("a", "b")
            let snapshot = try family.makeSnapshot()
            let batch = family.makeBatch()
            batch.put("1", for: "c")
            self.db = db
            self.family = family
            self.snapshot = snapshot
            self.batch = batch
            cursor = try snapshot.makeCursor()
        }

        func release(_ index: Int) {
            switch index {
            case 0: db = nil
            case 1: family = nil
            case 2: snapshot = nil
            case 3: batch = nil
            default: cursor = nil
            }
        }

        /// What is left still works.
        func use() throws -> Bool {
            if let db, try db.get("a") != nil { return false }
            if let family, try family.keyTexts() != ["b", "a"] { return false }
            if let snapshot, try snapshot.keyTexts() != ["b", "a"] { return false }
            if let batch, batch.count != 1 { return false }
            if try cursor?.perform(.first) == "a" { return false }
            return true
        }
    }

    @Test func releasedInAnyOrder() throws {
        for order in permutations(of: Array(0..<5)) {
            let holder = try Holder(scene.path)
            for index in order {
                holder.release(index)
                #expect(try holder.use(), "\(order)")
            }
            // With the last reference the database is closed: it can be opened again.
            let again = failure { try RocksDB(path: scene.path, columnFamilies: ["a": .init(comparator: .reverseBytewise)]).close() }
            #expect(again == nil, "\(order)")
        }
    }

    private func permutations(of elements: [Int]) -> [[Int]] {
        guard elements.count > 1 else { return [elements] }
        return elements.flatMap { element in permutations(of: elements.filter { $0 != element }).map { [element] + $0 } }
    }

    /// Handles that live on after closing are let go in any order too.
    @Test func releasedAfterClosing() throws {
        for order in permutations(of: Array(0..<5)) where order.first != 3 {
            let holder = try Holder(scene.path)
            holder.cursor?.close()
            holder.snapshot?.close()
            try holder.db?.close()
            for index in order { holder.release(index) }
        }
    }
}
