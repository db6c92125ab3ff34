import CairnCore
import CairnEngine

/// A commit as a transaction of etcd.
///
/// ```
/// compare: the store is the same; the name is not there; nothing that was read is newer than a version
/// success: the commit key as it was before; then what the commit writes, its name, and the commit key
/// failure: the name, and the commit key as it is
/// ```
struct EtcdTransaction {
    /// The size of keys and ranges up to which they are compared one by one.
    private static let largestComparisons = 32 << 10
    /// The number of entries that views have read from ranges, up to which ranges are compared: the server reads them while no other commit can be performed.
    private static let mostScanned = 1_000

    let commit: EngineCommit
    let writes: EngineWrites
    private let layout: EtcdLayout
    private let name: [UInt8]
    private let created: UInt64
    private let operations: [EtcdRequest]
    /// The areas of the keys and ranges that are deleted; `nil` if none are.
    private let deleted: EtcdAreas?
    /// The areas of the keys and ranges that were read.
    private let read: EtcdAreas
    /// What was read, compared one by one; `nil` if that is too much: then no other commit may come between.
    private let compared: [Compared]?

    /// A key, or the keys of a range.
    private struct Compared: Hashable {
        let key: [UInt8]
        var end: [UInt8]?
        var size: Int { key.count + (end?.count ?? 0) + 32 }
    }

