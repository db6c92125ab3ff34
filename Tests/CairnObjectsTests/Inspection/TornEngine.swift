import CairnCore
import CairnObjects
import Synchronization

/// An engine on a disk with bad blocks: entries under some keys cannot be read, and no scan gets past them.
final class TornEngine: StorageEngine {
    private let inner = MemoryEngine()
    private let torn = Mutex<Set<[UInt8]>>([])

    var limits: EngineLimits { inner.limits }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { inner.latestVersion }

    func tear(_ key: [UInt8]) { _ = torn.withLock { $0.insert(key) } }

    func makeView() throws(EngineError) -> any EngineView { TornView(try inner.makeView(), torn.withLock { $0 }) }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try inner.commit(commit, durability: durability)
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try inner.changes(after: version) }

    func close() throws(EngineError) { try inner.close() }
}

private final class TornView: EngineView {
    private let inner: any EngineView
    private let torn: Set<[UInt8]>

    init(_ inner: any EngineView, _ torn: Set<[UInt8]>) {
        self.inner = inner
        self.torn = torn
    }

    var version: EngineVersion { inner.version }

    private func check(_ key: RawSpan) throws(EngineError) {
        if torn.contains([UInt8](copying: key)) { throw EngineError(.corruption, "a block does not have its checksum") }
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        try check(key)
        return try inner.lendValue(for: key, to: body)
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count { try check(keys[index]) }
        try inner.lendValues(for: keys, to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        var failure: EngineError?
        try inner.lendEntries(in: range, reverse: reverse) { key, value in
            do throws(EngineError) { try check(key) } catch {
                failure = error
                return false
            }
            return body(key, value)
        }
        if let failure { throw failure }
    }
}
