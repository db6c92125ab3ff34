import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

#if canImport(SQLite3)
import SQLite3
#else
import CSQLite
#endif

/// A directory with a store, and what the tests do with it all the time.
struct Scene {
    let directory: TemporaryDirectory
    var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    func open(_ change: (inout SQLiteEngineOptions) -> Void = { _ in }) throws(EngineError) -> SQLiteEngine {
        var options = SQLiteEngineOptions()
        // A thread that holds the lock may get no processor for longer than programs wait.
        options.busyTimeout = .seconds(60)
        change(&options)
        return try SQLiteEngine(path: path, options: options)
    }

    /// The names in the directory.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    func bytes(_ name: String = "store") throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: directory.path(name)))) }

    func write(_ bytes: some Sequence<UInt8>, to name: String = "store") throws {
        try Data(bytes).write(to: URL(filePath: directory.path(name)))
    }

    /// Runs statements of SQLite on a file, and returns the first column of the last row.
    ///
    /// - Parameter layer: The layer of files: SQLite's own, or that of an engine that was opened before, `cairn`.
    @discardableResult
    func sqlite(_ statements: String, on name: String = "store", layer: String? = nil) throws -> String {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try unsafe #require(sqlite3_open_v2(directory.path(name), &handle, flags, layer) == SQLITE_OK)
        defer { unsafe sqlite3_close(handle) }
        var found = ""
        let code = unsafe withUnsafeMutablePointer(to: &found) { found in
            unsafe sqlite3_exec(
                handle,
                statements,
                { found, _, columns, _ in
                    if let text = unsafe columns?[0] {
                        unsafe found!.assumingMemoryBound(to: String.self).pointee = unsafe String(cString: text)
                    }
                    return 0
                },
                found,
                nil
            )
        }
        try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(handle)))")
        return found
    }
}