    /// - Throws: `EngineError.tooLarge`.
    init(_ commit: EngineCommit, _ layout: EtcdLayout, _ limits: EtcdLimits, created: UInt64) throws(EngineError) {
        self.layout = layout
        self.commit = commit
        self.created = created
        let writes = commit.ordered()
        self.writes = writes
        deleted = Self.deletedAreas(writes)
        read = Self.readAreas(commit)
        name = commit.idempotencyID ?? (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
        var builder = Builder(layout: layout)
        builder.add(writes)
        operations = builder.operations
        compared = Self.compared(commit, layout, limits)
        let count = operations.count + EtcdEngine.extraOperations
        guard count <= limits.operations else {
            let message = "the commit has \(count) operations, but the server allows only \(limits.operations) (--max-txn-ops)"
            let remark = "a key that is put into a range that the commit deletes counts twice"
            let remedy = "raise it there, and give it in the URL (max-txn-ops=…)"
            throw EngineError(.tooLarge, "\(message); \(remark); \(remedy)")
        }
        let size = builder.size + EtcdHead.largestChange + Self.largestComparisons + 8192
        guard commit.isEmpty || size <= limits.requestBytes else {
            let message = "the commit takes about \(size) bytes, but the server allows only \(limits.requestBytes) (--max-request-bytes)"
            let remedy = "raise it there, and give it in the URL (max-request-bytes=…)"
            throw EngineError(.tooLarge, "\(message); \(remedy)")
        }
    }

    private static func deletedAreas(_ writes: EngineWrites) -> EtcdAreas? {
        var areas = EtcdAreas()
        for index in 0..<writes.count where writes.value(at: index) == nil { areas.insert(writes.key(at: index)) }
        for range in writes.deletedRanges { areas.insert(range) }
        return areas.bytes?.isEmpty == true ? nil : areas
    }

    private static func readAreas(_ commit: EngineCommit) -> EtcdAreas {
        var areas = EtcdAreas()
        for reads in commit.reads {
            for index in 0..<reads.keys.count { areas.insert(reads.keys[index]) }
            for range in reads.ranges { areas.insert(range) }
        }
        return areas
    }

    private static func compared(_ commit: EngineCommit, _ layout: EtcdLayout, _ limits: EtcdLimits) -> [Compared]? {
        let scanned = commit.reads.reduce(0) { $0 + ($1.ranges.isEmpty ? 0 : ($1.view as? EtcdView)?.scannedCount ?? .max) }
        guard scanned <= mostScanned else { return nil }
        var compared = Set<Compared>()
        for reads in commit.reads {
            compared.formUnion((0..<reads.keys.count).map { Compared(key: layout.entry(reads.keys[$0])) })
            for range in reads.ranges { compared.insert(Compared(key: layout.lower(range), end: layout.upper(range))) }
        }
        // The others: the store, the name, and what was deleted.
        guard compared.count + 3 + EtcdAreas.most <= limits.operations else { return nil }
        return compared.reduce(0) { $0 + $1.size } <= largestComparisons ? Array(compared) : nil
    }

    /// The request that succeeds if nothing that was read is newer than `version`.
    func request(unchangedSince version: EngineVersion, lease: UInt64?) -> EtcdRequest {
        let head = EtcdRequest.operation("request_range", .range(layout.commits))
        var success = [EtcdRequest.operation("request_range", .range(layout.commits, EtcdRequest.Part(hasKeysOnly: true)))] + operations
        if !commit.isEmpty {
            if let deleted { success += ([layout.deletions] + layout.deletions(in: deleted)).map { .put($0, []) } }
            success.append(.put(layout.name(name), [], lease: lease))
            success.append(.put(layout.commits, EtcdHead.value(of: writes)))
        }
        let failure = [EtcdRequest.operation("request_range", .range(layout.name(name))), head]
        return .object(.list("compare", comparisons(version)), .list("success", success), .list("failure", failure))
    }

    /// Whether a reply has what the request asks for, as far as it is needed.
    func isAnswered(by reply: EtcdReply) -> Bool {
        let responses = reply.responses
        if reply.succeeded { return responses.first.map { $0.fits(layout.commits) && $0.entries.count == 1 } ?? false }
        return responses.count == 2 && responses[0].fits(layout.name(name)) && responses[1].fits(layout.commits)
    }

    private func comparisons(_ version: EngineVersion) -> [EtcdRequest] {
        var comparisons = [EtcdRequest.compare(layout.commits, .created, .equal, created)]
        if !commit.isEmpty { comparisons.append(.compare(layout.name(name), .created, .equal, 0)) }
        guard !commit.reads.isEmpty else { return comparisons }
        // Revisions of missing keys are 0. So a deleted key would pass, but then the key of deletions in its area does not.
        let deletions = read.bytes == nil ? [layout.deletions] : layout.deletions(in: read) + [layout.wideDeletions]
        let compared = compared.map { $0 + deletions.map { Compared(key: $0) } } ?? [Compared(key: layout.commits)]
        return comparisons + compared.map { .compare($0.key, end: $0.end, .modified, .less, version.rawValue + 1) }
    }

    /// Makes operations of writes. etcd refuses to put a key into a range that the same transaction deletes, so ranges are cut there.
    private struct Builder {
        let layout: EtcdLayout
        var operations: [EtcdRequest] = []
        /// The approximate size as the server counts it.
        var size = 0

        mutating func add(_ writes: EngineWrites) {
            var index = 0
            for range in writes.deletedRanges {
                var lower = layout.lower(range)
                let upper = layout.upper(range)
                while index < writes.count {
                    let key = layout.entry(writes.key(at: index))
                    guard key.lexicographicallyPrecedes(upper) else { break }
                    let isWithin = !key.lexicographicallyPrecedes(lower)
                    guard let value = writes.value(at: index) else {
                        // The range deletes it.
                        if !isWithin { delete(key) }
                        index += 1
                        continue
                    }
                    if isWithin {
                        if lower != key { delete(lower, end: key) }
                        lower = key + [0]
                    }
                    put(key, [UInt8](copying: value))
                    index += 1
                }
                if lower.lexicographicallyPrecedes(upper) { delete(lower, end: upper) }
            }
            for index in index..<writes.count {
                let key = layout.entry(writes.key(at: index))
                if let value = writes.value(at: index) { put(key, [UInt8](copying: value)) } else { delete(key) }
            }
        }

        private mutating func put(_ key: [UInt8], _ value: [UInt8]) {
            operations.append(.put(key, value))
            size += key.count + value.count + 32
        }

        private mutating func delete(_ key: [UInt8], end: [UInt8]? = nil) {
            operations.append(.delete(key, end: end))
            size += key.count + (end?.count ?? 0) + 32
        }
    }
}
