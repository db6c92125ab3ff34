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

    /// One cursor for all ranges: making one takes as long as many steps.
    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        guard !reverse, ranges.count > 1 else { return try lendOneByOne(ranges, reverse: reverse, to: body) }
        var cursor: Cursor
        do { cursor = try snapshot.makeCursor(.all, options: Self.forManyRanges) } catch { throw failure(error) }
        for (index, range) in ranges.enumerated() where !range.isEmpty {
            var count = 0
            do throws(RocksError) {
                guard try Self.lend(range, &cursor, &count, { body(index, $0, $1) }) else { return }
            } catch {
                guard error.code == .incomplete else { throw failure(error) }
                // The cursor is among many deleted entries, perhaps beyond the range: a separate cursor ends with the range.
                var goesOn = true
                try lend(range, false, nil) { key, value in
                    count -= 1
                    goesOn = count >= 0 || body(index, key, value)
                    return goesOn
                }
                guard goesOn else { return }
            }
        }
    }

    private static let forManyRanges = {
        var options = ReadOptions()
        options.maxSkippableInternalKeys = 64
        return options
    }()

    /// Lends the entries of a range and counts them; returns whether `body` wants more.
    private static func lend(
        _ range: KeyRange,
        _ cursor: inout Cursor,
        _ count: inout Int,
        _ body: (RawSpan, RawSpan) -> Bool
    ) throws(RocksError) -> Bool {
        let end = range.upperBound
        func isBeforeEnd(_ key: RawSpan) -> Bool { end.map { unsafe key.isOrdered(before: $0.span.bytes) } ?? true }
        if let first = try cursor.seek(to: range.lowerBound) {
            guard isBeforeEnd(first.key) else { return true }
            count += 1
            guard body(first.key, first.value) else { return false }
        } else {
            return true
        }
        while let entry = try cursor.next() {
            guard isBeforeEnd(entry.key) else { return true }
            count += 1
            guard body(entry.key, entry.value) else { return false }
        }
        return true
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
