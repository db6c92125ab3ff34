import CairnCore

/// A snapshot of a ``PostgresEngine``: the number of a version.
final class PostgresView: EngineView {
    let engine: PostgresEngine
    /// The last commit that it sees.
    let commit: PostgresCommit
    var version: EngineVersion { commit.version }

    /// The keys that one statement reads, and the entries of a page of a scan.
    private static let keysAtOnce = 1000
    private static let firstPage = 64
    private static let largestPage = 2000
    /// The number of ranges whose first pages one statement reads, at first and at most.
    private static let firstRanges = 32
    private static let rangesAtOnce = 256
    /// The target size of pages of a scan, estimated from the page before.
    private static let pageSize = 1 << 20

    init(engine: PostgresEngine, commit: PostgresCommit) {
        self.engine = engine
        self.commit = commit
    }

    deinit { engine.endView() }

    private var values: ValueCache { engine.pool.values }
    private var number: Int64 { Int64(bitPattern: version.rawValue) }

    private func run(_ query: PostgresQuery, _ parameters: PostgresParameters) throws(EngineError) -> PostgresRows {
        let rows = try engine.pool.run(query, "reading", parameters)
        // The oldest version that can be read.
        guard rows.number(0, 0) <= number else {
            throw EngineError(
                .expired,
                "reading \(engine.pool.target.description): the store no longer has version \(version) (its retention period has ended); begin again"
            )
        }
        return rows
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        if let value = values.value(key, version) {
            unsafe body(value.span.bytes)
            return true
        }
        var parameters = PostgresParameters()
        parameters.add(key)
        parameters.add(number)
        let rows = try run(.value, parameters)
        guard !rows.isNull(0, 1) else { return false }
        let value = rows.bytes(0, 1)
        values.offer(value, of: key, version)
        body(value)
        return true
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        var found = values.find(keys, version)
        try readValues(for: found.missing) { found.lend($0, $1, to: body) }
        found.lendRest(to: body)
    }

    private func readValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        var start = 0
        while start < keys.count {
            let range = start..<min(start + Self.keysAtOnce, keys.count)
            var parameters = PostgresParameters()
            parameters.add(keys, range)
            parameters.add(number)
            let rows = try run(.values, parameters)
            // The place of each key among the rows.
            var places = [Int](repeating: 0, count: range.count)
            for row in 0..<rows.count { places[Int(rows.number(row, 1)) - 1] = row }
            for (offset, row) in places.enumerated() { body(start + offset, rows.isNull(row, 2) ? nil : rows.bytes(row, 2)) }
            start = range.upperBound
        }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        guard !range.isEmpty else { return }
        _ = try lend(range.lowerBound, PostgresKey.upper(range), Self.firstPage, reverse, to: body)
    }

    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        var (start, count) = (0, Self.firstRanges)
        while start < ranges.count {
            let indices = start..<min(start + count, ranges.count)
            let uppers = ranges[indices].map { PostgresKey.upper($0) }
            var parameters = PostgresParameters()
            parameters.add(ranges[indices].map(\.lowerBound))
            parameters.add(uppers)
            parameters.add(number)
            parameters.add(Int32(Self.firstPage))
            let rows = try run(reverse ? .rangesBackward : .ranges, parameters)
            var row = 0
            for (place, index) in indices.enumerated() {
                var (read, size) = (0, 0)
                while row < rows.count, rows.number(row, 1) == place + 1 {
                    defer { row += 1 }
                    // An empty range has a row, too.
                    guard !rows.isNull(row, 2) else { continue }
                    guard body(index, rows.bytes(row, 2), rows.bytes(row, 3)) else { return }
                    (read, size) = (read + 1, size + rows.bytes(row, 3).byteCount + 64)
                }
                guard read == Self.firstPage else { continue }
                let last = [UInt8](copying: rows.bytes(row - 1, 2))
                let (lower, upper) = reverse ? (ranges[index].lowerBound, last) : (last + [0], uppers[place])
                let limit = Self.nextLimit(Self.firstPage, size / read)
                guard try lend(lower, upper, limit, reverse, to: { body(index, $0, $1) }) else { return }
            }
            (start, count) = (indices.upperBound, Self.rangesAtOnce)
        }
    }

    /// Lends the entries from a key to another, in pages; returns whether `body` wants more.
    private func lend(
        _ lower: [UInt8],
        _ upper: [UInt8],
        _ limit: Int,
        _ reverse: Bool,
        to body: (RawSpan, RawSpan) -> Bool
    ) throws(EngineError) -> Bool {
        var (lower, upper, limit) = (lower, upper, limit)
        while true {
            var parameters = PostgresParameters()
            parameters.add(lower)
            parameters.add(upper)
            parameters.add(number)
            parameters.add(Int32(limit))
            let rows = try run(reverse ? .entriesBackward : .entries, parameters)
            guard !rows.isNull(0, 1) else { return true }
            var size = 0
            for row in 0..<rows.count {
                guard body(rows.bytes(row, 1), rows.bytes(row, 2)) else { return false }
                size += rows.bytes(row, 2).byteCount + 64
            }
            guard rows.count == limit else { return true }
            let last = [UInt8](copying: rows.bytes(rows.count - 1, 1))
            if reverse { upper = last } else { lower = last + [0] }
            limit = Self.nextLimit(limit, size / rows.count)
        }
    }

    /// How many entries the next page has, after one with so many of an average size.
    private static func nextLimit(_ limit: Int, _ size: Int) -> Int { min(largestPage, max(8, pageSize / size), limit * 16) }
}
