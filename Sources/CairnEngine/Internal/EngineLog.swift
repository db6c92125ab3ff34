import CairnCore
import Synchronization

/// The latest commits of an engine, kept for followers: their versions and keys.
///
/// Keeps keys up to a number of bytes; for a commit that would take more than half of that, only the version. Can be used from any thread.
package final class EngineLog: Sendable {
    private let state: Mutex<State>

    fileprivate struct State {
        /// The commits after `floor`, in order; those before `first` have been discarded.
        var changes: [EngineChange] = []
        var first = 0
        var floor: EngineVersion
        var newest: EngineVersion
        var size = 0
        let capacity: Int
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var waits = 0
        var isClosed = false
    }

    /// Makes a log of the commits after `version`.
    package init(after version: EngineVersion, capacity: ByteCount = .mebibytes(1)) {
        state = Mutex(State(floor: version, newest: version, capacity: Int(capacity.bytes)))
    }

    /// The version of the latest commit.
    package var newest: EngineVersion { state.withLock { $0.newest } }

    /// Adds a commit that wrote something, unless it is known.
    package func append(_ writes: EngineWrites, version: EngineVersion) { add(version) { $0.change(writes, version) } }

    /// Adds a commit, unless it is known.
    package func append(_ change: EngineChange) { add(change.version) { _ in change } }

    /// Adds commits up to `version` with unknown content, unless they are already known.
    package func appendUnknown(upTo version: EngineVersion) { add(version) { _ in EngineChange(everythingUpTo: version) } }

    private func add(_ version: EngineVersion, _ change: (State) -> EngineChange) {
        let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
            guard version > state.newest else { return [] }
            state.append(change(state))
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Ends all sequences, after they have returned the commits that are kept.
    package func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The commits after `version`, or from now on.
    package func changes(after version: EngineVersion?) -> EngineChanges {
        EngineChanges(after: version ?? newest) { version in await self.change(after: version) }
    }

    /// Throws `conflict` unless everything read is unchanged in `now`. Returns immediately if the commits since are known not to have written it.
    ///
    /// - Parameter isOwn: Whether `reads` were made in a view of this log's engine.
    package func check(_ reads: EngineReads, against now: any EngineView, isOwn: Bool) throws(EngineError) {
        if isOwn, reads.view.version == now.version || !mayHaveTouched(reads, after: reads.view.version) { return }
        try reads.check(against: now)
    }

    /// Whether commits after `version` may have written what was read. Returns `true` if finding out would take long.
    package func mayHaveTouched(_ reads: EngineReads, after version: EngineVersion) -> Bool {
        guard let changes = state.withLock({ $0.changes(after: version, atMost: 64) }) else { return true }
        return changes.contains { change in
            change.isEverything || reads.ranges.contains { change.touches($0) }
                || (0..<reads.keys.count).contains { change.touches(reads.keys[$0]) }
        }
    }

    /// Whether commits after `version`, up to `end`, may have written to a range. Returns `true` if finding out would take long.
    package func mayHaveTouched(_ range: KeyRange, after version: EngineVersion, upTo end: EngineVersion) -> Bool {
        let changes = state.withLock { $0.newest >= end ? $0.changes(after: version, atMost: 64) : nil }
        return changes?.contains { $0.isEverything || $0.touches(range) } ?? true
    }

    /// A key that was read and that commits after `version` have written, if it is known.
    package func touchedKey(_ reads: EngineReads, after version: EngineVersion) -> [UInt8]? {
        guard let changes = state.withLock({ $0.changes(after: version, atMost: 64) }) else { return nil }
        for change in changes where !change.isEverything {
            for index in 0..<reads.keys.count where change.touches(reads.keys[index]) { return [UInt8](copying: reads.keys[index]) }
            for range in reads.ranges {
                let index = unsafe change.keys.firstIndex(notBefore: range.lowerBound.span.bytes)
                if index < change.keys.count, range.contains(change.keys[index]) { return [UInt8](copying: change.keys[index]) }
            }
        }
        return nil
    }

    // MARK: Following

    fileprivate enum Next { case change(EngineChange), wait, end }

    private func change(after version: EngineVersion) async -> EngineChange? {
        while !Task.isCancelled {
            switch state.withLock({ $0.next(after: version) }) {
            case .change(let change): return change
            case .end: return nil
            case .wait: await wait(after: version)
            }
        }
        return nil
    }

    /// Waits until something may have changed.
    private func wait(after version: EngineVersion) async {
        let number = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    guard case .wait = state.next(after: version) else { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}

extension EngineLog.State {
    fileprivate func change(_ writes: EngineWrites, _ version: EngineVersion) -> EngineChange {
        guard writes.keyByteCount + writes.count * 8 <= capacity / 2 else { return EngineChange(everythingUpTo: version) }
        var keys = KeyList()
        for index in 0..<writes.count { keys.append(writes.key(at: index)) }
        keys.isSorted = true
        return EngineChange(version: version, keys: keys, deletedRanges: writes.deletedRanges)
    }

    fileprivate mutating func append(_ change: EngineChange) {
        changes.append(change)
        newest = change.version
        size += Self.size(of: change)
        while size > capacity, first < changes.count - 1 {
            size -= Self.size(of: changes[first])
            floor = changes[first].version
            first += 1
        }
        if first > 1000, first > changes.count / 2 {
            changes.removeFirst(first)
            first = 0
        }
    }

    /// The approximate memory use of a commit.
    private static func size(of change: EngineChange) -> Int {
        let ranges = change.deletedRanges.reduce(0) { $0 + $1.boundsSize + 64 }
        return 100 + change.keys.byteCount + change.keys.count * 8 + ranges
    }

    private func index(after version: EngineVersion) -> Int {
        var low = first
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].version <= version { low = middle + 1 } else { high = middle }
        }
        return low
    }

    fileprivate func next(after version: EngineVersion) -> EngineLog.Next {
        if version == newest { return isClosed ? .end : .wait }
        if version < floor || version > newest { return .change(EngineChange(everythingUpTo: newest)) }
        return .change(changes[index(after: version)])
    }

    /// The commits after `version`; `nil` if some have been discarded, or there are more than `limit`.
    fileprivate func changes(after version: EngineVersion, atMost limit: Int) -> ArraySlice<EngineChange>? {
        guard version >= floor, version <= newest else { return nil }
        let start = index(after: version)
        return changes.count - start <= limit ? changes[start...] : nil
    }
}
