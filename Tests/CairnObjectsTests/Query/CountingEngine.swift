import CairnCore
import CairnObjects
import Synchronization

/// An engine that counts what is read of it, and keeps what was committed to it.
final class CountingEngine: StorageEngine {
    private let engine = MemoryEngine()
    fileprivate let reads = Mutex((values: 0, entries: 0))
    /// The calls that have read values.
    fileprivate let calls = Atomic(0)
    /// The calls that have scanned ranges.
    fileprivate let scanCalls = Atomic(0)
    /// While the engine compares what a commit depends on; it does not know that these views are its own.
    fileprivate let isCommitting = Atomic(false)
    /// The ranges that were scanned, in the order in which that began.
    fileprivate let ranges = Mutex<[KeyRange]>([])
    let readsInParallel: Bool
    let isRemote: Bool
    private let made = Mutex<[(writes: EngineWrites, durability: Durability)]>([])

    var limits: EngineLimits { engine.limits }
    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion { engine.latestVersion }

    init(readsInParallel: Bool = false, isRemote: Bool = false) {
        self.readsInParallel = readsInParallel
        self.isRemote = isRemote
    }

    /// Is called once, before entries are read.
    fileprivate let nextScan = Mutex<(@Sendable () -> Void)?>(nil)
    func beforeNextScan(_ body: @escaping @Sendable () -> Void) { nextScan.withLock { $0 = body } }

    func makeView() throws(EngineError) -> any EngineView { CountingView(try engine.makeView(), self) }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        made.withLock { $0.append((commit.ordered(), durability)) }
        isCommitting.store(true, ordering: .relaxed)
        defer { isCommitting.store(false, ordering: .relaxed) }
        return try engine.commit(commit, durability: durability)
    }

    /// What `body` has committed.
    func commits(_ body: () throws -> Void) rethrows -> [(writes: EngineWrites, durability: Durability)] {
        made.withLock { $0 = [] }
        try body()
        return made.withLock { $0 }
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try engine.changes(after: version) }
    func close() throws(EngineError) { try engine.close() }

    /// The ranges that `body` scans.
    func scans(_ body: () throws -> Void) rethrows -> [KeyRange] {
        ranges.withLock { $0 = [] }
        try body()
        return ranges.withLock { $0 }
    }

    fileprivate func add(values: Int = 0, entries: Int = 0) {
        guard !isCommitting.load(ordering: .relaxed) else { return }
        reads.withLock { $0 = ($0.values + values, $0.entries + entries) }
        if values > 0 { calls.add(1, ordering: .relaxed) }
    }

    /// How many calls `body` has read values with.
    func callCount(_ body: () throws -> Void) rethrows -> Int {
        calls.store(0, ordering: .relaxed)
        try body()
        return calls.load(ordering: .relaxed)
    }

    /// How many calls `body` has scanned with.
    func scanCallCount(_ body: () throws -> Void) rethrows -> Int {
        scanCalls.store(0, ordering: .relaxed)
        try body()
        return scanCalls.load(ordering: .relaxed)
    }

    /// How many values and entries `body` has read.
    func count(_ body: () throws -> Void) rethrows -> (values: Int, entries: Int) {
        reads.withLock { $0 = (0, 0) }
        try body()
        return reads.withLock { $0 }
    }
}

private final class CountingView: EngineView {
    private let view: any EngineView
    private let engine: CountingEngine

    init(_ view: any EngineView, _ engine: CountingEngine) {
        self.view = view
        self.engine = engine
    }

    var version: EngineVersion { view.version }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        engine.add(values: 1)
        return try view.lendValue(for: key, to: body)
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        engine.add(values: keys.count)
        try view.lendValues(for: keys, to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        noteScan(of: [range])
        try view.lendEntries(in: range, reverse: reverse) { key, value in
            engine.add(entries: 1)
            return body(key, value)
        }
    }

    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        noteScan(of: ranges)
        try view.lendEntries(inEach: ranges, reverse: reverse) { index, key, value in
            engine.add(entries: 1)
            return body(index, key, value)
        }
    }

    private func noteScan(of ranges: [KeyRange]) {
        guard !engine.isCommitting.load(ordering: .relaxed) else { return }
        engine.scanCalls.add(1, ordering: .relaxed)
        engine.nextScan.withLock { $0.take() }?()
        engine.ranges.withLock { $0 += ranges }
    }
}
