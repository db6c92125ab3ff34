import CairnCore
import CairnObjects
import Synchronization

/// The smallest complete engine: a sorted array, which each commit replaces. The guide to engines shows its commit.
final class ArrayEngine: StorageEngine {
    private struct State {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var version = EngineVersion(rawValue: 0)
        var views = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let committer = EngineCommitter(limits: EngineLimits(), version: EngineVersion(rawValue: 0), state: ())

    var limits: EngineLimits { committer.limits }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { committer.latestVersion }

    func makeView() throws(EngineError) -> any EngineView { try makeArrayView() }

    private func makeArrayView() throws(EngineError) -> ArrayView {
        let found = state.withLock { state in
            if !state.isClosed { state.views += 1 }
            return state
        }
        guard !found.isClosed else { throw EngineError(.closed, "the engine was closed") }
        return ArrayView(self, found.entries, found.version)
    }

    fileprivate func release() { state.withLock { $0.views -= 1 } }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try committer.commit(commit, isOwn: { ($0 as? ArrayView)?.engine === self }) { () throws(EngineError) in
            try makeArrayView()
        } write: { writes, now, _ in
            var values = Dictionary(uniqueKeysWithValues: now.entries.map { ($0.key, $0.value) })
            for range in writes.deletedRanges { values = values.filter { !range.contains($0.key) } }
            for index in 0..<writes.count {
                let key = [UInt8](copying: writes.key(at: index))
                if let value = writes.value(at: index) { values[key] = [UInt8](copying: value) } else { values[key] = nil }
            }
            let entries = values.map { (key: $0.key, value: $0.value) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let version = EngineVersion(rawValue: now.version.rawValue + 1)
            state.withLock { ($0.entries, $0.version) = (entries, version) }
            return version
        }
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        guard !state.withLock({ $0.isClosed }) else { throw EngineError(.closed, "the engine was closed") }
        return committer.changes(after: version)
    }

    func close() throws(EngineError) {
        // A commit in progress has a view of its own.
        let views = try committer.withoutCommits { _ in
            state.withLock { state in
                state.isClosed = state.isClosed || state.views == 0
                return state.views
            }
        }
        guard views == 0 else { throw EngineError(.busy, "the engine has \(views) views; release them first") }
        committer.close()
    }
}

private final class ArrayView: EngineView {
    let engine: ArrayEngine
    let entries: [(key: [UInt8], value: [UInt8])]
    let version: EngineVersion

    init(_ engine: ArrayEngine, _ entries: [(key: [UInt8], value: [UInt8])], _ version: EngineVersion) {
        (self.engine, self.entries, self.version) = (engine, entries, version)
    }

    deinit { engine.release() }

    /// The position of the first entry that is not before a key.
    private func position(of key: [UInt8]) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        let key = [UInt8](copying: key)
        let position = position(of: key)
        guard position < entries.count, entries[position].key == key else { return false }
        entries[position].value.withBytes(body)
        return true
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count where try !lendValue(for: keys[index], to: { body(index, $0) }) { body(index, nil) }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        let start = position(of: range.lowerBound)
        let end = max(start, range.upperBound.map { position(of: $0) } ?? entries.count)
        let found = entries[start..<end]
        func lend(_ entry: (key: [UInt8], value: [UInt8])) -> Bool {
            entry.key.withBytes { key in entry.value.withBytes { body(key, $0) } }
        }
        if reverse { _ = found.reversed().first { !lend($0) } } else { _ = found.first { !lend($0) } }
    }
}
