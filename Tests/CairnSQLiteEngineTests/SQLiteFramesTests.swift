import CairnSQLiteEngine
import CairnTestSupport
import Foundation
import Testing

/// Frames of the log are written together, and the versions of views are known from the log's head: after each commit, what a copy of the files recovers and
/// what either of two engines reads is what was committed.
@Suite(.endsWhenItHangs) struct SQLiteFramesTests {
    private enum Operation: Sendable {
        /// Writes of one engine: numbers of keys, and the sizes of their values; `nil` deletes.
        case commit(engine: Int, [(key: Int, size: Int?)])
        /// The log begins again with the next commit.
        case restartLog
        /// A view of one engine, which is read at the end.
        case view(engine: Int)
    }

    /// With so little memory for pages, large commits write some of them more than once.
    @Test func `copies of the files and both engines have what was committed`() async throws {
        try await checkOperations("frames", seeds: 3, count: 30) { generator in
            let engine = generator.int(in: 0..<2)
            switch generator.int(in: 0..<10) {
            case 0: return .restartLog
            case 1, 2: return .view(engine: engine)
            case 3:
                // Large values are in another table, so pages of both are changed in turn.
                return .commit(engine: engine, (0..<400).map { _ in (generator.int(in: 0..<5000), generator.int(in: 0..<6000)) })
            default:
                return .commit(
                    engine: engine,
                    (0..<generator.int(in: 1..<12)).map { _ in
                        (generator.int(in: 0..<5000), generator.oneIn(5) ? nil : generator.int(in: 0..<3000))
                    }
                )
            }
        } run: { operations in
            try Self.run(operations)
        }
    }

    /// A commit knows its own head of the log, and takes no other for it: neither that of a log that has begun again, nor that of a longer one.
    @Test func `the head of the log is that of one commit`() throws {
        var words = [UInt32](repeating: 0, count: 12)
        func head(pages: UInt32, salts: (UInt32, UInt32)) throws -> SQLiteLogHead.Value {
            (words[0], words[4], words[8], words[9]) = (3_007_000, pages, salts.0, salts.1)
            return try unsafe words.withUnsafeBytes { try unsafe #require(SQLiteLogHead($0.baseAddress!)).value }
        }
        let before = try head(pages: 7, salts: (1, 2))
        #expect(try head(pages: 9, salts: (1, 2)).follows(before, pages: 9))
        #expect(try !head(pages: 10, salts: (1, 2)).follows(before, pages: 9))
        #expect(try !head(pages: 9, salts: (3, 2)).follows(before, pages: 9))
        #expect(try !head(pages: 9, salts: (1, 4)).follows(before, pages: 9))
    }

    private static func run(_ operations: [Operation]) throws {
        let scene = try Scene()
        let engines = [try scene.open { $0.cacheSize = .kibibytes(64) }, try scene.open { $0.cacheSize = .kibibytes(64) }]
        var model: [Int: [UInt8]] = [:]
        var version = engines[0].latestVersion
        var views: [(view: any EngineView, model: [Int: [UInt8]])] = []
        for (place, operation) in operations.enumerated() {
            switch operation {
            case .restartLog: try scene.sqlite("PRAGMA wal_checkpoint(RESTART)", layer: "cairn")
            case .view(let engine):
                // More would keep all of the log.
                if views.count == 4 { views.removeFirst() }
                views.append((try engines[engine].makeView(), model))
            case .commit(let engine, let writes):
                var commit = EngineCommit()
                for (key, size) in writes {
                    model[key] = size.map { [UInt8](repeating: UInt8(truncatingIfNeeded: place &+ key), count: $0) }
                    if let value = model[key] { commit.put(value, for: Self.key(key)) } else { commit.delete(Self.key(key)) }
                }
                version = try engines[engine].commit(commit)
                try check(scene, place, model)
            }
            for (number, engine) in engines.enumerated() {
                let view = try engine.makeView()
                guard view.version == version, engine.latestVersion == version else {
                    throw Difference(
                        "after operation \(place), engine \(number) is at \(view.version) and \(engine.latestVersion) instead of \(version)"
                    )
                }
                try expect(view, model, "after operation \(place), engine \(number)")
            }
        }
        for (view, model) in views { try expect(view, model, "an earlier view") }
    }

    private static func key(_ number: Int) -> [UInt8] { Array("key \(number)".utf8) }

    /// Opens a copy of the file and its log, as after a power cut.
    private static func check(_ scene: Scene, _ place: Int, _ model: [Int: [UInt8]]) throws {
        let copy = try Scene()
        for name in ["store", "store-wal"] { try copy.write(scene.bytes(name), to: name) }
        let engine = try copy.open()
        try expect(engine.makeView(), model, "after operation \(place), the copy")
        try engine.close()
    }

    private static func expect(_ view: any EngineView, _ model: [Int: [UInt8]], _ what: String) throws {
        var found: [[UInt8]: [UInt8]] = [:]
        try view.lendEntries(in: .all, reverse: false) { key, value in
            found[[UInt8](copying: key)] = [UInt8](copying: value)
            return true
        }
        let expected = Dictionary(uniqueKeysWithValues: model.map { (Self.key($0), $1) })
        guard found == expected else { throw Difference("\(what) has \(found.count) entries that are not the \(expected.count) expected") }
    }

    private struct Difference: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
