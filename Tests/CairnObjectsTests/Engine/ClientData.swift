import CairnCore
import CairnEngine
import Synchronization

/// What clients share.
final class ClientData: Sendable {
    let engine: MemoryEngine
    let limits: EngineLimits
    private let state = Mutex(State())
    private let last = Atomic(0)

    private struct State {
        var clients: [Weak] = []
        var count = 0
        /// The versions of commits that have a name.
        var named: [[UInt8]: EngineVersion] = [:]
        var lastVersions: [Int: EngineVersion] = [:]
        var changes: [EngineChange] = []

        /// Whether anything that a commit has read was written since.
        func hasTouched(_ commit: EngineCommit) -> Bool {
            commit.reads.contains { reads in
                changes.contains { change in
                    guard change.version > reads.view.version else { return false }
                    return reads.ranges.contains { change.touches($0) }
                        || (0..<reads.keys.count).contains { change.touches(reads.keys[$0]) }
                }
            }
        }
    }

    private struct Weak { weak var client: ClientEngine? }

    /// - Parameter ignoresLimits: For a defect.
    init(limits: EngineLimits = EngineLimits(), ignoresLimits: Bool = false) {
        self.limits = limits
        engine = MemoryEngine(limits: ignoresLimits ? EngineLimits() : limits)
    }

    func nextNumber() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func add(_ client: ClientEngine) { state.withLock { $0.clients.append(Weak(client: client)) } }

    /// The client that committed last.
    var lastClient: Int { last.load(ordering: .acquiring) }
    func lastVersion(of client: Int) -> EngineVersion {
        state.withLock { $0.lastVersions[client] } ?? EngineVersion(rawValue: 0)
    }

    func commit(_ commit: EngineCommit, by client: ClientEngine) throws(EngineError) -> EngineVersion {
        // Keeps clients from being released while the lock is held.
        var others: [ClientEngine] = []
        defer { withExtendedLifetime(others) {} }
        return try state.withLock { state throws(EngineError) in
            let name = commit.idempotencyID
            let known = name.flatMap { state.named[$0] }
            if let known, client.defect != .performsTwice, client.defect != .conflictsWithItself { return known }
            guard !client.comparesVersions || !state.hasTouched(commit) else {
                throw EngineError(.conflict, "what the commit has read was written since")
            }
            let before = engine.latestVersion
            let version = try perform(commit, by: client, again: known != nil)
            guard version > before else { return version }
            if let name { state.named[name] = version }
            state.lastVersions[client.number] = version
            last.store(client.number, ordering: .releasing)
            let writes = commit.ordered()
            var keys = KeyList()
            for index in 0..<writes.count { keys.append(writes.key(at: index)) }
            keys.isSorted = true
            let change = EngineChange(version: version, keys: keys, deletedRanges: writes.deletedRanges)
            if client.comparesVersions { state.changes.append(change) }
            others = state.clients.compactMap(\.client)
            for other in others { other.report(change, by: client.number) }
            return version
        }
    }

    private func perform(_ commit: EngineCommit, by client: ClientEngine, again: Bool) throws(EngineError) -> EngineVersion {
        var inner = EngineCommit()
        inner.addWrites(of: commit)
        let writes = inner
        if !(again && client.defect == .performsTwice) { try client.addReads(of: commit, to: &inner) }
        do throws(EngineError) { return try engine.commit(inner) } catch {
            guard error.code == .conflict, client.overlooksConflict() else { throw error }
            return try engine.commit(writes)
        }
    }
}

extension EngineCommit {
    /// Adds the writes of another commit.
    mutating func addWrites(of commit: EngineCommit) {
        let writes = commit.ordered()
        for range in writes.deletedRanges { deleteRange(range) }
        for index in 0..<writes.count {
            if let value = writes.value(at: index) { put(value, for: writes.key(at: index)) } else { delete(writes.key(at: index)) }
        }
    }
}
