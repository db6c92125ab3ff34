import CairnCore
import CairnEngine
import CairnSQLiteEngine
import Foundation

/// Files of the engine on SQLite in which bytes are changed: every call answers or throws, and no value is read that was not stored.
public struct SQLiteStoreFuzzTarget: FuzzTarget {
    public static let name = "sqlite-stores"

    private let place: Place
    private let file: [UInt8]
    private let values: [[UInt8]: [UInt8]]

    public init() throws {
        place = Place()
        let engine = try SQLiteEngine(path: place.store)
        var commit = EngineCommit()
        // Some are larger than a page, and some are in a table of their own.
        for number in 0..<300 { commit.put([UInt8](repeating: UInt8(number % 251), count: number), for: "key \(1000 + number)") }
        for size in [5_000, 100_000] { commit.put([UInt8](repeating: 7, count: size), for: "large \(size)") }
        try engine.commit(commit)
        values = Dictionary(uniqueKeysWithValues: try engine.makeView().entries().map { ($0.key, $0.value) })
        try engine.close()
        file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: place.store)))
    }

    /// The input is changes of 4 bytes: where, and what is there instead. A last byte of 0xFF cuts the file there.
    public func check(_ bytes: RawSpan) throws {
        let input = [UInt8](copying: bytes)
        var changed = file
        for start in stride(from: 0, through: input.count - 4, by: 4) {
            let offset = input[start..<start + 3].reduce(0) { $0 << 8 | Int($1) } % file.count
            guard offset < changed.count else { continue }
            if input[start + 3] == 0xFF { changed.removeSubrange(offset...) } else { changed[offset] = input[start + 3] }
        }
        try place.write(changed)
        try answering {
            var options = SQLiteEngineOptions()
            options.createIfMissing = false
            let engine = try SQLiteEngine(path: place.store, options: options)
            try answering { try read(engine) }
            try answering {
                var commit = EngineCommit()
                commit.put("new", for: "key 2000")
                commit.delete("key 1000")
                try engine.commit(commit)
                try require(try engine.makeView().get("key 2000") == Array("new".utf8), "what was stored is not there")
            }
            try engine.close()
        }
    }

    private func read(_ engine: SQLiteEngine) throws {
        let view = try engine.makeView()
        for reverse in [false, true] {
            try answering {
                for (key, value) in try view.entries(reverse: reverse) {
                    try require(values[key] == value, "a scan gives what was not stored")
                }
            }
        }
        for (key, value) in values {
            try answering { if let found = try view.get(key) { try require(found == value, "a key has a value that was not stored") } }
        }
    }

    /// Errors of the engine are answers.
    private func answering(_ body: () throws -> Void) throws {
        do { try body() } catch is EngineError {}
    }

    /// A directory for the file, removed at the end.
    private final class Place: Sendable {
        private let directory = NSTemporaryDirectory() + "cairn-fuzz-\(UUID().uuidString)"
        var store: String { directory + "/store" }

        init() { try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: directory) }

        /// The file alone, without what SQLite left beside another one.
        func write(_ bytes: [UInt8]) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
                try FileManager.default.removeItem(atPath: directory + "/" + name)
            }
            try Data(bytes).write(to: URL(fileURLWithPath: store))
        }
    }
}
