import CairnCore
import Synchronization

/// A snapshot of an ``EtcdEngine``: the number of a revision.
final class EtcdView: EngineView {
    let engine: EtcdEngine
    let version: EngineVersion
    /// The server's revision when the view was made: the same data as at ``version``, and kept longer.
    private let revision: UInt64
    private let scanned = Atomic(0)

    private static let firstPage = 64
    private static let largestPage = 2000
    /// The target size of pages of a scan, estimated from the page before.
    private static let pageSize = 1 << 20
    /// The target size of the values of several keys, which are all wanted.
    private static let valuesSize = 4 << 20
    private static let keysAtOnce = 10_000
    /// The number of ranges whose first pages the first request for several ranges reads.
    private static let firstRanges = 32

    init(engine: EtcdEngine, version: EngineVersion, revision: UInt64) {
        self.engine = engine
        self.version = version
        self.revision = revision
    }

    deinit { engine.endView() }

    /// The number of entries that have been read from ranges so far.
    var scannedCount: Int { scanned.load(ordering: .relaxed) }

    private func note(_ count: Int) { scanned.wrappingAdd(count, ordering: .relaxed) }

    private var layout: EtcdLayout { engine.pool.target.layout }
    private var values: ValueCache { engine.pool.values }

    // MARK: Keys

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        if let value = values.value(key, version) {
            unsafe body(value.span.bytes)
            return true
        }
        guard let entry = try page(layout.entry(key), end: nil).entries.first else { return false }
        unsafe values.offer(entry.value.span.bytes, of: key, version)
        body(unsafe entry.value.span.bytes)
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
            let wanted = fitting(keys, from: start)
            let responses = try readAll(wanted.map { ($0, nil) }, EtcdRequest.Part(revision: revision))
            for (index, response) in zip(start..., responses) {
                if let entry = response.entries.first { body(index, unsafe entry.value.span.bytes) } else { body(index, nil) }
            }
            start += wanted.count
        }
    }

    /// As many keys as one request can read, and whose values probably fit an answer; at least one.
    private func fitting(_ keys: KeyList, from start: Int) -> [[UInt8]] {
        let most = min(engine.pool.target.options.limits.operations, keys.count - start)
        var (fitting, size) = ([[UInt8]](), 0)
        while fitting.count < most {
            let key = layout.entry(keys[start + fitting.count])
            size += engine.entrySizes.average(layout.area(key)) ?? 0
            guard fitting.isEmpty || size <= Self.valuesSize else { break }
            fitting.append(key)
        }
        return fitting
    }

    // MARK: Ranges

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        guard !range.isEmpty else { return }
        let limit = firstLimit(layout.lower(range))
        let first = try page(layout.lower(range), end: layout.upper(range), limit: limit, isReverse: reverse)
        _ = try lend(range, first, limit, reverse, to: body)
    }

    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        // etcd would take an end that is not greater than the start for another kind of range.
        let wanted = ranges.indices.filter { !ranges[$0].isEmpty }
        let operations = engine.pool.target.options.limits.operations
        var (start, most) = (0, min(Self.firstRanges, operations))
        while start < wanted.count {
            // Ranges that are read together are mostly of one kind.
            let lower = layout.lower(ranges[wanted[start]])
            let indices = wanted[start..<min(start + min(most, rangeCount(lower)), wanted.count)]
            let part = EtcdRequest.Part(revision: revision, limit: firstLimit(lower), isReverse: reverse)
            let responses = try readAll(indices.map { (layout.lower(ranges[$0]), layout.upper(ranges[$0])) }, part)
            engine.rangeSizes.add(indices.count, bytes: responses.reduce(0) { $0 + Self.size($1.entries) + 100 }, layout.area(lower))
            for (index, first) in zip(indices, responses) {
                guard try lend(ranges[index], first, part.limit, reverse, to: { body(index, $0, $1) }) else { return }
            }
            (start, most) = (indices.endIndex, operations)
        }
    }

    /// The number of entries in the first page of a range: few if entries of this kind were large.
    private func firstLimit(_ lower: [UInt8]) -> Int {
        min(Self.firstPage, engine.entrySizes.count(in: Self.pageSize, layout.area(lower)) ?? .max)
    }

    /// The number of ranges whose first pages make a page together. Until such pages were read, each is assumed to have one entry.
    private func rangeCount(_ lower: [UInt8]) -> Int {
        let area = layout.area(lower)
        return engine.rangeSizes.count(in: Self.pageSize, area) ?? engine.entrySizes.count(in: Self.pageSize, area) ?? .max
    }

    /// Lends the first page of a range, and what follows it; returns whether `body` wants more.
    private func lend(
        _ range: KeyRange,
        _ first: EtcdReply,
        _ limit: Int,
        _ reverse: Bool,
        to body: (RawSpan, RawSpan) -> Bool
    ) throws(EngineError) -> Bool {
        for entry in first.entries { guard lend(entry, to: body) else { return false } }
        guard first.hasMore, let last = first.entries.last?.key else { return true }
        let limit = Self.nextLimit(limit, first.entries)
        // All pages that follow have the same number of entries, whose sizes the first ones may not tell.
        if reverse { return try lendBackward(layout.lower(range), last, max(8, limit), to: body) }
        return try lendForward(last + [0], layout.upper(range), limit, to: body)
    }

    private func lendForward(
        _ lower: [UInt8],
        _ upper: [UInt8],
        _ limit: Int,
        to body: (RawSpan, RawSpan) -> Bool
    ) throws(EngineError) -> Bool {
        var (lower, limit) = (lower, limit)
        while true {
            let reply = try page(lower, end: upper, limit: limit)
            for entry in reply.entries { guard lend(entry, to: body) else { return false } }
            guard reply.hasMore, let last = reply.entries.last else { return true }
            lower = last.key + [0]
            limit = Self.nextLimit(limit, reply.entries)
        }
    }

    /// etcd reads and sorts a whole range to find the last entries of it. So that happens once, for the first page; then the keys say where pages begin.
    private func lendBackward(
        _ lower: [UInt8],
        _ upper: [UInt8],
        _ count: Int,
        to body: (RawSpan, RawSpan) -> Bool
    ) throws(EngineError) -> Bool {
        var end = upper
        for start in try starts(lower, end, every: count).reversed() {
            var entries: [EtcdReply.Entry] = []
            var next = start
            while true {
                let reply = try page(next, end: end, limit: count)
                entries += reply.entries
                guard reply.hasMore, let last = reply.entries.last else { break }
                next = last.key + [0]
            }
            for entry in entries.reversed() { guard lend(entry, to: body) else { return false } }
            end = start
        }
        return true
    }

    /// The first key of a range, and each one that comes `count` keys later.
    private func starts(_ lower: [UInt8], _ upper: [UInt8], every count: Int) throws(EngineError) -> [[UInt8]] {
        var (starts, position, lower) = ([[UInt8]](), 0, lower)
        while true {
            let reply = try page(lower, end: upper, limit: Self.keysAtOnce, hasKeysOnly: true)
            for entry in reply.entries {
                if position % count == 0 { starts.append(entry.key) }
                position += 1
            }
            guard reply.hasMore, let last = reply.entries.last else { return starts }
            lower = last.key + [0]
        }
    }

    private static func nextLimit(_ limit: Int, _ entries: [EtcdReply.Entry]) -> Int {
        let size = size(entries) / max(1, entries.count)
        return min(largestPage, max(1, pageSize / max(1, size)), limit * 16)
    }

    private static func size(_ entries: [EtcdReply.Entry]) -> Int { entries.reduce(0) { $0 + $1.key.count + $1.value.count + 100 } }

    private func noteSizes(_ entries: [EtcdReply.Entry], _ key: [UInt8]) {
        engine.entrySizes.add(entries.count, bytes: Self.size(entries), layout.area(key))
    }

    private func lend(_ entry: EtcdReply.Entry, to body: (RawSpan, RawSpan) -> Bool) -> Bool {
        let key = unsafe entry.key.span.bytes
        return body(key.extracting(layout.entries.count..<key.byteCount), unsafe entry.value.span.bytes)
    }

    // MARK: Requests

    private func page(
        _ key: [UInt8],
        end: [UInt8]?,
        limit: Int = 0,
        isReverse: Bool = false,
        hasKeysOnly: Bool = false
    ) throws(EngineError) -> EtcdReply {
        do throws(EngineError) {
            let reply = try read("/v3/kv/range", isDivisible: limit > 1 && !hasKeysOnly) { isSerializable in
                let part = EtcdRequest.Part(
                    revision: revision,
                    limit: limit,
                    isReverse: isReverse,
                    hasKeysOnly: hasKeysOnly,
                    isSerializable: isSerializable
                )
                return .object(.range(key, end: end, part))
            } fits: { reply in
                reply.fits(key, end: end, isReverse: isReverse)
            }
            if end != nil { note(reply.entries.count) }
            if !hasKeysOnly { noteSizes(reply.entries, key) }
            return reply
        } catch {
            // The values are larger than expected.
            guard error.code == .tooLarge, limit > 1 else { throw error }
            var smaller = limit / 2
            if !hasKeysOnly {
                // What did not fit, without base64.
                engine.entrySizes.replace(limit, bytes: engine.pool.target.options.largestPage / 4 * 3, layout.area(key))
                smaller = min(smaller, firstLimit(key))
            }
            return try page(key, end: end, limit: smaller, isReverse: isReverse, hasKeysOnly: hasKeysOnly)
        }
    }

    /// Returns the results of several reads, of keys and of ranges, which have an end.
    private func readAll(_ ranges: [(key: [UInt8], end: [UInt8]?)], _ part: EtcdRequest.Part) throws(EngineError) -> [EtcdReply] {
        do throws(EngineError) {
            let replies = try read("/v3/kv/txn", isDivisible: ranges.count > 1 || part.limit > 1) { isSerializable in
                var part = part
                part.isSerializable = isSerializable
                return .object(.list("success", ranges.map { EtcdRequest.operation("request_range", .range($0.key, end: $0.end, part)) }))
            } fits: { reply in
                reply.responses.count == ranges.count
                    && zip(reply.responses, ranges).allSatisfy { $0.fits($1.key, end: $1.end, isReverse: part.isReverse) }
            }.responses
            for (range, reply) in zip(ranges, replies) { noteSizes(reply.entries, range.key) }
            note(zip(ranges, replies).reduce(0) { $0 + ($1.0.end == nil ? 0 : $1.1.entries.count) })
            return replies
        } catch {
            // The values are too large to be read at once.
            guard error.code == .tooLarge, ranges.count > 1 || part.limit > 1 else { throw error }
            guard ranges.count > 1 else {
                var part = part
                part.limit /= 2
                return try readAll(ranges, part)
            }
            let half = ranges.count / 2
            return try readAll(Array(ranges[..<half]), part) + readAll(Array(ranges[half...]), part)
        }
    }

    /// Asks any member or, if that lags behind, one that has heard of all commits.
    ///
    /// - Parameter isDivisible: Whether to give up an answer that is longer than some pages: less can be asked for.
    private func read(
        _ path: StaticString,
        isDivisible: Bool,
        _ request: (_ isSerializable: Bool) -> EtcdRequest,
        fits: (EtcdReply) -> Bool
    ) throws(EngineError) -> EtcdReply {
        func limited(_ request: EtcdRequest) -> EtcdRequest {
            var request = request
            if isDivisible { request.largestAnswer = engine.pool.target.options.largestPage }
            return request
        }
        do throws(EtcdPool.Failure) {
            return try engine.pool.send(path, limited(request(true)), retries: true, fits: fits)
        } catch {
            guard case .error(let cause, _) = error, cause.isFuture else { throw error.engineError("reading", engine.pool.target) }
            return try engine.pool.run(path, limited(request(false)), "reading", fits: fits)
        }
    }
}
