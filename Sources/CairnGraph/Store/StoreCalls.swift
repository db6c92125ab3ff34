import CairnCore
import Synchronization

/// A call of an object store, for watchers.
package struct StoreCall: Sendable {
    package enum Kind: String, Sendable { case save, fetch }

    package let kind: Kind
    /// The class that was fetched.
    package let className: String?
    /// How many changed objects were to be saved, or how many objects were found; 0 if that failed.
    package let objectCount: Int
    package let duration: Duration
    /// Why it failed.
    package let error: ObjectStoreError.Code?
}

/// Measures saves and fetches while anybody watches them. Otherwise, a call costs one check.
final class StoreCalls: Sendable {
    private let isWatched = Atomic(false)
    private let state = Mutex(State())
    private let saves = Total(), fetches = Total()

    private struct State {
        var watchers: [Int: Watcher] = [:]
        var made = 0
        /// The lowest threshold of all watchers.
        var threshold: Duration { watchers.values.map(\.threshold).min() ?? .zero }
    }

    private struct Watcher {
        let threshold: Duration
        let report: @Sendable (StoreCall) -> Void
    }

    /// The calls of a kind that were measured.
    private final class Total: Sendable {
        let count = Atomic<UInt64>(0)
        let nanoseconds = Atomic<UInt64>(0)

        func add(_ duration: Duration) {
            count.wrappingAdd(1, ordering: .relaxed)
            nanoseconds.wrappingAdd(UInt64(clamping: duration.clampedNanoseconds), ordering: .relaxed)
        }
    }

    /// Calls `body`, and reports it to watchers.
    ///
    /// - Parameters:
    ///   - type: The class that is fetched.
    ///   - count: The number of objects.
    @inline(__always)
    func measure<Value>(
        _ kind: StoreCall.Kind,
        _ type: (any StoredObject.Type)? = nil,
        count: (Value) -> Int,
        _ body: () throws(ObjectStoreError) -> Value
    ) throws(ObjectStoreError) -> Value {
        guard isWatched.load(ordering: .relaxed) else { return try body() }
        return try measureWatched(kind, type, count, body)
    }

    @inline(never)
    private func measureWatched<Value>(
        _ kind: StoreCall.Kind,
        _ type: (any StoredObject.Type)?,
        _ count: (Value) -> Int,
        _ body: () throws(ObjectStoreError) -> Value
    ) throws(ObjectStoreError) -> Value {
        let start = ContinuousClock.now
        do throws(ObjectStoreError) {
            let value = try body()
            ended(kind, type, start, nil) { count(value) }
            return value
        } catch {
            ended(kind, type, start, error.code) { 0 }
            throw error
        }
    }

    private func ended(
        _ kind: StoreCall.Kind,
        _ type: (any StoredObject.Type)?,
        _ start: ContinuousClock.Instant,
        _ error: ObjectStoreError.Code?,
        _ count: () -> Int
    ) {
        let duration = start.duration(to: .now)
        (kind == .save ? saves : fetches).add(duration)
        guard duration >= leastThreshold else { return }
        let watchers = state.withLock { state in state.watchers.values.filter { duration >= $0.threshold } }
        guard !watchers.isEmpty else { return }
        let name = type.map { $0.objectSchema.name }
        let call = StoreCall(kind: kind, className: name, objectCount: count(), duration: duration, error: error)
        for watcher in watchers { watcher.report(call) }
    }

    // MARK: Watching

    private let leastNanoseconds = Atomic<Int64>(0)
    private var leastThreshold: Duration { .nanoseconds(leastNanoseconds.load(ordering: .relaxed)) }

    fileprivate func add(_ threshold: Duration, _ report: @escaping @Sendable (StoreCall) -> Void) -> Int {
        state.withLock { state in
            state.made += 1
            state.watchers[state.made] = Watcher(threshold: threshold, report: report)
            update(state)
            return state.made
        }
    }

    fileprivate func remove(_ number: Int) {
        state.withLock { state in
            state.watchers[number] = nil
            update(state)
        }
    }

    private func update(_ state: State) {
        leastNanoseconds.store(state.threshold.clampedNanoseconds, ordering: .relaxed)
        isWatched.store(!state.watchers.isEmpty, ordering: .relaxed)
    }

    fileprivate var totals: StoreCallTotals {
        StoreCallTotals(
            saves: saves.count.load(ordering: .relaxed),
            saveNanoseconds: saves.nanoseconds.load(ordering: .relaxed),
            fetches: fetches.count.load(ordering: .relaxed),
            fetchNanoseconds: fetches.nanoseconds.load(ordering: .relaxed)
        )
    }
}

/// The number of calls that were measured, and their total duration.
package struct StoreCallTotals: Sendable, Hashable {
    package let saves: UInt64, saveNanoseconds: UInt64
    package let fetches: UInt64, fetchNanoseconds: UInt64
}

/// Watches the calls of a store until it is released.
package final class StoreCallWatch: Sendable {
    private let store: ObjectStore
    private let number: Int

    fileprivate init(_ store: ObjectStore, _ number: Int) {
        self.store = store
        self.number = number
    }

    deinit { store.calls.remove(number) }
}

extension ObjectStore {
    /// Calls `report` after each save and fetch that took at least `threshold`, on the thread that made it, which waits. While calls are watched, all are
    /// counted (``callTotals``).
    package func watchCalls(slowerThan threshold: Duration, _ report: @escaping @Sendable (StoreCall) -> Void) -> StoreCallWatch {
        StoreCallWatch(self, calls.add(threshold, report))
    }

    /// The calls made while somebody watched.
    package var callTotals: StoreCallTotals { calls.totals }
}
