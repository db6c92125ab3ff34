import CairnSQLiteEngine
import Foundation

/// The other process of the tests of the engine on SQLite: opens the store at a path, carries out each line of standard input, and answers with a line.
@main struct SQLitePeer {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard !arguments.contains("--objects"), !arguments.contains("--sealed-objects") else {
            return try useObjects(at: arguments[1], isEncrypted: arguments.contains("--sealed-objects"))
        }
        var options = SQLiteEngineOptions()
        // Another process that holds the lock may get no processor for long.
        options.busyTimeout = .seconds(60)
        options.readOnly = CommandLine.arguments.contains("--read-only")
        do throws(EngineError) {
            let peer = SQLitePeer(engine: try SQLiteEngine(path: CommandLine.arguments[1], options: options))
            say("open")
            while let line = readLine() { say(try peer.answer(line.split(separator: " ").map(String.init))) }
            try peer.engine.close()
        } catch {
            say("\(error.code)")
            exit(1)
        }
    }

    private static func useObjects(at path: String, isEncrypted: Bool) throws {
        do {
            let peer = try ObjectPeer(path: path, isEncrypted: isEncrypted)
            say("open")
            while let line = readLine() { say(try peer.answer(line.split(separator: " ").map(String.init))) }
            try peer.close()
        } catch {
            say("\(error)")
            exit(1)
        }
    }

    private let engine: SQLiteEngine

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private func answer(_ words: [String]) throws(EngineError) -> String {
        switch words.first {
        case "put":
            var commit = EngineCommit()
            commit.put(words[2], for: words[1])
            return "\(try engine.commit(commit))"
        case "get": return try engine.makeView().get(words[1]).map { String(decoding: $0, as: UTF8.self) } ?? "missing"
        case "add": return "\(try add(words[1], times: Int(words[2])!))"
        case "write": try writeUntilKilled(words[1], after: Int(words[2])!)
        default: return "what?"
        }
    }

    /// Increments a counter, and returns how often that conflicted.
    private func add(_ key: String, times: Int) throws(EngineError) -> Int {
        var conflicts = 0
        for _ in 0..<times {
            while true {
                var commit = EngineCommit()
                let view = try engine.makeView()
                let count = try view.get(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                commit.read(key, in: view)
                commit.put("\(count + 1)", for: key)
                do throws(EngineError) {
                    try engine.commit(commit)
                    break
                } catch {
                    guard error.code == .conflict else { throw error }
                    conflicts += 1
                }
            }
        }
        return conflicts
    }

    /// Makes commits of several keys and reports each one when it is done, until the test kills this process.
    private func writeUntilKilled(_ name: String, after start: Int) throws(EngineError) -> Never {
        var number = start
        while true {
            number += 1
            var commit = EngineCommit()
            commit.deleteRange(KeyRange(prefix: "\(name)/"))
            for part in 0..<number % 40 + 2 { commit.put("\(number)", for: "\(name)/\(part)") }
            commit.put("\(number)", for: "last \(name)")
            try engine.commit(commit)
            Self.say("\(number)")
        }
    }
}
