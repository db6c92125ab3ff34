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
        // Each opening shows that the last reference closed the database before.
        for order in orders {
            let holder = try Holder(scene.path)
            for index in order {
                holder.release(index)
                #expect(try holder.use(), "\(order)")
            }
        }
    }

    /// All orders of the four that keep the database open, with the batch in each place in turn.
    private var orders: [[Int]] {
        permutations(of: [0, 1, 2, 4]).enumerated().map { number, order in
            Array(order[..<(number % 5)] + [3] + order[(number % 5)...])
        }
    }

    private func permutations(of elements: [Int]) -> [[Int]] {
        guard elements.count > 1 else { return [elements] }
        return elements.flatMap { element in permutations(of: elements.filter { $0 != element }).map { [element] + $0 } }
    }

    /// Handles that live on after closing are let go in any order too.
    @Test func releasedAfterClosing() throws {
        for order in orders.prefix(8) {
            let holder = try Holder(scene.path)
            holder.cursor?.close()
            holder.snapshot?.close()
            try holder.db?.close()
            for index in order { holder.release(index) }
        }
    }
}
