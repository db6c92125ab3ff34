import CairnCore
import CairnObjects
import Synchronization

/// An engine with one defect, to see whether the checks find it.
final class WrongEngine: StorageEngine {
    enum Defect: String, CaseIterable, Sendable {
        case viewsFollow, viewsLag, versionsStay, latestVersionLags, emptyMeansMissing, multiGetSorts, endsIncluded, startsExcluded
        case reverseIsForward, neverStops, mixesThreads, sortsRanges, cutsRanges, confusesRanges, neverStopsBetweenRanges
        case losesDeletions, losesRangeDeletions, firstWriteWins, rangesLast, tornLargeCommits
        case ignoresReadKeys, ignoresReadRanges, overlooksInsertions, failedCommitsWrite
        case ignoresLimits, closesUnderViews, staysOpen, refusesToCloseTwice, skipsChanges, inventsChanges, neverEndsChanges
    }

    let limits: EngineLimits
    let defect: Defect
    let inner: MemoryEngine

    init(_ defect: Defect) {
        self.defect = defect
        var limits = EngineLimits()
        limits.maximumKeySize = 1000
        limits.maximumValueSize = 10_000
        limits.maximumCommitOperations = 70_000
        limits.maximumCommitSize = 20_000_000
        self.limits = limits
        inner = MemoryEngine(limits: defect == .ignoresLimits ? EngineLimits() : limits)
    }

    var isReadOnly: Bool { false }
    var latestVersion: EngineVersion {
        EngineVersion(rawValue: inner.latestVersion.rawValue - (defect == .latestVersionLags && inner.latestVersion.rawValue > 10 ? 1 : 0))
    }
    var readsInParallel: Bool { true }
    /// How many scans are under way.
    let scans = Atomic(0)

    func makeView() throws(EngineError) -> any EngineView { WrongView(engine: self, inner: try inner.makeView()) }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        do throws(EngineError) {
            let version = try inner.commit(spoilt(commit), durability: durability)
            return defect == .versionsStay ? EngineVersion(rawValue: 0) : version
        } catch {
            if defect == .failedCommitsWrite, error.code == .conflict || error.code == .tooLarge, let first = firstWrite(of: commit) {
                try inner.commit(first, durability: durability)
            }
            throw error
        }
    }

    private func firstWrite(of commit: EngineCommit) -> EngineCommit? {
        let writes = commit.ordered()
        guard writes.count > 0 else { return nil }
        var first = EngineCommit()
        if let value = writes.value(at: 0) { first.put(value, for: writes.key(at: 0)) } else { first.delete(writes.key(at: 0)) }
        return first
    }

    private func spoilt(_ commit: EngineCommit) throws(EngineError) -> EngineCommit {
        let writes = commit.ordered()
        var spoilt = EngineCommit()
        var seen: [[UInt8]: [UInt8]] = [:]
        if defect == .firstWriteWins {
            // What was there stays.
            let view = try inner.makeView()
            for index in 0..<writes.count {
                let key = [UInt8](copying: writes.key(at: index))
                seen[key] = try view.get(key)
            }
        }
        if defect != .losesRangeDeletions, defect != .rangesLast { for range in writes.deletedRanges { spoilt.deleteRange(range) } }
        for index in 0..<writes.count {
            if defect == .tornLargeCommits, index > 30_000 { break }
            if let value = writes.value(at: index) {
                spoilt.put(seen[[UInt8](copying: writes.key(at: index))] ?? [UInt8](copying: value), for: writes.key(at: index))
            } else if defect != .losesDeletions {
                spoilt.delete(writes.key(at: index))
            }
        }
        if defect == .rangesLast { for range in writes.deletedRanges { spoilt.deleteRange(range) } }
        for reads in commit.reads {
            guard let view = reads.view as? WrongView else { continue }
            if defect != .ignoresReadKeys { for index in 0..<reads.keys.count { spoilt.read(reads.keys[index], in: view.inner) } }
            guard defect != .ignoresReadRanges else { continue }
            for range in reads.ranges {
                guard defect == .overlooksInsertions else {
                    spoilt.read(range, in: view.inner)
                    continue
                }
                for entry in try view.inner.entries(range) { spoilt.read(entry.key, in: view.inner) }
            }
        }
        return spoilt
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        let defect = defect
        let follower = Follower(try inner.changes(after: version))
        let newest = try inner.makeView().version
        return EngineChanges(after: version ?? newest) { version async throws(EngineError) in
            if defect == .skipsChanges { _ = try await follower.next() }
            if defect == .inventsChanges { return EngineChange(version: EngineVersion(rawValue: version.rawValue + 1), keys: ["a"]) }
            let next = try await follower.next()
            return next == nil && defect == .neverEndsChanges ? EngineChange(everythingUpTo: version) : next
        }
    }

    /// What is left of the changes.
    private actor Follower {
        private var rest: EngineChanges.AsyncIterator

        init(_ changes: EngineChanges) { rest = changes.makeAsyncIterator() }

        func next() async throws(EngineError) -> EngineChange? {
            var iterator = rest
            defer { rest = iterator }
            return try await iterator.next()
        }
    }

    func close() throws(EngineError) {
        if defect == .staysOpen { return }
        if defect == .refusesToCloseTwice, (try? inner.makeView()) == nil { throw EngineError(.closed, "it is already closed") }
        do throws(EngineError) { try inner.close() } catch { guard defect == .closesUnderViews else { throw error } }
    }
}

