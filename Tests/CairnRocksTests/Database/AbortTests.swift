import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// What ends the process in RocksDB's debug builds, which Debian ships: each is tried in a process of its own, which must live on.
///
/// The comments say where RocksDB asserts.
@Suite struct AbortTests {
    // Iterator::key(), value(), Next() and Prev() while not Valid().
    @Test func `cursors off either end are read and moved`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open()
            for isEmpty in [true, false] {
                if !isEmpty { try db.fill("a", "b") }
                var cursor = try db.makeCursor()
                must(try cursor.previous() == nil || !isEmpty)
                while try cursor.next() != nil {}
                for _ in 0..<3 { must(try cursor.next() == nil) }
                must(try cursor.last() == nil || !isEmpty)
                while try cursor.previous() != nil {}
                for _ in 0..<3 { must(try cursor.previous() == nil) }
                must(try cursor.seek(to: "z") == nil)
                must(try cursor.next() == nil)
            }
        }
    }

    // `last_ref` in ~ColumnFamilySet: a database deleted or closed with a column family handle or an iterator alive.
    @Test func `a database is closed, and let go, with column families and cursors alive`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            var db: RocksDB? = try scene.open()
            let family = try db!.createColumnFamily("songs")
            try family.fill("a")
            var cursor = try family.makeCursor()
            must(code { try db!.close() } == .busy)
            db = nil
            must(try cursor.next() != nil)
            cursor.close()
            must(try family.text("a") == "a")

            let again = try Scene()
            let closed = try again.open()
            let other = try closed.createColumnFamily("songs")
            try closed.close()
            must(code { try other.get("a") } == .closed)
            try closed.close()
        }
    }

    // A null pointer to the default column family after DB::Close().
    @Test func `everything after close is an error`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open()
            try db.fill("a")
            let batch = db.makeBatch()
            batch.put("b", for: "b")
            try db.close()
            must(code { try db.put("b", for: "b") } == .closed)
            must(code { try db.get("a") } == .closed)
            must(code { try db.makeCursor() } == .closed)
            must(code { try db.write(batch) } == .closed)
            must(code { try db.flush() } == .closed)
            must(code { try db.createColumnFamily("x") } == .closed)
            must(code { try db.makeSnapshot() } == .closed)
        }
    }

    // Releasing a snapshot twice.
    @Test func `a snapshot is closed twice, and its views with it`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            let db = try scene.open()
            let family = try db.createColumnFamily("songs")
            let snapshot = try db.makeSnapshot()
            let view = snapshot.in(family)
            snapshot.close()
            snapshot.close()
            view.close()
            must(code { try view.get("a") } == .closed)
            try db.close()
            snapshot.close()
        }
    }

    /// Formats that keep keys by their prefix.
    static let prefixed: [[String: String]] = [
        ["memtable_factory": "prefix_hash:16"], ["memtable_factory": "hash_linkedlist:16"], ["table_factory": "PlainTable"],
    ]

    // FixedPrefixTransform::Transform on a key or seek target that is shorter.
    @Test(arguments: prefixed.indices) func `keys and seek targets are shorter than the prefix`(format: Int) async {
        await #expect(processExitsWith: .success) { [format] in
            let scene = try Scene()
            var options = ColumnFamilyOptions()
            options.prefixExtractor = .fixed(4)
            for (name, value) in AbortTests.prefixed[format] { options[name] = value }
            var databaseOptions = DatabaseOptions(createIfMissing: true)
            databaseOptions.allowConcurrentMemtableWrite = false
            let db = try scene.open(options, options: databaseOptions)
            try db.fill("", "a", "abc", "abcd", "abcde")
            for _ in 0..<2 {
                for key in ["", "a", "abc", "abcd", "x"] {
                    must(try db.text(key) == (key == "x" ? nil : key))
                    // An error is as good: plain tables lack total order.
                    _ = failure { try db.walk(.seek(key), .next) }
                    _ = failure { try db.keyTexts(.prefix(key)) }
                }
                try db.flush()
            }
        }
    }

    // PlainTableIterator::SeekToLast and Prev.
    @Test func `plain tables refuse to be walked backwards`() async {
        await #expect(processExitsWith: .success) {
            let scene = try Scene()
            var options = ColumnFamilyOptions()
            options.prefixExtractor = .fixed(1)
            options["table_factory"] = "PlainTable"
            let db = try scene.open(options)
            try db.fill("a", "b")
            try db.flush()
            var cursor = try db.makeCursor()
            must(code { _ = try cursor.last() } == .notSupported)
            must(code { _ = try cursor.seek(toOrBefore: "b") } == .notSupported)
            must(code { _ = try db.keys(.all.reversed) } == .notSupported)
        }
    }
}

/// Ends a process of its own with a failure, unlike an expectation, which only the test's own process reports.
func must(_ condition: Bool, line: UInt = #line) {
    precondition(condition, "line \(line)", line: line)
}
