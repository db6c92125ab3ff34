#if SQLite
import BenchKit
import RivalSQLite

/// FTS5 with the trigram tokenizer, in C.
@safe final class SQLiteTexts: TextSide {
    let name: String
    private var texts: OpaquePointer?

    init(name: String = "FTS5") { self.name = name }

    func open(_ path: String) throws { try unsafe check(rival_sqlite_texts_open(path, &texts)) }

    func insert(_ names: Names, isSearched: Bool) throws {
        try unsafe names.bytes.withUnsafeBufferPointer { bytes in
            try unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                try unsafe check(rival_sqlite_texts_insert(texts, bytes.baseAddress, names.ends, names.ends.count, isSearched))
            }
        }
    }

    func query(_ text: String) throws -> [UInt64] {
        var count: UInt64 = 0, sum: UInt64 = 0
        try unsafe check(rival_sqlite_texts_query(texts, "\"\(text)\"", &count, &sum))
        return [count, sum]
    }

    func first(_ count: Int, _ text: String) throws -> [UInt64] {
        var found: UInt64 = 0, letters: UInt64 = 0
        try unsafe check(rival_sqlite_texts_first(texts, "\"\(text)\"", count, &found, &letters))
        return [found, letters]
    }

    func save(_ names: Names, _ place: Int, isSearched: Bool) throws {
        let name = names.strings[place]
        try unsafe check(rival_sqlite_texts_insert(texts, name, [UInt32(name.utf8.count)], 1, isSearched))
    }

    func size(_ filesSize: () -> Int) throws -> Double {
        var bytes: UInt64 = 0
        try unsafe check(rival_sqlite_texts_size(texts, &bytes))
        return Double(bytes)
    }

    func close() throws {
        guard let open = unsafe texts else { return }
        unsafe texts = nil
        try unsafe check(rival_sqlite_texts_close(open))
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement("\(name) failed: \(unsafe String(cString: rival_sqlite_message(code)))") }
    }
}
#endif
