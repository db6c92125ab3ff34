import CairnCDB
import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// A mapped file that is cut while it is open.
struct TruncationTests {
    private let scene = try! Scene()

    /// A reader of 2,000 records, whose file was cut after the header and some of them.
    private func cut(at size: Int64 = 8192) throws -> CDBReader {
        let pairs = (0..<2000).map { ("key \($0)", String(repeating: "v", count: 100) + "\($0)") }
        try scene.make(pairs)
        let reader = try scene.reader()
        try File(scene.path(), [.read, .write]).truncate(to: size)
        return reader
    }

    /// Each with a reader of its own: the first that fails says so for all others.
    @Test(arguments: 0..<13) func readsThrowInsteadOfEndingTheProcess(number: Int) throws {
        let reader = try cut()
        let key = "key 1999"
        let calls: [(CDBReader) throws -> Void] = [
            { _ = try $0.get(key) },
            { _ = try $0.get(key, as: String.self) },
            { _ = try $0.get("missing") },
            { _ = try $0.contains("missing") },
            { _ = try $0.withValue(for: key) { $0.byteCount } },
            { _ = try $0.values(for: key) },
            { _ = try $0.valueCount(for: key) },
            { _ = try $0.multiGet([key, "missing"]) },
            { try $0.forEach { _, _ in } },
            { _ = try $0.count },
            { _ = try $0.entries() },
            { try $0.verify() },
            { _ = try $0.statistics() },
        ]
        #expect(code { try calls[number](reader) } == .corruption)
        // What was lost stays lost.
        let message = "\(scene.path()) was truncated, or could not be read, while it was open; open it again"
        #expect(failure { try reader.get(key) }?.message == message)
    }

    /// The pages that are left can be read as long as nothing else was.
    @Test func whatIsLeftCanBeRead() throws {
        let reader = try cut(at: 1 << 18)
        var cursor = reader.makeCursor()
        let first = try cursor.next()?.key(as: String.self)
        #expect(first == "key 0")
    }

    @Test func aStoreDoesNotSaveWhatWasLost() throws {
        try scene.make((0..<2000).map { ("key \($0)", String(repeating: "v", count: 100)) })
        let store = try scene.store()
        try store.put("1", for: "new")
        try File(scene.path(), [.read, .write]).truncate(to: 8192)
        #expect(code { try store.save() } == .corruption)
        #expect(try FileSystem.system.stat(scene.path()).size == 8192)
    }
}
