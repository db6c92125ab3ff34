import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

struct LogHandlerTests {
    let scene = try! Scene()

    private struct Line: Sendable {
        var level: InfoLogLevel, text: String
    }

    private func options(_ lines: Box<[Line]>, level: InfoLogLevel = .info) -> DatabaseOptions {
        var options = DatabaseOptions(createIfMissing: true)
        options.infoLogLevel = level
        options.logHandler = { level, text in lines.update { $0.append(Line(level: level, text: text)) } }
        return options
    }

    private var file: String? { try? String(contentsOfFile: scene.path + "/LOG", encoding: .utf8) }

    @Test func besideTheFile() throws {
        // The first lines about a new directory are older than the directory.
        try scene.open().close()
        let lines = Box<[Line]>([])
        let db = try scene.open(options: options(lines))
        try db.fill("a")
        try db.flush()
        try db.close()
        let texts = lines.value.map(\.text)
        #expect(lines.value.contains { $0.level == .header && $0.text.contains("RocksDB version") })
        #expect(lines.value.contains { $0.level == .info && $0.text.contains("Flush") })
        #expect(texts.allSatisfy { !$0.hasSuffix("\n") })
        let file = try #require(file)
        #expect(texts.filter { !$0.contains("\n") }.allSatisfy { $0.isEmpty || $0.count > 3_900 || file.contains($0) })
    }

    @Test func insteadOfTheFile() throws {
        let lines = Box<[Line]>([])
        var options = options(lines)
        options.writesLogFile = false
        let db = try scene.open(options: options)
        try db.fill("a")
        try db.close()
        #expect(file == nil && !lines.value.isEmpty)
        // Without a handler the file is written all the same.
        options.logHandler = nil
        try scene.open(options: options).close()
        #expect(file?.contains("RocksDB version") == true)
    }

    @Test(arguments: [InfoLogLevel.debug, .warn, .fatal]) func levels(level: InfoLogLevel) throws {
        let lines = Box<[Line]>([])
        let db = try scene.open(options: options(lines, level: level))
        try db.fill("a")
        try db.flush()
        try db.close()
        let order: [InfoLogLevel] = [.debug, .info, .warn, .error, .fatal, .header]
        let lowest = try #require(order.firstIndex(of: level))
        #expect(lines.value.allSatisfy { order.firstIndex(of: $0.level)! >= lowest })
        #expect(lines.value.contains { $0.level == .info } == (level == .debug))
    }

    @Test func readOnly() throws {
        do { try scene.open().fill("a") }
        let lines = Box<[Line]>([])
        let db = try RocksDB(path: scene.path, options: options(lines), mode: .readOnly)
        #expect(try db.text("a") == "a" && !lines.value.isEmpty)
    }

    @Test func repairing() throws {
        do { try scene.open().fill("a") }
        let lines = Box<[Line]>([])
        try RocksDB.repair(path: scene.path)
        #expect(try scene.open(options: options(lines)).text("a") == "a")
    }

    /// The closure goes with the database; closing from within is refused.
    @Test func lifetime() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        let target = Box<RocksDB?>(nil), codes = Box<Set<RocksError.Code>>([])
        var db: RocksDB?
        do {
            let captured = Witness()
            witness = captured
            var options = DatabaseOptions(createIfMissing: true)
            options.logHandler = { _, _ in
                withExtendedLifetime(captured) {
                    if let db = target.value, let code = code({ try db.close() }) { codes.update { $0.insert(code) } }
                }
            }
            db = try scene.open(options: options)
        }
        target.value = db
        try db?.fill("a")
        try db?.flush()
        #expect(codes.value == [.busy] && witness != nil)
        target.value = nil
        db = nil
        #expect(witness == nil)
    }
}
