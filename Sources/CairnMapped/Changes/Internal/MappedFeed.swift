import CCairn
import CairnCore
import Dispatch
import Synchronization

/// Follows the records of a store while there are listeners: the log is the list of changes.
///
/// One thread waits for the bell in the header, which writers of all processes ring. Only it wakes listeners; others may read ahead
/// (``catchUp(_:)``). It holds neither store nor mapping while it runs listeners' code, so that this code may do anything, including closing the
/// store.
final class MappedFeed: Sendable {
    /// How long until a writer that died between its change and the bell is noticed.
    private static let longestWait: UInt64 = 1_000_000_000
    /// How often to check that the path still leads to the file.
    private static let placeInterval = Duration.seconds(1)
    /// How long a store waits if its processes cannot ring.
    private static let pollingInterval: DispatchTimeInterval = .milliseconds(25)

    private let state = Mutex(State())
    /// Wakes the thread of a store that is open for reading only.
    private let nudges = DispatchSemaphore(value: 0)

    private struct State {
        var listeners: [Int: MappedListener] = [:]
        var made = 0
        var place: Place?
        /// Whether listeners were given changes but not woken.
        var hasNews = false
        var isRunning = false
        /// Whether the thread waits, and holds a mapping.
        var isWaiting = false
        var isClosed = false
        var lastPlaceCheck = ContinuousClock.now
        var forkCount = cairn_fork_count()
    }

    /// How far the records of a store were read.
    private struct Place {
        var view: MappedView
        var offset: Int

        init(_ view: MappedView, _ offset: Int) {
            self.view = view
            self.offset = offset
            // Before the records are examined: either we see a change, or its maker sees us.
            if view.isWritable { unsafe view.header.addWaiter() }
            atomicMemoryFence(ordering: .sequentiallyConsistent)
        }

        func leave() {
            if view.isWritable { unsafe view.header.removeWaiter() }
        }
    }

    // MARK: Listeners

    /// Reports every change from now on to `listener`; returns the number to pass to ``remove(_:)``.
    func add(_ listener: MappedListener, _ store: MappedStore) throws(MappedStoreError) -> Int {
        let (number, starts) = try withRecordsRead(store) { state throws(MappedStoreError) -> (Int, Bool) in
            guard !state.isClosed else { throw store.closedError }
            if state.place == nil {
                let view = try store.presentView()
                state.place = unsafe Place(view, view.header.end)
            }
            state.made += 1
            state.listeners[state.made] = listener
            defer { state.isRunning = true }
            return (state.made, !state.isRunning)
        }
        if starts {
            let isStarted = startThread { [weak store, self] in
                while waitForNews() {
                    if let store { report(store) }
                }
            }
            guard isStarted else {
                state.withLock { $0.isRunning = false }
                remove(number)
                throw MappedStoreError(.ioError, "could not follow the changes of \(store.path): no thread could be started")
            }
        }
        return number
    }

    func remove(_ number: Int) {
        state.withLock { state in
            forgetParent(&state)
            state.listeners[number] = nil
            if state.listeners.isEmpty { abandon(&state) }
        }
    }

    /// Ends all listening, and returns when no mapping is in use any more.
    func close() {
        let listeners = state.withLock { state in
            forgetParent(&state)
            state.isClosed = true
            defer { state.listeners = [:] }
            abandon(&state)
            return Array(state.listeners.values)
        }
        for listener in listeners {
            listener.finish(.success(()))
            listener.wake()
        }
        // The thread has been woken, and runs no listener's code in this state.
        while state.withLock({ $0.isWaiting }) { MappedStore.yield() }
    }

    /// Reads what was written since the last time; the thread reports it.
    func catchUp(_ store: MappedStore) {
        do throws(MappedStoreError) { try withRecordsRead(store) { _ in } } catch { fail(error) }
    }

    // MARK: The thread

    private enum Wait { case none, bell(MappedView, UInt32), poll }

    /// Waits until something may have happened; returns `false` if there are no listeners any more.
    private func waitForNews() -> Bool {
        let wait = state.withLock { state -> Wait? in
            if state.hasNews { return Wait.none }
            guard let place = state.place, !state.listeners.isEmpty else {
                state.isRunning = false
                return nil
            }
            // The count is read before the records: writers ring for anything written after this.
            let header = unsafe place.view.header
            let count = unsafe header.bellCount
            if unsafe header.end != place.offset || header.state == SharedHeader.State.replaced { return Wait.none }
            guard place.view.isWritable else { return .poll }
            state.isWaiting = true
            return .bell(place.view, count)
        }
        guard let wait else { return false }
        listen(wait)
        state.withLock { $0.isWaiting = false }
        return true
    }

