#if SQLite
import BenchKit
import RivalSQLite

/// SQLite in C.
struct SQLiteSide: Side {
    var name = "SQLite"

    func simpleInsert(at path: String, songs: Int) throws -> Sum {
        try run { unsafe rival_sqlite_simple_insert(path, songs, &$0) }
    }

    func simpleFetch(at path: String) throws -> Sum {
        try run { unsafe rival_sqlite_simple_fetch(path, &$0) }
    }

    func complexInsert(at path: String, playlists: Int, songsEach: Int) throws -> Sum {
        try run { unsafe rival_sqlite_complex_insert(path, playlists, songsEach, &$0) }
    }

    func complexFetch(at path: String) throws -> Sum {
        try run { unsafe rival_sqlite_complex_fetch(path, &$0) }
    }

    func update(at path: String, loaded: () -> Void) throws -> Sum {
        var library: OpaquePointer?
        try unsafe check(rival_sqlite_load(path, &library))
        loaded()
        return try run { unsafe rival_sqlite_update(library, Programs.newTitle, &$0) }
    }

    private func run(_ program: (inout rival_sum) -> Int32) throws -> Sum {
        var sum = rival_sum()
        try check(program(&sum))
        return Sum(count: sum.count, seconds: sum.seconds, letters: sum.letters, order: sum.order)
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement("\(name) failed: \(unsafe String(cString: rival_sqlite_message(code)))") }
    }
}
#endif