final class WrongView: EngineView {
    let engine: WrongEngine
    let inner: any EngineView

    init(engine: WrongEngine, inner: any EngineView) {
        self.engine = engine
        self.inner = inner
    }

    var version: EngineVersion { engine.defect == .versionsStay ? EngineVersion(rawValue: 0) : inner.version }

    private func seen() throws(EngineError) -> any EngineView {
        guard engine.defect == .viewsFollow else { return inner }
        return try engine.inner.makeView()
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        if engine.defect == .viewsLag, version.rawValue == 1 { return false }
        guard let value = try seen().get(key), engine.defect != .emptyMeansMissing || !value.isEmpty else { return false }
        value.withBytes(body)
        return true
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        let view = try seen()
        guard engine.defect == .multiGetSorts else { return try view.lendValues(for: keys, to: body) }
        let sorted = KeyList((0..<keys.count).map { [UInt8](copying: keys[$0]) }.sorted { $0.lexicographicallyPrecedes($1) })
        try view.lendValues(for: sorted, to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        var range = range
        if engine.defect == .endsIncluded, let end = range.upperBound { range.upperBound = end + [0] }
        if engine.defect == .startsExcluded { range.lowerBound += [0] }
        let goesOn = engine.defect == .neverStops
        engine.scans.wrappingAdd(1, ordering: .relaxed)
        defer { engine.scans.wrappingSubtract(1, ordering: .relaxed) }
        try seen().lendEntries(in: range, reverse: reverse && engine.defect != .reverseIsForward) { key, value in
            if engine.defect == .mixesThreads, engine.scans.load(ordering: .relaxed) > 1 { return true }
            return body(key, value) || goesOn
        }
    }

    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        guard [.sortsRanges, .cutsRanges, .confusesRanges, .neverStopsBetweenRanges].contains(engine.defect) else {
            return try lendOneByOne(ranges, reverse: reverse, to: body)
        }
        let numbered = ranges.enumerated().map { (index: $0, range: $1) }
        let sorted = numbered.sorted { $0.range.lowerBound.lexicographicallyPrecedes($1.range.lowerBound) }
        let ordered = engine.defect == .sortsRanges ? sorted : numbered
        var wasLast = false
        for (index, range) in ordered {
            var count = 0
            try lendEntries(in: range, reverse: reverse) { key, value in
                count += 1
                if engine.defect == .cutsRanges, count > 1000 { return false }
                wasLast = !body(engine.defect == .confusesRanges ? index % 256 : index, key, value)
                return !wasLast
            }
            if wasLast, engine.defect != .neverStopsBetweenRanges { return }
        }
    }
}
