import CairnCore
import Synchronization

/// Finds out what others commit to a store, by comparing the pages that they wrote in the states before and after. Ends when it is released.
final class CommitFollower: Sendable {
    /// `nil` once it has ended.
    private let state: Mutex<State?>
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let announced: Atomic<UInt64>

    fileprivate struct State: Sendable {
        /// The state up to which everything was announced; `nil` if none could be read yet.
        var view: StoreView?
        /// A later state, once a commit was seen, and what is known about the commits up to its version.
        var next: StoreView?
        fileprivate var news = ExternalChanges()
        /// The version of the latest commit that was noted.
        fileprivate var noted = EngineVersion(rawValue: 0)
    }

    init(_ store: ObjectStore) {
        let view = try? StoreView(store.engine)
        state = Mutex(State(view: view))
        announced = Atomic((view?.version ?? store.engine.latestVersion).rawValue)
    }

    /// The version up to which everything was announced.
    var announcedVersion: EngineVersion { EngineVersion(rawValue: announced.load(ordering: .relaxed)) }

    deinit { task.withLock { $0 }?.cancel() }

    /// Releases the views. Waits for a comparison that is under way.
    func end() { state.withLock { $0 = nil } }

    /// Begins to announce. The store, which retains this, is not retained.
    func start(_ store: ObjectStore) {
        let first = Result { () throws(ObjectStoreError) in try openFeed(store) }
        // Reads from the engine. Does not retain this while it waits, since its view keeps the engine open. Returns whether there is nobody to announce to.
        let take = { @Sendable [weak store, weak self] (change: EngineChange?) async in
            await offPool { [weak store, weak self] () throws(ObjectStoreError) -> Bool in
                guard let store, let self else { return true }
                if let change { self.note(change, store) }
                try self.compare(store)
                return false
            }
        }
        let task = Task.detached { [weak store, weak self] in
            var opened = first
            var pause = Backoff()
            while true {
                // Failures here, such as a server that cannot be reached, are retried.
                while case .failure(let error) = opened {
                    guard error.code != .closed, error.code != .notSupported else { return }
                    do { try await Task.sleep(for: .milliseconds(pause.next())) } catch { return }
                    opened = await offPool { [weak store, weak self] () throws(ObjectStoreError) in
                        guard let store, let self else { return nil }
                        return try self.openFeed(store)
                    }
                }
                guard var feed = try? opened.get() else { return }
                do throws(ObjectStoreError) {
                    while let change = try await feed.next(isolation: nil) {
                        pause = Backoff()
                        var isOver = await take(change)
                        while case .failure(let error) = isOver {
                            guard error.code != .closed else { return }
                            do { try await Task.sleep(for: .milliseconds(pause.next())) } catch { return }
                            isOver = await take(nil)
                        }
                        guard case .success(false) = isOver else { return }
                    }
                    return
                } catch { opened = .failure(error) }
            }
        }
        self.task.withLock { $0 = task }
    }

    /// The commits that were not announced yet; `nil` if this has ended.
    private func openFeed(_ store: ObjectStore) throws(ObjectStoreError) -> CommitFeed? {
        guard let view = state.withLock({ $0.map(\.view) }) else { return nil }
        if let view { return try CommitFeed(store, after: view.version) }
        let now = try StoreView(store.engine)
        let feed = try CommitFeed(store, after: now.version)
        state.withLock { state in if state != nil { state?.view = now } }
        announce(.anything, upTo: now.version, store)
        return feed
    }

    private func note(_ change: EngineChange, _ store: ObjectStore) {
        // A save that has committed notes its version before it releases this.
        store.saving.withLock { _ in }
        let own = store.listeners.withLock { $0.takeOwn(change.version) }
        state.withLock { $0?.note(change, own) }
    }

    /// Announces what others have changed, if that is known now.
    private func compare(_ store: ObjectStore) throws(ObjectStoreError) {
        let (commit, version) = try state.withLock { state throws(ObjectStoreError) in
            let commit = try state?.compare(store.engine)
            return (commit, state?.view?.version)
        }
        announce(commit ?? nil, upTo: version, store)
    }

    private func announce(_ commit: ObjectCommit?, upTo version: EngineVersion?, _ store: ObjectStore) {
        if let commit, !commit.isEmpty { store.listeners.withLock { $0.announce(commit) } }
        if let version { announced.max(version.rawValue, ordering: .relaxed) }
    }
}

extension CommitFollower.State {
    /// Notes a commit, and the objects that it inserted if it is one of this store.
    mutating func note(_ change: EngineChange, _ own: [ObjectID]?) {
        guard let view, change.version > max(view.version, noted) else { return }
        if let own { news.ownInserted.formUnion(own) } else { news.note(change) }
        noted = change.version
    }

    /// Returns what others have changed if all commits between two states are known now.
    ///
    /// - Throws: If no state can be read.
    mutating func compare(_ engine: any StorageEngine) throws(ObjectStoreError) -> ObjectCommit? {
        guard let view, noted > view.version else { return nil }
        let next = if let next { next } else { try StoreView(engine) }
        self.next = next
        guard noted >= next.version else { return nil }
        defer {
            self.view = next
            self.next = nil
            news = ExternalChanges()
        }
        // If the states cannot be compared, for example because one has expired, anything may have changed.
        return (try? news.commit(from: view, to: next)) ?? .anything
    }
}

/// What others have changed between two states.
private struct ExternalChanges: Sendable {
    /// By their first rows.
    private var pages: Set<ObjectID> = []
    private var names: Set<String> = []
    private var isEverything = false
    /// The objects that this store has inserted since the former state; others may have deleted them before the new one.
    var ownInserted: Set<ObjectID> = []

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
                case (nil, nil): if ownInserted.contains(id) { commit.deleted.append(id) }
                case (nil, let count?):
                    // Its insertion was announced when it was saved.
                    if !ownInserted.contains(id) { commit.inserted.append(id) } else if count > 1 { commit.updated.append(id) }
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
