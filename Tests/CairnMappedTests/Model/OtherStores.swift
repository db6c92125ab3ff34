import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation

/// The other user of a model test's file.
protocol OtherStore {
    func set(_ value: MappedVariant, for key: String) throws
    func get(_ key: String) throws -> MappedVariant?
    /// Puts entries into the store as one change.
    func add(_ entries: [MappedEntry]) throws
    /// Whether there was a value.
    func remove(_ key: String) throws -> Bool
    func contents() throws -> [String: MappedVariant]
    func compact() throws
    func sync() throws
    func close() throws
}

/// Another store in this process.
struct OtherStoreHere: OtherStore {
    let store: MappedStore

    func set(_ value: MappedVariant, for key: String) throws { try store.set(value, for: key) }
    func get(_ key: String) throws -> MappedVariant? { try store.get(key) }
    func add(_ entries: [MappedEntry]) throws { try store.import(MappedImport(entries: entries)) }
    func remove(_ key: String) throws -> Bool { try store.remove(key) }
    func contents() throws -> [String: MappedVariant] { try store.contents() }
    func compact() throws { try store.compact() }
    func sync() throws { try store.sync() }
    func close() throws { try store.close() }
}

/// A store of another process, `cairn-mapped-peer`, which gets the time with each command.
final class OtherProcess: OtherStore {
    private let process: ChildProcess
    private let clock: HandClock

    init(path: String, clock: HandClock) throws {
        process = try ChildProcess("cairn-mapped-peer", [path])
        self.clock = clock
    }

    func set(_ value: MappedVariant, for key: String) throws { try ask("set", line(of: [MappedEntry(key: key, value: value)]), "done") }
    func add(_ entries: [MappedEntry]) throws { try ask("import", line(of: entries), "done") }
    func compact() throws { try ask("compact", "", "done") }
    func sync() throws { try ask("sync", "", "done") }

    func remove(_ key: String) throws -> Bool {
        let answer = try ask("remove", key)
        guard answer == "removed" || answer == "missing" else { throw Mismatch("the other process says \(answer)") }
        return answer == "removed"
    }

    func get(_ key: String) throws -> MappedVariant? { try entries(ask("get", key))[key] }
    func contents() throws -> [String: MappedVariant] { try entries(ask("list", "")) }

    /// Has the process write numbers under two keys, in transactions without rest, and kills it meanwhile; returns the last number that it said it had
    /// written.
    func killWhileWriting() throws -> Int {
        var last = Int(try ask("write", "")) ?? 0
        process.kill()
        while let line = process.readLine() { last = max(last, Int(line) ?? 0) }
        try match(try process.waitForEnd(), .killed(signal: SIGKILL), "how the other process ended")
        return last
    }

    func close() throws {
        try process.closeInput()
        try match(try process.waitForEnd(), .exited(0), "how the other process ended")
    }

    private func entries(_ line: String) throws -> [String: MappedVariant] {
        Dictionary(uniqueKeysWithValues: try MappedImport.json(bytes: Array(line.utf8)).entries.map { ($0.key, $0.value) })
    }

    private func line(of entries: [MappedEntry]) -> String { MappedExport.json(entries).filter { $0 != "\n" } }

    private func ask(_ verb: String, _ rest: String) throws -> String {
        try process.writeLine("\(clock.now.timeIntervalSince1970) \(verb) \(rest)")
        guard let answer = process.readLine() else { throw Mismatch("the other process ended when it was asked to \(verb)") }
        return answer
    }

    private func ask(_ verb: String, _ rest: String, _ expected: String) throws {
        try match(try ask(verb, rest), expected, "the other process's answer to \(verb)")
    }
}
