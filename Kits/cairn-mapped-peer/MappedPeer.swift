import CairnMapped
import CairnMappedImport
import Foundation
import Synchronization

/// The second process of the model test of mapped stores: opens the store at a path, carries out each line of standard input, and answers
/// with a line.
///
/// A line is the time in seconds since 1970, a command and its argument; entries are JSON of `MappedExport`.
@main struct MappedPeer {
    private let store: MappedStore
    private let now: PeerClock

    static func main() throws {
        let peer = try MappedPeer(path: CommandLine.arguments[1])
        while let line = readLine() { say(try peer.answer(line.split(separator: " ", maxSplits: 2))) }
        try peer.store.close()
    }

    private init(path: String) throws {
        let clock = PeerClock()
        var options = MappedStoreOptions()
        options.compaction = .manual
        options.now = { clock.time }
        store = try MappedStore(path: path, options: options)
        now = clock
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private func answer(_ words: [Substring]) throws -> String {
        guard words.count >= 2, let seconds = Double(words[0]) else { return "what?" }
        now.set(seconds)
        let rest = words.count > 2 ? String(words[2]) : ""
        switch words[1] {
        case "set": for entry in try MappedImport.json(bytes: Array(rest.utf8)).entries { try store.set(entry.value, for: entry.key) }
        case "import": try store.import(MappedImport.json(bytes: Array(rest.utf8)))
        case "remove": return try store.remove(rest) ? "removed" : "missing"
        case "get": return json(try store.get(rest).map { [MappedEntry(key: rest, value: $0)] } ?? [])
        case "list": return json(try store.entries())
        case "compact": try store.compact()
        case "sync": try store.sync()
        case "write": try writeUntilKilled(more: Int(rest) ?? 0)
        case "stop": try stopWhileChanging()
        default: return "what?"
        }
        return "done"
    }

    private func json(_ entries: [MappedEntry]) -> String { MappedExport.json(entries).filter { $0 != "\n" } }

    /// Stops this process in the middle of a transaction, until it is continued.
    private func stopWhileChanging() throws {
        try store.transaction { changes in
            try changes.set("stopped", for: "first")
            Self.say("stopping")
            kill(getpid(), SIGSTOP)
        }
    }

    /// Makes transactions and reports each one when it is done, until the test kills this process. `more` keys are set between two, which takes time.
    private func writeUntilKilled(more: Int) throws -> Never {
        var number = 0
        while true {
            number += 1
            try store.transaction { changes in
                try changes.set(number, for: "first")
                for key in 0..<more { try changes.set(number, for: "more \(key)") }
                try changes.set(number, for: "second")
            }
            Self.say("\(number)")
        }
    }
}

/// The time that the last line gave.
private final class PeerClock: Sendable {
    private let seconds = Mutex(0.0)
    var time: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
    func set(_ time: Double) { seconds.withLock { $0 = time } }
}
