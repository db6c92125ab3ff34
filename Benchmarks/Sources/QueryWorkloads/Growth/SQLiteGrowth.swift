#if SQLite
import BenchKit
import RivalSQLite

/// SQLite in C: positions are numbers.
@safe final class SQLiteGrowth: GrowthSide {
    let name: String
    private var albums: OpaquePointer?

    init(name: String = "SQLite") { self.name = name }

    func build(_ tracks: Int, at path: String) throws {
        try open(path)
        try unsafe check(rival_albums_fill(albums, tracks))
        try close()
    }

    func open(_ path: String) throws { try unsafe check(rival_albums_open(path, &albums)) }

    func close() throws {
        guard let open = unsafe albums else { return }
        unsafe albums = nil
        try unsafe check(rival_albums_close(open))
    }

    func append(_ number: Int) throws { try unsafe check(rival_albums_append(albums, Int64(number))) }

    func add(_ number: Int) throws { try unsafe check(rival_albums_add(albums, Int64(number))) }

    func insert(_ number: Int) throws { try add(number) }

    func tail() throws -> [Int] {
        var numbers = [Int64](repeating: 0, count: 50)
        try unsafe check(rival_albums_tail(albums, numbers.count, &numbers))
        return numbers.map { Int($0) }
    }

    func labelled() throws -> [Int] {
        var numbers = [Int64](repeating: 0, count: 50)
        try unsafe check(rival_albums_labelled(albums, numbers.count, &numbers))
        return numbers.map { Int($0) }
    }

    func count() throws -> Int { try number { unsafe rival_albums_count(albums, &$0) } }

    func contains(_ number: Int) throws -> Bool {
        try self.number { unsafe rival_albums_contains(albums, Int64(number), &$0) } == 1
    }

    func delete(_ stop: () -> Void) throws -> Int {
        try unsafe check(rival_albums_delete(albums))
        stop()
        return try number { unsafe rival_albums_without_label(albums, &$0) }
    }

    func attach(_ name: String, _ contents: [UInt8]) throws {
        try unsafe check(rival_albums_attach(albums, name, contents, contents.count))
    }

    func rename(_ name: String) throws { try unsafe check(rival_albums_rename(albums, name)) }

    private func number(_ query: (inout Int64) -> Int32) throws -> Int {
        var number: Int64 = 0
        try check(query(&number))
        return Int(number)
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement("\(name) failed: \(unsafe String(cString: rival_sqlite_message(code)))") }
    }
}
#endif