    private func listen(_ wait: consuming Wait) {
        switch consume wait {
        case .none: break
        case .bell(let view, let count): unsafe view.header.wait(after: count, nanoseconds: Self.longestWait)
        case .poll: _ = nudges.wait(timeout: .now() + Self.pollingInterval)
        }
    }

    /// Reads what was written, and wakes the listeners.
    private func report(_ store: MappedStore) {
        catchUp(store)
        if let error = lostPlace(store) { fail(error) }
        let listeners = state.withLock { state -> [MappedListener] in
            defer { state.hasNews = false }
            return state.hasNews ? Array(state.listeners.values) : []
        }
        for listener in listeners { listener.wake() }
    }

    /// Returns the error if others removed or replaced the file; checks only once in a while.
    private func lostPlace(_ store: MappedStore) -> MappedStoreError? {
        let isDue = state.withLock { state in
            guard state.place != nil, ContinuousClock.now - state.lastPlaceCheck >= Self.placeInterval else { return false }
            state.lastPlaceCheck = .now
            return true
        }
        guard isDue, let view = try? store.presentView() else { return nil }
        return store.notePlace(view)
    }

    private func nudge(_ state: State) {
        guard let view = state.place?.view else { return }
        if view.isWritable { unsafe view.header.ring() } else { nudges.signal() }
    }

    /// Stops following the records.
    private func abandon(_ state: inout State) {
        nudge(state)
        state.place?.leave()
        state.place = nil
    }

    /// After a fork: the thread and the listeners are the parent's, and so is the thread's count in the header.
    private func forgetParent(_ state: inout State) {
        let count = cairn_fork_count()
        guard state.forkCount != count else { return }
        state = State(made: state.made, isClosed: state.isClosed, forkCount: count)
    }

    // MARK: Reading

    /// Runs `body` when the current listeners have been given everything that was written.
    ///
    /// Operations that may wait for writers run without our lock, because the writers' closures may need it.
    private func withRecordsRead<Result>(
        _ store: MappedStore,
        _ body: (inout State) throws(MappedStoreError) -> Result
    ) throws(MappedStoreError) -> Result {
        while true {
            _ = try store.currentView()
            let result = try state.withLock { state throws(MappedStoreError) -> Result? in
                forgetParent(&state)
                defer { if state.hasNews { nudge(state) } }
                return try advance(&state, store) ? try body(&state) : nil
            }
            if let result { return result }
        }
    }

    /// The records can no longer be followed.
    private func fail(_ error: MappedStoreError) {
        state.withLock { state in
            guard state.place != nil else { return }
            for listener in state.listeners.values { listener.finish(error.code == .closed ? .success(()) : .failure(error)) }
            state.hasNews = true
            abandon(&state)
        }
    }

    /// Gives the listeners the changes made since, in this file and in the one that replaced it; returns `false` if this process has not found that one yet.
    private func advance(_ state: inout State, _ store: MappedStore) throws(MappedStoreError) -> Bool {
        while var place = state.place {
            let header = unsafe place.view.header
            // In this order: the end of a replaced file is final.
            let fileState = unsafe header.state
            try read(&place, &state, store)
            state.place = place
            guard fileState != SharedHeader.State.current else { return true }
            let view = try store.presentView()
            guard view.file !== place.view.file else { return fileState != SharedHeader.State.replaced }
            try read(&place, &state, store)
            let isNext = unsafe view.header.tailSequence == header.totals.sequence
            if !isNext { give(.everything, &state) }
            let new = unsafe Place(view, isNext ? view.header.tailStart : view.header.end)
            place.leave()
            state.place = new
        }
        return true
    }

    private func read(_ place: inout Place, _ state: inout State, _ store: MappedStore) throws(MappedStoreError) {
        let end = unsafe place.view.header.end
        guard end != place.offset else { return }
        if end > place.view.length {
            let view = try store.presentView()
            place.view = view.file === place.view.file && view.length >= end ? view : try store.enlarged(place.view, to: end)
        }
        let view = place.view
        while place.offset < end, let record = view.record(at: place.offset), record.end <= end, view.isIntact(record) {
            if !record.isTable {
                guard let key = store.key(of: record, view) else { break }
                give(record.isRemoved ? .removed(key) : .set(key), &state)
            }
            place.offset = record.end
        }
        guard view.isIntact else { throw store.truncatedError }
        if place.offset != end { give(.everything, &state) }
        place.offset = end
    }

    private func give(_ change: MappedChange, _ state: inout State) {
        for listener in state.listeners.values { listener.add(change) }
        state.hasNews = true
    }
}
