import CairnCore
import Synchronization

/// A save in progress: makes attempts to commit the changes of a context until one succeeds.
struct Save {
    let context: ObjectContext
    let store: ObjectStore
    let work: ContiguousArray<Work>
    /// Whether other contexts may have deleted objects that this one refers to.
    let mayMissTargets: Bool
    let longestChunk: Int
    let largeValues: LargeValue.Limits

    init(_ context: ObjectContext) {
        self.context = context
        store = context.store
        work = Self.work(context.pending)
        mayMissTargets = !context.pending.deleted.isEmpty || store.deletions.load(ordering: .acquiring) != context.ownDeletions
        longestChunk = store.options.longestChunk
        largeValues = LargeValue.Limits(store)
    }

    /// The maximum number of attempts in case of conflicts.
    static var mostAttempts: Int { 1000 }

    func run() throws(ObjectStoreError) {
        var buffers = Buffers()
        var left = Self.mostAttempts
        while true {
            left -= 1
            var attempt = Attempt(self, try StoreView(store.engine))
            try attempt.build(&buffers)
            do throws(EngineError) {
                let version = try store.engine.commit(attempt.commit, durability: store.options.durability)
                return finish(attempt, version)
            } catch {
                // An engine with other writers may report a conflict; then the next attempt reads the state that they left.
                guard error.code == .conflict, left > 0 else { throw ObjectStoreError(error) }
            }
        }
    }

    /// Memory that the records and pages of all attempts use.
    struct Buffers: ~Copyable {
        var writer = RecordWriter()
        var page = PageBuilder()
        var pageBytes: [UInt8] = []
    }

    // MARK: After the commit

    /// Marks the context's changes as saved, and announces them.
    private func finish(_ attempt: borrowing Attempt, _ committed: EngineVersion) {
        for item in work where item.kind == .insert { store.storedClass(number: item.id.classNumber)?.saved(item.id.row) }
        if !context.pending.deleted.isEmpty {
            store.deletions.wrappingAdd(1, ordering: .releasing)
            context.ownDeletions += 1
        }
        let version = store.version.wrappingAdd(1, ordering: .releasing).newValue
        if attempt.storesChunks { store.formatIsRaised(to: StoreHeader.chunks) }
        finishObjects(attempt.outcomes)
        if !attempt.lists.isEmpty { finishLists(attempt, committed, version) }
    }

    private func finishObjects(_ outcomes: ContiguousArray<Outcome>) {
        var commit = ObjectCommit()
        let isHeard = store.hasListeners
        if isHeard { commit.names = Array(context.pending.names.keys) }
        let done = context.pending
        context.pending = PendingChanges()
        // `work` does not retain its objects; these do.
        defer { withExtendedLifetime(done) {} }
        for (index, item) in work.enumerated() {
            if isHeard { Self.note(item, outcomes[index], in: &commit) }
            switch outcomes[index] {
            case .saved(let count): unsafe item.object._$state.saved(count)
            case .yielded:
                unsafe item.object._$state.revert()
                unsafe item.object._$clear()
            case .deleted:
                leave(unsafe item.object)
            }
        }
        // Objects that were inserted and then deleted were never saved.
        for object in done.inserted where object._$state.flags.contains(.deleted) && object._$state.isIn(context.link) {
            leave(object)
        }
        if isHeard { store.announce(commit) }
    }

    private func leave(_ object: any StoredObject) {
        context.forgetRelations(of: object)
        object._$state.depart()
        context.undoIfAny?.didLeave(object)
    }

    private static func note(_ item: Work, _ outcome: Outcome, in commit: inout ObjectCommit) {
        switch (outcome, item.kind) {
        case (.yielded, _): break
        case (.deleted, _): commit.deleted.append(item.id)
        case (.saved, .insert): commit.inserted.append(item.id)
        case (.saved, _): commit.updated.append(item.id)
        }
    }

    /// Marks the long lists as saved. They are read from the new state from now on, so that the former ones can go.
    private func finishLists(_ attempt: borrowing Attempt, _ committed: EngineVersion, _ version: UInt64) {
        var views: ListViews?
        // An engine with other writers may have another state already.
        if let view = try? StoreView(store.engine), view.version == committed {
            context.read(from: view, version)
            views = try? context.listViews()
        }
        for (index, collection) in attempt.lists {
            if case .saved(let count) = attempt.outcomes[index] { collection.saved(count, views) }
        }
    }
}
