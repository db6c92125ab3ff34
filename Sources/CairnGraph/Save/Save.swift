import CairnCore
import Synchronization

/// An attempt to save the changes of a context.
struct Save {
    let context: ObjectContext
    let store: ObjectStore
    let work: ContiguousArray<Work>
    /// The state of the store that the commit is built on.
    let view: StoreView
    private let isFirst: Bool
    /// Whether other contexts may have deleted objects that this one refers to.
    let mayMissTargets: Bool
    let longestChunk: Int
    let largeValues: LargeValue.Limits

    /// - Parameters:
    ///   - detached: The state in which no references to deleted objects are left; `nil` if none are deleted.
    ///   - isFirst: Whether this is the first attempt, for which the context's view may do.
    init(_ context: ObjectContext, detachedIn detached: StoreView?, isFirst: Bool) throws(ObjectStoreError) {
        self.context = context
        store = context.store
        self.isFirst = isFirst
        work = Self.work(context.pending)
        let known = detached ?? (isFirst ? context.viewToSave : nil)
        view = if let known { known.notingReads() } else { try StoreView(store.engine, notesReads: true) }
        // After making the view: what others do from now on is a conflict.
        mayMissTargets =
            store.use.isShared || !context.pending.deleted.isEmpty
            || store.deletions.load(ordering: .acquiring) != context.ownDeletions
        longestChunk = store.options.longestChunk
        largeValues = LargeValue.Limits(store)
    }

    /// The maximum number of attempts in case of conflicts.
    static var mostAttempts: Int { 1000 }

    /// Whether other contexts can save while this one waits for the disk.
    private var syncsApart: Bool { store.options.durability == .synced && store.engine.syncsApart }

    /// Commits the changes. Returns a conflict if others have changed what this attempt has read: the next one reads the state that they left.
    func run() throws(ObjectStoreError) -> Result<Done, Conflict> {
        try store.catalogCheck.checkBeforeSave(view, store)
        var buffers = Buffers()
        var attempt = Attempt(self)
        do throws(ObjectStoreError) { try attempt.build(&buffers) } catch {
            try checkReads()
            throw error
        }
        // From now on, pages and blocks with these rows may exist, even if an error is thrown.
        for item in work where item.kind == .insert { store.storedClass(number: item.id.classNumber)?.saved(item.id.row) }
        let durability = syncsApart ? .buffered : store.options.durability
        let version: EngineVersion
        switch try perform(attempt.commit, durability) {
        case .success(let new): version = new
        case .failure(let error):
            let conflict = conflict(error)
            if context.isSerializable, !isOfAttemptAlone(error) { throw readsChanged(conflict) }
            return .failure(conflict)
        }
        store.catalogCheck.committed(version)
        if !context.pending.deleted.isEmpty {
            store.deletions.wrappingAdd(1, ordering: .releasing)
            context.ownDeletions += 1
        }
        if attempt.storesChunks { store.formatIsRaised(to: StoreHeader.chunks) }
        if store.hasListeners { store.willAnnounce(announcement(attempt), version) }
        return .success(
            Done(save: self, version: version, outcomes: attempt.outcomes, yieldedNames: attempt.yieldedNames, lists: attempt.lists)
        )
    }

    /// Throws what keeps the changes from being saved; commits nothing.
    func check() throws(ObjectStoreError) {
        try store.catalogCheck.checkBeforeSave(view, store)
        var buffers = Buffers()
        var attempt = Attempt(self)
        try attempt.build(&buffers)
    }

    /// Commits; returns the engine's error after a conflict.
    private func perform(_ commit: EngineCommit, _ durability: Durability) throws(ObjectStoreError) -> Result<EngineVersion, EngineError> {
        do throws(ObjectStoreError) { return try store.engine.attempt(commit, durability: durability) } catch {
            switch error.code {
            case .tooLarge: throw tooLarge(commit, error)
            case .unavailable where !error.isOutcomeUnknown:
                throw ObjectStoreError(.unavailable, "nothing was saved to \(store.name): \(error.message)", cause: error.cause)
            case .unavailable:
                context.hasUnknownSave = true
                // If they were deleted, other contexts must look before they refer to them. This one too: its own deletions do not include them.
                if !context.pending.deleted.isEmpty { store.deletions.wrappingAdd(1, ordering: .releasing) }
                throw outcomeUnknown(error)
            default: throw error
            }
        }
    }

