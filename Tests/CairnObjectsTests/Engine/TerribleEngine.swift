import CairnCore
import CairnObjects
import CairnTestSupport
import Synchronization

/// An engine as bad as the protocol allows: it holds little, refuses commits without need, and searches again for each entry.
final class TerribleEngine: StorageEngine {
    let limits: EngineLimits
    private let inner: MemoryEngine
    private let random: Mutex<SeededGenerator>

    init(seed: UInt64) {
        var limits = EngineLimits()
        limits.maximumKeySize = 40
        limits.maximumValueSize = 200
        limits.maximumCommitOperations = 24
        limits.maximumCommitSize = 1500
        limits.allowsEmptyKey = false
        limits.deletesRanges = false
        self.limits = limits
        inner = MemoryEngine(limits: limits)
        random = Mutex(SeededGenerator(seed: seed))
    }

    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { inner.latestVersion }

    func makeView() throws(EngineError) -> any EngineView { TerribleView(inner: try inner.makeView(), engine: self) }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try limits.check(commit)
        // A closed engine says so, whatever else it could say.
        _ = try inner.makeView()
        if random.withLock({ $0.oneIn(4) }) { throw EngineError(.conflict, "the engine did not feel like it; try again") }
        return try inner.commit(commit, durability: durability)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try inner.changes(after: version) }

    func close() throws(EngineError) { try inner.close() }
}

/// Reads one entry after the other, each by a scan of its own that begins at the range's start.
final class TerribleView: EngineView {
    private let inner: any EngineView
    private let engine: TerribleEngine

    init(inner: any EngineView, engine: TerribleEngine) {
        self.inner = inner
        self.engine = engine
    }

    var version: EngineVersion { inner.version }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        guard let value = try inner.get(key) else { return false }
        value.withBytes(body)
        return true
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count where try !lendValue(for: keys[index], to: { body(index, $0) }) { body(index, nil) }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        var rest = range
        while let entry = try nextEntry(of: rest, reverse: reverse) {
            guard entry.key.withBytes({ key in entry.value.withBytes { body(key, $0) } }) else { return }
            if reverse { rest.upperBound = entry.key } else { rest.lowerBound = entry.key + [0] }
        }
    }

    private func nextEntry(of range: KeyRange, reverse: Bool) throws(EngineError) -> (key: [UInt8], value: [UInt8])? {
        // A range that has been walked to its end has no key left, and may look like none.
        guard range.upperBound.map({ range.lowerBound.lexicographicallyPrecedes($0) }) ?? true else { return nil }
        if !reverse { return try inner.entries(range, limit: 1).first }
        var last: (key: [UInt8], value: [UInt8])?
        try inner.lendEntries(in: range, reverse: false) { key, value in
            last = ([UInt8](copying: key), [UInt8](copying: value))
            return true
        }
        return last
    }
}
