import CairnCDB
import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// A directory for some files, removed at the end of the test.
final class Scene: Sendable {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func path(_ name: String = "db.cdb") -> String { directory.path(name) }
    func bytes(_ name: String = "db.cdb") throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }
    func write(_ bytes: [UInt8], _ name: String = "db.cdb") throws { try Data(bytes).write(to: URL(filePath: path(name))) }
    func exists(_ name: String = "db.cdb") -> Bool { FileManager.default.fileExists(atPath: path(name)) }
    /// All names in the directory but for locks.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { !$0.hasSuffix(".lock") }.sorted()
    }

    /// Writes a file of pairs, added in order.
    @discardableResult
    func make(
        _ pairs: [(String, String)],
        _ name: String = "db.cdb",
        dialect: CDBDialect = .standard,
        _ mode: CDBWriter.PutMode = .add
    ) throws -> [UInt8] {
        let writer = try CDBWriter(path: path(name), dialect: dialect, durability: .none)
        for (key, value) in pairs { try writer.put(value, for: key, mode) }
        try writer.finish()
        return try bytes(name)
    }

    func reader(_ name: String = "db.cdb", _ access: CDBReader.Access = .mapped, _ dialect: CDBDialect = .standard) throws -> CDBReader {
        try CDBReader(path: path(name), access: access, dialect: dialect)
    }

    func store(_ name: String = "db.cdb", options: CDBStoreOptions = .buffered) throws -> CDBStore<String, String> {
        try CDBStore(path: path(name), codec: .utf8, options: options)
    }
}

extension Scene {
    /// A store whose system calls `observer` sees.
    func store(
        through observer: some SystemCallObserver,
        options: CDBStoreOptions = .buffered,
        scheduler: (any CDBScheduler)? = nil
    ) throws -> CDBStore<String, String> {
        let fileSystem = FileSystem(observer: observer)
        return try CDBStore(path: path(), codec: .utf8, keys: .raw, options: options, fileSystem: fileSystem, scheduler: scheduler)
    }

    /// A writer whose system calls `observer` sees.
    func writer(through observer: some SystemCallObserver, durability: Durability = .none) throws -> CDBWriter {
        let fileSystem = FileSystem(observer: observer)
        return try CDBWriter(path: path(), dialect: .standard, durability: durability, mode: nil, limit: nil, fileSystem: fileSystem)
    }
}

/// The error of `body`, which must be a ``CDBError``; `nil` if it succeeds.
func failure<Value: ~Copyable>(_ body: () throws -> Value) -> CDBError? {
    do {
        _ = try body()
        return nil
    } catch {
        if error is CDBError { return error as? CDBError }
        Issue.record("a \(type(of: error)) instead of a CDBError: \(error)")
        return nil
    }
}

/// The code of `body`'s error; `nil` if it succeeds.
func code<Value: ~Copyable>(_ body: () throws -> Value) -> CDBError.Code? { failure(body)?.code }

extension CDBReader {
    func pairTexts() throws -> [String] { try entries(as: (String.self, String.self)).map { "\($0)=\($1)" } }
}

extension CDBStore where Key == String, Value == String {
    func pairTexts() throws -> [String] { try entries().map { "\($0)=\($1)" } }
}

/// tinycdb's program, which `make test` installs.
enum TinyCDB {
    static let path = InstalledProgram.path("cdb")
    static var isMissing: Bool { path == nil }

    /// Runs `cdb` in a shell, so that bytes go to and from files.
    static func run(_ arguments: String, in scene: Scene) throws -> ToolResult {
        let path = try #require(path)
        return try runTool("/bin/sh", ["-c", "cd '\(scene.directory.path)' && '\(path)' \(arguments)"])
    }
}

/// Records as the text that `cdb -c` reads.
func recordText(_ records: [([UInt8], [UInt8])]) -> [UInt8] {
    var text: [UInt8] = []
    for (key, value) in records {
        unsafe CDBTextFormat.records.append(key: key.span.bytes, value: value.span.bytes, to: &text)
    }
    return text + Array("\n".utf8)
}

/// The MD5 of some bytes, in hexadecimal digits, by which the test vectors of the format are given.
func md5(_ message: [UInt8]) -> String {
    let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    let constants = (0..<64).map { UInt32(truncatingIfNeeded: Int64(abs(sin(Double($0 + 1))) * 4_294_967_296)) }
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    for block in stride(from: 0, to: padded.count, by: 64) {
        let words = (0..<16).map { word in (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[block + word * 4 + $1]) << UInt32($1 * 8) } }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mixed, word) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mixed &+ constants[step] &+ words[word]
            let shift = shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (UInt32($0) * 8)) } }
        .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
