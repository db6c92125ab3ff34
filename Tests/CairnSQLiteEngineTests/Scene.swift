import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// A directory with a store, and what the tests do with it all the time.
struct Scene {
    let directory: TemporaryDirectory
    var path: String { directory.path("store") }

    init() throws { directory = try TemporaryDirectory() }

    func open(_ change: (inout SQLiteEngineOptions) -> Void = { _ in }) throws(EngineError) -> SQLiteEngine {
        var options = SQLiteEngineOptions()
        change(&options)
        return try SQLiteEngine(path: path, options: options)
    }

    /// The names in the directory.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }

    func bytes(_ name: String = "store") throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: directory.path(name)))) }

    func write(_ bytes: some Sequence<UInt8>, to name: String = "store") throws {
        try Data(bytes).write(to: URL(filePath: directory.path(name)))
    }

    /// Runs statements of SQLite on a file.
    func sqlite(_ statements: String, on name: String = "store") throws -> String {
        let tool = try #require(InstalledProgram.path("sqlite3"))
        let result = try runTool(tool, [directory.path(name), statements])
        try #require(result.status == 0, "\(result.standardError)")
        return result.standardOutput.trimmingCharacters(in: .newlines)
    }
}

extension SQLiteEngine {
    @discardableResult
    func put(_ value: String, _ key: String, _ durability: Durability = .buffered) throws(EngineError) -> EngineVersion {
        var commit = EngineCommit()
        commit.put(value, for: key)
        return try self.commit(commit, durability: durability)
    }

    func get(_ key: String) throws(EngineError) -> String? { try makeView().text(key) }
}

extension EngineView {
    func text(_ key: String) throws(EngineError) -> String? { try get(key).map { String(decoding: $0, as: UTF8.self) } }
}

/// The code of the error that `body` throws.
func code(_ body: () throws(EngineError) -> Void) -> EngineError.Code? { failure(body)?.code }

/// The error that `body` throws.
func failure(_ body: () throws(EngineError) -> Void) -> EngineError? {
    do throws(EngineError) {
        try body()
        return nil
    } catch {
        return error
    }
}
