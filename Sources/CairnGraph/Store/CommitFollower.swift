import CairnCore
import Synchronization

/// Finds out what others commit to a store, by comparing the pages that they wrote in the states before and after. Ends when it is released.
final class CommitFollower: Sendable {
    /// `nil` once it has ended.
    private let state: Mutex<State?>
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let announced: Atomic<UInt64>

    fileprivate struct State: Sendable {
        /// The state up to which everything was announced.
        var view: StoreView
        /// A later one, once a commit was seen; what is known of the commits up to its version.
        var next: StoreView?
        fileprivate var news = ExternalChanges()
    }

    init(_ store: ObjectStore) throws(ObjectStoreError) {
        let view = try StoreView(store.engine)
        state = Mutex(State(view: view))
        announced = Atomic(view.version.rawValue)
    }

    /// The version up to which everything was announced.
    var announcedVersion: EngineVersion { EngineVersion(rawValue: announced.load(ordering: .relaxed)) }

    deinit { task.withLock { $0 }?.cancel() }

    /// Releases the views. Waits for a comparison that is under way.
    func end() { state.withLock { $0 = nil } }

    /// Begins to announce. The store, which retains this, is not retained.
    func start(_ store: ObjectStore) {
        guard let version = state.withLock({ $0?.view.version }), let feed = try? CommitFeed(store, after: version) else { return }
        let task = Task.detached { [weak store, weak self] in
            var feed = feed
            while let change = try? await feed.next(isolation: nil) {
                // Reads from the engine. Is not retained while it waits, since its view keeps the engine open.
                let isOver = await offPool { [weak store, weak self] in
                    guard let store, let self else { return true }
                    self.note(change, store)
                    return false
                }
                guard case .success(false) = isOver else { return }
            }
        }
        self.task.withLock { $0 = task }
    }

    private func note(_ change: EngineChange, _ store: ObjectStore) {
        // A save that has committed notes its version before it releases this.
        store.saving.withLock { _ in }
        let isOwn = store.listeners.withLock { $0.takeOwn(change.version) }
        let (commit, version) = state.withLock { state in (state?.note(change, isOwn: isOwn, store.engine), state?.view.version) }
        if let commit, !commit.isEmpty {
            store.listeners.withLock { listeners in for listener in listeners.all { listener.yield(commit) } }
        }
        if let version { announced.max(version.rawValue, ordering: .relaxed) }
    }
}

extension CommitFollower.State {
    /// Notes a commit; returns what others have changed if all commits between two states are known now.
    mutating func note(_ change: EngineChange, isOwn: Bool, _ engine: any StorageEngine) -> ObjectCommit? {
        guard change.version > view.version else { return nil }
        if !isOwn { news.note(change) }
        if next == nil { next = try? StoreView(engine) }
        guard let next, change.version >= next.version else { return nil }
        defer {
            view = next
            self.next = nil
            news = ExternalChanges()
        }
        // What cannot be compared, such as states that have expired, may be anything.
        return (try? news.commit(from: view, to: next)) ?? .anything
    }
}

/// What others have changed between two states.
private struct ExternalChanges: Sendable {
    /// By their first rows.
    private var pages: Set<ObjectID> = []
    private var names: Set<String> = []
    private var isEverything = false

    mutating func note(_ change: EngineChange) {
        let names = KeyRange(prefix: [Keyspace.nameKind])
        guard change.forEachPage(of: nil, { pages.insert($0) }), !change.deletedRanges.contains(where: { $0.overlaps(names) }) else {
            isEverything = true
            return
        }
        change.forEachKey(in: names) { key in
            self.names.insert(String(decoding: [UInt8](copying: key.extracting(droppingFirst: 1)), as: UTF8.self))
        }
    }

    func commit(from former: StoreView, to new: StoreView) throws(ObjectStoreError) -> ObjectCommit {
        guard !isEverything else { return .anything }
        var commit = ObjectCommit()
        commit.isExternal = true
        commit.names = Array(names)
        for page in pages.sorted() {
            let (before, after) = (try former.changeCounts(page), try new.changeCounts(page))
            for id in page.rowsOfPage {
                switch (before[id], after[id]) {
                case (nil, nil): break
                case (nil, _): commit.inserted.append(id)
                case (_, nil): commit.deleted.append(id)
                case (let count, let newCount): if count != newCount { commit.updated.append(id) }
                }
            }
        }
        return commit
    }
}

extension StoreView {
    /// How often each object of a page was saved.
    fileprivate func changeCounts(_ page: ObjectID) throws(ObjectStoreError) -> [ObjectID: UInt32] {
        var counts: [ObjectID: UInt32] = [:]
        var large: [ObjectID] = []
        let key = Keyspace.page(page.classNumber, ObjectPage.page(of: page.row))
        _ = unsafe try lendValue(for: key.span.bytes) { bytes in
            _ = ObjectPage.forEach(bytes) { slot, record in
                let id = ObjectID(class: page.classNumber, row: page.row + UInt64(slot))
                if record.isEmpty { large.append(id) } else { counts[id] = ObjectRecord.Header(record)?.changeCount ?? 0 }
            }
        }
        for id in large {
            let key = Keyspace.large(id)
            _ = unsafe try lendValue(for: key.span.bytes) { counts[id] = ObjectRecord.Header($0)?.changeCount ?? 0 }
        }
        return counts
    }
}

extension ObjectCommit {
    fileprivate static var anything: ObjectCommit {
        var commit = ObjectCommit()
        (commit.isExternal, commit.isEverything) = (true, true)
        return commit
    }

    fileprivate var isEmpty: Bool { !isEverything && inserted.isEmpty && updated.isEmpty && deleted.isEmpty && names.isEmpty }
}
