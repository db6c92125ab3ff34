import CairnCore
import CairnRocks
import Foundation
import Testing

@Test func smoke() throws {
    let path = NSTemporaryDirectory() + "cairn-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let db = try RocksDB(path: path, options: .init(createIfMissing: true))
    try db.put("World", for: "Hello")
    let text: String? = try db.get("Hello")
    #expect(text == "World")
    #expect(try db.get("x") == nil)
    try db.write { batch in
        batch.put("1", for: "a")
        batch.put("2", for: "b")
        batch.put("", for: "c")
        batch.delete("Hello")
    }
    #expect(try db.keys(.all, as: String.self) == ["a", "b", "c"])
    #expect(try db.keys(.all.reversed, as: String.self) == ["c", "b", "a"])
    #expect(try db.keys(.from("c", to: "a").reversed, as: String.self) == ["c", "b"])
    #expect(try db.multiGet(["a", "zz", "c"]) == [[0x31], nil, []])
    var cursor = try db.makeCursor()
    #expect(throws: RocksError.self) { try db.close() }
    do { try db.close() } catch { print(error) }
    while let e = try cursor.next() { print(try e.key(as: String.self)) }
    cursor.close()
    do { _ = try RocksDB(path: path) } catch { print(error) }
    do { _ = try RocksDB(path: path + "nope") } catch { print(error) }
    var o = DatabaseOptions(createIfMissing: true); o["foo"] = "bar"
    do { _ = try RocksDB(path: path, options: o) } catch { print(error) }
    o = DatabaseOptions(createIfMissing: true); o["max_open_files"] = "bar"
    do { _ = try RocksDB(path: path, options: o) } catch { print(error) }
    var c = ColumnFamilyOptions(); c.table["block_size"] = "x"
    do { _ = try RocksDB(path: path, options: .init(), columnFamilyOptions: c) } catch { print(error) }
    c = ColumnFamilyOptions(); c["comparator"] = "nope"
    do { _ = try RocksDB(path: path, options: .init(), columnFamilyOptions: c) } catch { print(error) }
    do { _ = try db.createColumnFamily("default") } catch { print(error) }
    do { try db.merge("1", for: "a") } catch { print(error) }
    try db.close()
    #expect(db.isClosed)
    do { try db.put("1", for: "a") } catch { print(error) }
    print(DatabaseOptions.defaults.count, ColumnFamilyOptions.defaults.count, TableOptions.defaults.count, RocksDB.libraryVersion)
    print(DatabaseOptions.defaults, ColumnFamilyOptions.defaults, TableOptions.defaults)
}
