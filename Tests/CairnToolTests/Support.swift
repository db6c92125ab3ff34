import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation

/// A directory with files and databases for one test; it is removed when nothing refers to it any more.
struct Playground {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The path of `name` in the directory.
    func path(_ name: String) -> String { directory.path(name) }

    /// Writes a file and returns its path.
    func file(_ name: String, _ content: some ByteSource) throws -> String {
        try Data(content.withBytes { [UInt8](copying: $0) }).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// Makes a database with these entries and returns its path. Closed when the call returns.
    func database(
        _ name: String = "db",
        _ entries: KeyValuePairs<String, String> = [:],
        columnFamilies: [String] = [],
        _ more: (RocksDB) throws -> Void = { _ in }
    ) throws -> String {
        let db = try RocksDB(path: path(name), options: DatabaseOptions(createIfMissing: true))
        for (key, value) in entries { try db.put(value, for: key) }
        for family in columnFamilies { try db.createColumnFamily(family) }
        try more(db)
        try db.close()
        return path(name)
    }

    /// All entries of a database, by column family.
    func content(of path: String) throws -> [String: [[UInt8]: [UInt8]]] {
        let db = try RocksDB(path: path, mode: .readOnly)
        var content: [String: [[UInt8]: [UInt8]]] = [:]
        for name in db.columnFamilyNames {
            content[name] = Dictionary(uniqueKeysWithValues: try db.columnFamily(name).entries().map { ($0.key, $0.value) })
        }
        try db.close()
        return content
    }
}

/// All that a user sees of a run.
struct Outcome: Equatable {
    var output: String
    var error: String
    var status: Int32

    /// By default, of one that has nothing to say.
    init(_ output: String = "", error: String = "", status: Int32 = 0) {
        self.output = output
        self.error = error
        self.status = status
    }

    /// Without the lines of progress, which depend on how long things take.
    init(_ result: ToolResult) {
        let error = result.standardError.replacing(/(?m)^([^\n]+: )?[0-9]+ %\n/, with: "")
        self.init(result.standardOutput, error: error, status: result.status)
    }
}

/// Runs the tool to its end.
func cairn(_ arguments: String..., stdin: String = "", environment: [String: String] = [:]) throws -> Outcome {
    Outcome(try runTool("cairn", arguments, stdin: stdin, environment: environment))
}

/// The path of the tool, for shell scripts: it lies where the tests were built.
func toolPath() throws -> String {
    // On Apple platforms the tests are a bundle that another program loads.
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let directory = bundle.bundleURL.pathExtension == "xctest" ? bundle.bundleURL.deletingLastPathComponent() : bundle.bundleURL
    return directory.appendingPathComponent("cairn").path
}

/// `text` with every time and rate replaced by `#`, which differ from run to run.
func withoutTimes(_ text: String) -> String {
    text.replacing(/[0-9.]+ (ns|µs|ms|s)\b/, with: "# s").replacing(/[0-9,]+\/s/, with: "#/s")
}
