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
        let known = (0..<keys.count).map { engine.values.value(keys[$0], version) }
        var places: [Int] = []
        var unknown = KeyList()
        unknown.isSorted = keys.isSorted
        for place in known.indices where known[place] == nil {
            places.append(place)
            unknown.append(keys[place])
        }
        var next = 0
        /// Lends the known values before a place.
        func lendKnown(before end: Int) {
            while next < end {
                if let value = known[next] { unsafe body(next, value.span.bytes) }
                next += 1
            }
        }
        if !places.isEmpty {
            do {
                try snapshot.lendValues(for: unknown, options: nil) { index, value in
                    lendKnown(before: places[index])
                    if let value { engine.values.offer(value, of: unknown[index], version) }
                    body(places[index], value)
                }
            } catch { throw failure(error) }
        }
        lendKnown(before: keys.count)
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