    /// Throws if others have changed what `write { }` has read: then that is why its changes cannot be saved to the latest state.
    private func checkReads() throws(ObjectStoreError) {
        guard context.isSerializable else { return }
        var reads = EngineCommit()
        context.pinned?.dependOnReads(&reads)
        if case .failure(let error) = try store.engine.attempt(reads, durability: .buffered) { throw readsChanged(conflict(error)) }
    }

    /// Whether others have changed what the first attempt has read, but not what the context has: the next attempt reads it again.
    private func isOfAttemptAlone(_ conflict: EngineError) -> Bool {
        guard isFirst, let key = conflict.changedKey, let pinned = context.pinned else { return false }
        return !pinned.hasNoted(key)
    }

    private func conflict(_ error: EngineError) -> Conflict {
        Conflict(store: store, before: (context.pinned ?? view).engineView, key: error.changedKey)
    }

    /// Memory that records and pages use.
    struct Buffers: ~Copyable {
        var writer = RecordWriter()
        var page = PageBuilder()
        var pageBytes: [UInt8] = []
    }

    // MARK: After the commit

    /// A save that is committed.
    struct Done {
        let save: Save
        let version: EngineVersion
        let outcomes: ContiguousArray<Outcome>
        let yieldedNames: Set<String>
        let lists: [(outcome: Int, collection: ObjectCollection)]

        /// Waits for the disk if necessary, marks the context's changes as saved, and announces them. Others may save in the meantime.
        ///
        /// - Throws: If the disk does not confirm them. They are saved nevertheless, and others can see them.
        func finish() throws(ObjectStoreError) {
            let context = save.context
            var failure: EngineError?
            if save.syncsApart { do throws(EngineError) { try save.store.engine.sync() } catch { failure = error } }
            if failure == nil { save.store.announce(upTo: version) }
            save.finishChanges(self)
            context.hasSaved = true
            context.hasUnknownSave = false
            let goesOn = context.isSerializable && !context.endsWithSave
            if goesOn { context.advance() }
            if !lists.isEmpty { save.finishLists(self) }
            // Others may have changed them since they were read.
            if goesOn { context.refresh() }
            if let failure { throw ObjectStoreError(failure) }
        }
    }

    private func announcement(_ attempt: borrowing Attempt) -> ObjectCommit {
        var commit = ObjectCommit()
        for name in context.pending.names.keys where !attempt.yieldedNames.contains(name) { commit.names.append(name) }
        for (index, item) in work.enumerated() { Self.note(item, attempt.outcomes[index], in: &commit) }
        return commit
    }

    private func finishChanges(_ saved: Done) {
        let done = context.pending
        context.pending = PendingChanges()
        for (name, value) in done.names where context.namesRead[name] != nil && !saved.yieldedNames.contains(name) {
            context.namesRead[name] = value
        }
        // `work` does not retain its objects; these do.
        defer { withExtendedLifetime(done) {} }
        for (index, item) in work.enumerated() {
            switch saved.outcomes[index] {
            case .saved(let count): unsafe item.object._$state.saved(count)
            case .yielded: unsafe item.object.becomeFault()
            case .deleted:
                leave(unsafe item.object)
            }
        }
        // Objects that were inserted and then deleted were never saved.
        for object in done.inserted where object._$state.flags.contains(.deleted) && object._$state.isIn(context.link) {
            leave(object)
        }
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

    /// Marks the long lists as saved. They are read from the new state from now on, so that the former states can be released.
    private func finishLists(_ done: Done) {
        var views: ListViews?
        // An engine with other writers may have another state already.
        if let view = try? context.currentView(), view.version == done.version { views = try? context.listViews() }
        for (index, collection) in done.lists {
            if case .saved(let count) = done.outcomes[index] { collection.saved(count, views) }
        }
    }
}
