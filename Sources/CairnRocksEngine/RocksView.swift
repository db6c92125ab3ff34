import CairnCore
import CairnRocks

/// A snapshot of a ``RocksEngine``.
final class RocksView: EngineView {
    let engine: RocksEngine
    let snapshot: Snapshot
    let version: EngineVersion

    init(engine: RocksEngine, snapshot: Snapshot) {
        self.engine = engine
        self.snapshot = snapshot
        version = EngineVersion(rawValue: snapshot.sequenceNumber)
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        if let value = engine.values.value(key, version) {
            unsafe body(value.span.bytes)
            return true
        }
        do {
            return try snapshot.lendValue(for: key, options: nil) { value in
                engine.values.offer(value, of: key, version)
                body(value)
            }
        } catch { throw failure(error) }
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        var found = engine.values.find(keys, version)
        if found.missing.count > 0 {
            do { try snapshot.lendValues(for: found.missing, options: nil) { found.lend($0, $1, to: body) } } catch { throw failure(error) }
        }
        found.lendRest(to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try lend(range, reverse, nil, body)
    }

    /// Does not keep what it reads in the cache.
    func lendAllEntries(in range: KeyRange, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try lend(range, false, ReadOptions(fillCache: false), body)
    }

    private func lend(
        _ range: KeyRange,
        _ reverse: Bool,
        _ options: ReadOptions?,
        _ body: (RawSpan, RawSpan) -> Bool
    ) throws(EngineError) {
        guard !range.isEmpty else { return }
        do {
            var cursor = try snapshot.makeCursor(reverse ? ScanRange.keys(range).reversed : .keys(range), options: options)
            while let entry = try cursor.next() { guard body(entry.key, entry.value) else { return } }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: RocksError) -> EngineError { EngineError("reading '\(engine.path)'", error) }
}
