public import CairnCore

/// The effective writes of an ``EngineCommit``: first delete ``deletedRanges``, then write each key, once and in order.
public struct EngineWrites: Sendable {
    /// The ranges to delete first; sorted, not empty, and not overlapping.
    public let deletedRanges: [KeyRange]
    /// The order of the writes; `nil` if they are already in order.
    private let order: [Int]?
    private let bytes: [UInt8]
    private let writes: [EngineCommit.Write]

    /// The number of keys written.
    public var count: Int { order?.count ?? writes.count }

    fileprivate init(_ commit: EngineCommit) {
        bytes = commit.bytes
        writes = commit.writes
        deletedRanges = commit.deletions.isEmpty ? [] : Self.union(of: commit.deletions.map(\.range))
        order =
            commit.isAscending && commit.deletions.allSatisfy { $0.position == 0 }
            ? nil : Self.spared(by: commit.deletions, of: Self.sortedOrder(of: commit.writes, in: commit.bytes), commit)
    }

    /// The key of the write at `index`, borrowed.
    @_lifetime(borrow self)
    public func key(at index: Int) -> RawSpan {
        let write = writes[order?[index] ?? index]
        return unsafe bytes.span.bytes.extracting(write.start..<write.keyEnd)
    }

    /// The value of the write at `index`, borrowed; `nil` if the key is to be deleted.
    @_lifetime(borrow self)
    public func value(at index: Int) -> RawSpan? {
        let write = writes[order?[index] ?? index]
        guard write.valueSize != EngineCommit.Write.deletion else { return nil }
        return unsafe bytes.span.bytes.extracting(write.keyEnd..<write.end)
    }

    /// The total number of bytes of keys.
    public var keyByteCount: Int {
        order?.reduce(0) { $0 + Int(writes[$1].keySize) } ?? writes.reduce(0) { $0 + Int($1.keySize) }
    }

    /// The total number of bytes of keys, values and bounds.
    public var byteCount: Int {
        let ranges = deletedRanges.reduce(0) { $0 + $1.boundsSize }
        return ranges + (order?.reduce(0) { $0 + writes[$1].end - writes[$1].start } ?? bytes.count)
    }
}

extension EngineCommit {
    /// Returns the writes as an engine performs them.
    ///
    /// - Complexity: O(1) if the keys were added in order, without duplicates, and after all ranges; otherwise O(n log n).
    public func ordered() -> EngineWrites { EngineWrites(self) }
}

extension EngineWrites {
    /// Returns the union of ranges, sorted and not overlapping.
    static func union(of ranges: [KeyRange]) -> [KeyRange] {
        var union: [KeyRange] = []
        for range in ranges.sorted(by: { $0.lowerBound.lexicographicallyPrecedes($1.lowerBound) }) {
            guard let last = union.last else {
                union.append(range)
                continue
            }
            guard let end = last.upperBound else { break }
            if end.lexicographicallyPrecedes(range.lowerBound) {
                union.append(range)
            } else if range.upperBound.map({ end.lexicographicallyPrecedes($0) }) ?? true {
                union[union.count - 1].upperBound = range.upperBound
            }
        }
        return union
    }

    /// Returns the writes, given in key order, that no later range deletion removes.
    private static func spared(
        by deletions: [(range: KeyRange, position: Int)],
        of order: [Int],
        _ commit: EngineCommit
    ) -> [Int] {
        guard let latest = deletions.map(\.position).max(), latest > 0 else { return order }
        let waiting = deletions.sorted { $0.range.lowerBound.lexicographicallyPrecedes($1.range.lowerBound) }
        var next = 0
        // The ranges that contain the current key of the iteration.
        var open: [(range: KeyRange, position: Int)] = []
        return order.filter { index in
            let write = commit.writes[index]
            let key = commit.bytes[write.start..<write.keyEnd]
            while next < waiting.count, !key.lexicographicallyPrecedes(waiting[next].range.lowerBound) {
                open.append(waiting[next])
                next += 1
            }
            guard !open.isEmpty else { return true }
            open.removeAll { $0.range.upperBound.map { !key.lexicographicallyPrecedes($0) } ?? false }
            return !open.contains { $0.position > index }
        }
    }
}
